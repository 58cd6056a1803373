// The user object for clients, avatars, and events about users.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import { MEMBER } from "../../contract/roles.ts";
import type { memberShape } from "../../contract/shapes/people.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { profileData } from "../profile/wire.ts";
import {
  canSeeEmail,
  emailVisibility,
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  SPECTATOR,
  type Viewer,
} from "../rights/rules.ts";
import {
  generatedAvatarPath,
  genericAvatarPath,
  uploadedAvatarPath,
} from "../realm/picture-wire.ts";

type Person = Static<typeof memberShape>;

/** The options of a request for user objects. */
interface UserView {
  /** Omit Gravatar URLs that the client can compute itself. */
  client_gravatar: boolean;
  custom_profile_fields: boolean;
}

const UNKNOWN_NAME = "Unknown user";
const AVATAR_MEDIUM_PIXELS = 500;
/** Length of the date in `2026-05-01T09:30+00:00`. */
const DATE_LENGTH = 10;

/** A user object for this viewer; spectators get only the user's name and avatar. */
export function userObject(reader: Reader, viewer: Viewer, user: User, view: UserView): Person {
  const isPrivate = viewer === SPECTATOR;
  const dateJoined = isoMinute(user.date_joined);
  const person: Person = {
    user_id: user.user_id,
    email: emailOf(reader, user, viewer),
    delivery_email: canSeeEmail(viewer, user) ? user.delivery_email : null,
    full_name: user.full_name,
    date_joined: isPrivate ? dateJoined.slice(0, DATE_LENGTH) : dateJoined,
    is_active: user.is_active,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    is_imported_stub: false,
    role: user.role,
    ...(!isPrivate && { timezone: timezoneOf(user) }),
    avatar_url: avatarUrl(user, view.client_gravatar, viewer),
    avatar_version: user.avatar_version,
  };
  if (isBot(user)) {
    person.bot_type = user.bot_type;
    person.bot_owner_id = user.bot_owner_id;
    if (user.is_system_bot) person.is_system_bot = true;
  } else if (view.custom_profile_fields && !isPrivate) {
    person.profile_data = profileData(reader, user);
  }
  if (user.is_deleted) person.is_deleted = true;
  return person;
}

/** Stands in for a user whom the viewer may not see, where clients require an entry. */
export function placeholder(reader: Reader, user_id: number): Person {
  return {
    user_id,
    email: hiddenEmail(reader, user_id),
    delivery_email: null,
    full_name: UNKNOWN_NAME,
    date_joined: isoMinute(0),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    is_imported_stub: false,
    role: MEMBER,
    timezone: "",
    avatar_url: genericAvatarPath(),
    avatar_version: 1,
    profile_data: {},
  };
}

/** The address shown to all users: the real one only if all of them may see it. */
export function emailOf(reader: Reader, user: User, viewer?: Viewer): string {
  if (emailVisibility(user) === 1 && viewer !== SPECTATOR) return user.delivery_email;
  return hiddenEmail(reader, user.user_id);
}

function hiddenEmail(reader: Reader, user_id: number): string {
  return `user${user_id}@${hostOf(reader.config.url)}`;
}

/** The host without the port, as domains of addresses need it. */
export function hostOf(url: string): string {
  return new URL(url).hostname;
}

/** null if the client asked to compute Gravatar URLs itself. */
export function avatarUrl(user: User, client_gravatar: false): string;
export function avatarUrl(user: User, client_gravatar: boolean, viewer?: Viewer): string | null;
export function avatarUrl(user: User, client_gravatar: boolean, viewer?: Viewer): string | null {
  if (!hasGravatar(user) || viewer === SPECTATOR) return ownPicture(user, false);
  return client_gravatar ? null : gravatarUrl(user);
}

export function avatarUrlMedium(user: User): string {
  if (!hasGravatar(user)) return ownPicture(user, true);
  return mediumGravatar(gravatarUrl(user));
}

/** The uploaded avatar, or a generated one. */
export function ownPicture(user: User, isMedium: boolean): string {
  const { user_id, avatar_source, avatar_key, avatar_version: version } = user;
  return avatar_source === "U" && avatar_key
    ? uploadedAvatarPath(avatar_key, version, isMedium)
    : generatedAvatarPath(user_id, version, isMedium);
}

/** A Gravatar reveals the address, so users who hide theirs get a generated avatar. */
function hasGravatar(user: User): boolean {
  return user.avatar_source === "G" && emailVisibility(user) === 1;
}

const GRAVATAR = "https://secure.gravatar.com/avatar/";

/** The event for clients that compute Gravatar URLs themselves. */
export function withoutGravatar(event: PlainEvent): PlainEvent {
  const person = event["person"] as Person;
  const url = person.avatar_url;
  const isGravatar = typeof url === "string" && url.startsWith(GRAVATAR);
  return isGravatar ? { ...event, person: { ...person, avatar_url: null } } : event;
}

function gravatarUrl({ delivery_email, avatar_version }: User): string {
  return gravatarOf(delivery_email, avatar_version);
}

/** Gravatar URL of an address without an account here. */
export function gravatarOfAddress(email: string, isMedium: boolean): string {
  const url = gravatarOf(email, 1);
  return isMedium ? mediumGravatar(url) : url;
}

const mediumGravatar = (url: string) => `${url}&s=${AVATAR_MEDIUM_PIXELS}`;

function gravatarOf(email: string, version: number): string {
  const hash = new Bun.CryptoHasher("md5").update(foldedAddress(email)).digest("hex");
  return `${GRAVATAR}${hash}?d=identicon&version=${version}`;
}

function timezoneOf(user: User): string {
  return (user.settings["timezone"] as string | undefined) ?? "";
}

/** ISO 8601 to the minute, with its offset. */
export function isoMinute(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}+00:00`;
}

/** `delivery_email` is null for viewers who may not see it. */
export function userAdded(reader: Reader, user: User, delivery_email: string | null): PlainEvent {
  const view = { client_gravatar: false, custom_profile_fields: true };
  const person = userObject(reader, user, user, view);
  return { type: "realm_user", op: "add", person: { ...person, delivery_email } };
}

export function placeholderAdded(reader: Reader, user_id: number): PlainEvent {
  const person = placeholder(reader, user_id);
  return { type: "realm_user", op: "add", person, lacks: "user_list_incomplete" };
}

/** The event for guests who can no longer see this user. */
export function userRemoved(user_id: number): PlainEvent {
  return { type: "realm_user", op: "remove", person: { user_id, full_name: UNKNOWN_NAME } };
}

export function userUpdated(user_id: number, change: Record<string, unknown>): PlainEvent {
  return { type: "realm_user", op: "update", person: { user_id, ...change } };
}

export function membersAdded(group_id: number, user_ids: readonly number[]): PlainEvent {
  return { type: "user_group", op: "add_members", group_id, user_ids };
}

export function membersRemoved(group_id: number, user_ids: readonly number[]): PlainEvent {
  return { type: "user_group", op: "remove_members", group_id, user_ids };
}
