// The accounts of an archive: matched by address, created, or kept as placeholders.
import { ADMINISTRATOR, GUEST, MEMBER, OWNER } from "../../../contract/roles.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { awaitFullMembership } from "../../groups/full-members.ts";
import { isEmail } from "../../rights/rules.ts";
import { USER_SETTINGS } from "../../settings/rules.ts";
import { firstSettings } from "../../settings/wire.ts";
import { checksumOf, type Item, putRow, type Row } from "../write-row.ts";
import { plainName } from "../plain-name.ts";
import type { Choices, PeopleMap } from "../people-map.ts";
import type { Reporting } from "../report.ts";
import type { Workspace } from "../source/workspace.ts";
import type { SourceUser } from "../source/records-rules.ts";

export const PEOPLE_STEP = 1;
/** Marks accounts in `imported` that existed before; an undo keeps them. */
const MATCHED = "matched users";
const GENERIC_BOT = 1;

export interface Person {
  readonly key: string;
  readonly full_name: string;
  /** null if no user can sign in to the account. */
  readonly email: string | null;
  readonly role: number;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  /** Entry of the archive with the user's picture. */
  readonly picture?: string | undefined;
  readonly timezone?: string | undefined;
  /** When the user joined, in milliseconds; undefined: the archive does not contain it. */
  readonly joined_ms?: number | undefined;
  /** A hash that `verifyPassword` knows. */
  readonly password?: string | undefined;
}

export function peopleOf(
  { users }: Workspace,
  reporting: Reporting,
  { people: mapped, roles }: Choices,
): Map<string, Person> {
  const people = new Map<string, Person>();
  const owners = ownersOfAddresses(users, mapped);
  for (const [index, user] of users.entries()) {
    const location = user.location ?? `users.json#${index + 1}`;
    const { id: key, deleted, is_bot = false } = user;
    if (people.has(key)) {
      reporting.lost("A user is in the export twice: the first record is used.", location);
      continue;
    }
    const mappedPerson = mapped.of(key, user.profile?.email ?? "");
    const email = addressOf(user, mappedPerson?.email, owners, reporting, location);
    const archived = roleIn(user);
    const isLowered = archived < MEMBER && roles !== "keep" && mappedPerson?.role === undefined;
    if (isLowered) {
      reporting.lost("An owner or administrator becomes a member: change the role.", location);
    }
    const role = mappedPerson?.role ?? (isLowered ? MEMBER : archived);
    const is_active = email !== null && deleted !== true;
    const { picture, timezone, joined_ms } = user;
    const password = is_active ? passwordOf(user, reporting, location) : undefined;
    const full_name = nameOf(user);
    const profile = { full_name, picture, timezone, joined_ms };
    people.set(key, { key, ...profile, email, role, is_active, is_bot, password });
    reporting.countFound("users");
  }
  mapped.reportUnused(reporting);
  return people;
}

/** The id of the user who gets each address: the first one, but an active user before others. */
function ownersOfAddresses(users: Workspace["users"], mapped: PeopleMap): Map<string, string> {
  const owners = new Map<string, string>();
  const firstRecords = new Map(users.toReversed().map((user) => [user.id, user]));
  const people = [...firstRecords.values()].toReversed().filter(({ is_bot }) => !is_bot);
  for (const isDeleted of [false, true]) {
    for (const user of people.filter(({ deleted }) => (deleted === true) === isDeleted)) {
      const email = emailOf(user, mapped.of(user.id, user.profile?.email ?? "")?.email);
      const folded = foldedAddress(email);
      if (isEmail(email) && !owners.has(folded)) owners.set(folded, user.id);
    }
  }
  return owners;
}

const emailOf = ({ profile }: SourceUser, mapped: string | undefined) =>
  mapped ?? (typeof profile?.email === "string" ? profile.email.trim() : "");

/** Reports users who got an account without an address in an earlier run. */
export function reportPlaceholders(
  reader: Reader,
  import_id: number,
  people: ReadonlyMap<string, Person>,
  reporting: Reporting,
): void {
  for (const { key, email, is_active } of people.values()) {
    const mark = email && is_active ? reader.imported.get(import_id, PEOPLE_STEP, key) : undefined;
    if (mark?.table !== "users") continue;
    const user = reader.users.get(Number(mark.row_key[0]));
    const isPlaceholder = user && !user.is_active && user.delivery_email.endsWith(UNKNOWN_DOMAIN);
    if (isPlaceholder) reporting.lost(IMPORTED_WITHOUT_ADDRESS, `${key} (${email})`);
  }
}

const UNKNOWN_DOMAIN = ".invalid";
const IMPORTED_WITHOUT_ADDRESS =
  "A user was imported earlier without an address: undo that import first, to give the address.";

/** Accepts hashes with a cost of up to 14: higher ones would take too long at each sign-in. */
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

