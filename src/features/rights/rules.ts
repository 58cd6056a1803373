// Roles, full membership, and access to real email addresses.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../contract/roles.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { RealmSettings, User } from "../../schema/records.ts";
import { isUnmistakable } from "../../text/email-address.ts";

export const ROLES: readonly number[] = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST];

export const FULL_NAME_LENGTH_MIN = 2;
export const FULL_NAME_LENGTH_MAX = 100;

const EMAIL_LENGTH_MAX = 254;
/** The type of one-time tickets that confirm an address. */
export const NEW_ADDRESS = "new address";
export const DEACTIVATION_COMMENT_LENGTH_MAX = 2_000;

/** A visitor without an account who reads web-public content. */
export const SPECTATOR = "spectator";
/** The user or spectator who reads the data. */
export type Viewer = User | typeof SPECTATOR;

type UserRole = Pick<User, "role">;

export const isOwner = (user: UserRole) => user.role === OWNER;
export const isAdministrator = (user: UserRole) => user.role <= ADMINISTRATOR;
export const isModerator = (user: UserRole) => user.role <= MODERATOR;
export const isGuest = (user: UserRole) => user.role === GUEST;
export const isBot = (user: Pick<User, "bot_type">) => user.bot_type !== null;

/** A moderator or higher, or a member whose waiting period has ended. `now` in seconds. */
export function isFullMember(user: User, settings: RealmSettings, now: number): boolean {
  if (isGuest(user)) return false;
  if (isModerator(user)) return true;
  const days = Math.floor((now - user.date_joined) / DAY_SECONDS);
  return days >= settings.waiting_period_threshold;
}

/**
 * The lowest role that may see the address, by `email_address_visibility`. With value
 * 4, no one sees it.
 */
const EMAIL_SEEN_BY: Readonly<Record<number, number>> = {
  1: GUEST,
  2: MEMBER,
  3: ADMINISTRATOR,
  4: 0,
  5: MODERATOR,
};

export function emailVisibility(user: User): number {
  if (isBot(user)) return 1;
  return (user.settings["email_address_visibility"] as number | undefined) ?? 1;
}

/** The address, if everyone may see it. */
export function publicEmail(user: User): string | null {
  return emailVisibility(user) === 1 ? user.delivery_email : null;
}

/** Spectators never can. */
export function canSeeEmail(viewer: Viewer, user: User): boolean {
  if (viewer === SPECTATOR) return false;
  if (viewer.user_id === user.user_id) return true;
  return viewer.role <= EMAIL_SEEN_BY[emailVisibility(user)]!;
}

/**
 * Characters with a meaning in Markdown or mentions, invisible ones, and bidirectional controls.
 */
export function hasMarkupCharacters(name: string): boolean {
  return /[*`\\>"@\p{Cc}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(name);
}

/** Whether the text has the form of a stored email address. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) && isUnmistakable(text);
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?";
const EMAIL = new RegExp(
  `^[\\p{L}\\p{N}!#$%&'*+/=?^_\`{|}~-]+(?:\\.[\\p{L}\\p{N}!#$%&'*+/=?^_\`{|}~-]+)*` +
    `@${LABEL}(?:\\.${LABEL})*$`,
  "u",
);
