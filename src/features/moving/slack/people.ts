// The accounts of a Slack export: matched by address, created, or kept as placeholders.
import { GUEST, MEMBER } from "../../../contract/roles.ts";
import type { Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { normalized } from "../../../text/normalized.ts";
import { awaitFullMembership } from "../../groups/waiting.ts";
import { FULL_NAME_LENGTH_MAX, hasMarkupCharacters, isEmail } from "../../rights/rules.ts";
import { firstSettings } from "../../settings/wire.ts";
import { checksumOf, type Item, type Row } from "../bulk.ts";
import type { Reporting } from "../report.ts";
import type { SlackExport } from "./reading.ts";
import type { SlackUser } from "./export-rules.ts";

export const PEOPLE_STEP = 1;
/** Stands in `imported` for accounts that were there before; an undo leaves them alone. */
export const MATCHED = "matched users";
/** No mail reaches these addresses, and nobody can prove to have one. */
const PLACEHOLDER_DOMAIN = "slack.invalid";
const GENERIC_BOT = 1;

export interface Person {
  readonly key: string;
  readonly full_name: string;
  /** null: nobody can sign in to the account. */
  readonly email: string | null;
  readonly role: number;
  readonly is_active: boolean;
  readonly is_bot: boolean;
}

export function peopleOf({ users }: SlackExport, reporting: Reporting): Map<string, Person> {
  const people = new Map<string, Person>();
  const addresses = new Set<string>();
  for (const [at, user] of users.entries()) {
    const place = `users.json#${at + 1}`;
    const email = addressOf(user, addresses, reporting, place);
    const { id: key, deleted, is_bot = false, is_restricted, is_ultra_restricted } = user;
    if (user.is_owner || user.is_admin) {
      reporting.lost("An owner or administrator becomes a member: change the role.", place);
    }
    const role = is_restricted || is_ultra_restricted ? GUEST : MEMBER;
    const is_active = email !== null && deleted !== true;
    people.set(key, { key, full_name: nameOf(user), email, role, is_active, is_bot });
    reporting.found("users");
  }
  return people;
}

/** A sender who is in no list of users. */
export function stranger(key: string, name: string | undefined): Person {
  const is_bot = !key.startsWith("U") && !key.startsWith("W");
  const full_name =
    plainName(name ?? "") || (is_bot ? "Slack bot" : `Slack user ${plainName(key)}`);
  return { key, full_name, email: null, role: MEMBER, is_active: false, is_bot };
}

export function personItem(person: Person): Item {
  return {
    step: PEOPLE_STEP,
    source_key: person.key,
    bytes: 500,
    write(tx) {
      const known = person.email && tx.users.one("email", foldedAddress(person.email));
      if (known) return { table: MATCHED, row_key: [known.user_id], checksum: 0 };
      const user = create(tx, person);
      const checksum = checksumOf("users", user as unknown as Row);
      return { table: "users", row_key: [user.user_id], checksum };
    },
  };
}

/** At most a member, whoever it was: the address is yet to be proven. */
function create(tx: Writer, { key, full_name, email, role, is_active, is_bot }: Person): User {
  const slug = key.replaceAll(/[^A-Za-z0-9]/g, "-").toLowerCase();
  const unknown = `${slug}-${tx.last("users") + 1}@${PLACEHOLDER_DOMAIN}`;
  const user: User = {
    user_id: tx.next("users"),
    delivery_email: email ?? unknown,
    full_name,
    role,
    is_active,
    bot_type: is_bot ? GENERIC_BOT : null,
    bot_owner_id: null,
    is_system_bot: false,
    date_joined: tx.now,
    avatar_source: tx.settings.default_avatar_source,
    avatar_version: 1,
    settings: is_bot ? {} : firstSettings(tx),
    can_create_users: false,
    is_awaited: true,
  };
  tx.users.put(user);
  if (is_active) awaitFullMembership(tx, user);
  return user;
}

function addressOf(
  { profile, is_bot }: SlackUser,
  addresses: Set<string>,
  reporting: Reporting,
  place: string,
): string | null {
  const email = typeof profile?.email === "string" ? profile.email.trim() : "";
  if (is_bot) return null;
  if (!isEmail(email)) {
    reporting.lost("A user has no address: the account is a placeholder.", place);
    return null;
  }
  const folded = foldedAddress(email);
  if (addresses.has(folded)) {
    const kind = "Two users have the same address: the second account is a placeholder.";
    reporting.lost(kind, `${place} (${email})`);
    return null;
  }
  addresses.add(folded);
  return email;
}

export function nameOf({ id, name, real_name, profile }: SlackUser & { id: string }): string {
  const names = [profile?.display_name, profile?.real_name, real_name, name, id];
  const found = names.find((one) => typeof one === "string" && plainName(one) !== "");
  return plainName(found ?? "") || "Slack user";
}

/** The name without characters that would break a mention. */
function plainName(given: string): string {
  const letters = [...normalized(given, "NFC")].filter((letter) => !hasMarkupCharacters(letter));
  const name = letters
    .join("")
    .replace(/\|\d+$/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const cut = [...name].slice(0, FULL_NAME_LENGTH_MAX).join("").trim();
  return [...cut].length < 2 ? "" : cut;
}