function passwordOf(
  { password_digest }: SourceUser,
  reporting: Reporting,
  location: string,
): string | undefined {
  if (password_digest === undefined || BCRYPT.test(password_digest)) return password_digest;
  reporting.lost("A password cannot be imported: the user sets a new one.", location);
  return undefined;
}

/** Sets the password of an account that this import created. */
export function passwordItem(import_id: number, { key, password }: Person): Item {
  return {
    step: PEOPLE_STEP,
    source_key: `password ${key}`,
    bytes: 200,
    write(tx) {
      const mark = tx.imported.get(import_id, PEOPLE_STEP, key);
      const user_id = Number(mark?.row_key[0] ?? 0);
      const isNew = mark?.table === "users" && !tx.passwords.has(user_id);
      if (!isNew || password === undefined) {
        return { table: "matched passwords", row_key: [user_id], checksum: 0 };
      }
      const checksum = putRow(tx, "passwords", { user_id, hash: password });
      return { table: "passwords", row_key: [user_id], checksum };
    },
  };
}

/** Removes the prefix that `keyOfUser` adds. */
const withoutMark = (key: string) => key.replace(/^U:/, "");

/** Returns an account for a sender who is not in the list of users. */
export function unlistedSender(label: string, key: string, name: string | undefined): Person {
  const is_bot = !/^[UW]/.test(key);
  const id = withoutMark(key);
  const full_name =
    plainName(name ?? "") || plainName(is_bot ? `${label} bot` : `${label} user ${id}`);
  return { key, full_name, email: null, role: MEMBER, is_active: false, is_bot };
}

/** `label`: the product's name, used in addresses of placeholders. */
export function personItem(person: Person, label: string, avatar_key?: string): Item {
  return {
    step: PEOPLE_STEP,
    source_key: person.key,
    bytes: 500,
    write(tx) {
      const existingUser = person.email && tx.users.findBy("email", foldedAddress(person.email));
      if (existingUser) return { table: MATCHED, row_key: [existingUser.user_id], checksum: 0 };
      const user = create(tx, person, label, avatar_key);
      const checksum = checksumOf("users", user as unknown as Row);
      return { table: "users", row_key: [user.user_id], checksum };
    },
  };
}

function create(tx: Writer, person: Person, label: string, avatar_key: string | undefined): User {
  const { key, full_name, email, role, is_active, is_bot, timezone = "", joined_ms = 0 } = person;
  const joined = Math.floor(joined_ms / 1_000);
  const isKnown = joined > 0 && joined <= tx.now;
  const [slug, domain] = [key, label].map((text) =>
    text.replaceAll(/[^A-Za-z0-9]/g, "-").toLowerCase(),
  );
  // The address does not exist, so no user can receive email or prove ownership of it.
  const unknown = `${slug}-${tx.last("users") + 1}@${domain}${UNKNOWN_DOMAIN}`;
  const hasTimezone = timezone !== "" && USER_SETTINGS.timezone.isValid(timezone);
  const user: User = {
    user_id: tx.next("users"),
    delivery_email: email ?? unknown,
    full_name,
    role,
    is_active,
    bot_type: is_bot ? GENERIC_BOT : null,
    bot_owner_id: null,
    is_system_bot: false,
    date_joined: isKnown ? joined : tx.now,
    avatar_source: tx.settings.default_avatar_source,
    avatar_version: 1,
    ...(avatar_key !== undefined && { avatar_source: "U", avatar_key }),
    settings: is_bot ? {} : { ...firstSettings(tx), ...(hasTimezone && { timezone }) },
    can_create_users: false,
    // If the joining date is unknown, the first sign-in sets it.
    ...(!isKnown && { is_awaited: true }),
  };
  tx.users.put(user);
  if (is_active) awaitFullMembership(tx, user);
  return user;
}

/** The role that the user had in the archive. */
function roleIn(user: SourceUser): number {
  if (user.is_owner) return OWNER;
  if (user.is_admin) return ADMINISTRATOR;
  return user.is_restricted || user.is_ultra_restricted ? GUEST : MEMBER;
}

function addressOf(
  user: SourceUser & { id: string },
  mapped: string | undefined,
  owners: ReadonlyMap<string, string>,
  reporting: Reporting,
  location: string,
): string | null {
  const email = emailOf(user, mapped);
  if (user.is_bot) return null;
  if (!isEmail(email)) {
    reporting.lost("A user has no address: the account is a placeholder.", location);
    return null;
  }
  if (owners.get(foldedAddress(email)) !== user.id) {
    const kind = "Two users have the same address: the second account is a placeholder.";
    reporting.lost(kind, `${location} (${email})`);
    return null;
  }
  return email;
}

export function nameOf({ id, name, real_name, profile }: SourceUser & { id: string }): string {
  const names = [profile?.display_name, profile?.real_name, real_name, name, withoutMark(id)];
  const usableName = names.find((name) => typeof name === "string" && plainName(name) !== "");
  return plainName(usableName ?? "") || "Unknown user";
}
