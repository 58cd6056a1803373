// Changes an account's email address after the new one is confirmed.
import { insufficientPermission } from "../../contract/errors/channels.ts";
import { Refusal } from "../../contract/errors/general.ts";
import {
  addressesUnconfirmed,
  emailChangesDisabled,
  linkEnded,
  newEmailInvalid,
  newEmailRefused,
  notAuthorizedToChangeEmails,
  ownerRequired,
  tooManyMails,
} from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { perRealm, type Reader, type Realm, type Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { Limiter } from "../../server/limit.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { mail } from "../mail/actions.ts";
import { RESET } from "../passwords/reset.ts";
import { checkedEmail } from "../people/names.ts";
import { viewersOf } from "../people/events.ts";
import { avatarUrl, avatarUrlMedium, userUpdated } from "../people/wire.ts";
import { isDeactivated } from "../realm/access.ts";
import { checkAddress, acceptsUnverified } from "../realm/addresses.ts";
import {
  canSeeEmail,
  emailVisibility,
  isAdministrator,
  isBot,
  isEmail,
  isOwner,
  NEW_ADDRESS,
} from "../rights/rules.ts";
import { encryptedKey, type NewKey } from "../secrets/encrypted.ts";
import { findTicket, storeTicket, invalidateTickets } from "../secrets/one-time-links.ts";

const NEW_ADDRESS_SECONDS = DAY_SECONDS;

export const CHANGES_BY_USER = [
  { calls: 2, seconds: 3_600 },
  { calls: 5, seconds: DAY_SECONDS },
] as const;

const limits = perRealm(({ clock }) => CHANGES_BY_USER.map((rule) => new Limiter(clock, rule)));

export interface NewAddress {
  user_id: number;
  /** The address at the time of the request. If it has changed since, the link is invalid. */
  former: string;
  email: string;
  sealed: string | null;
}

/** Returns the address if it differs from the current one. @throws if it is not allowed */
function wantedAddress(reader: Reader, user: User, value: string): string | undefined {
  const email = value.trim();
  if (email === user.delivery_email) return undefined;
  if (reader.settings.email_changes_disabled && !isAdministrator(user))
    throw emailChangesDisabled();
  checkWanted(reader, user, email);
  return email;
}

function checkWanted(reader: Reader, user: User, email: string): void {
  // A different spelling of the user's own address is allowed.
  const isOwn = foldedAddress(email) === foldedAddress(user.delivery_email);
  checkAddress(reader, isOwn ? email : checkedEmail(reader, email));
}

/** Like `wantedAddress`. @throws if the address cannot be verified */
export function checkedNewAddress(reader: Reader, user: User, value: string): string | undefined {
  const email = wantedAddress(reader, user, value);
  const isShown = reader.config.mail !== undefined || acceptsUnverified(reader);
  if (email !== undefined && !isShown && !isAdministrator(user)) throw addressesUnconfirmed();
  return email;
}

interface RequestedAddress {
  readonly email: string;
  readonly key: NewKey;
}

/** Counts the request, and creates the key of its link. @throws if the user made too many */
export function prepareAddressChange(realm: Realm, user: User, email: string): RequestedAddress {
  const attempts = limits(realm).map((limiter) => limiter.take(user.user_id));
  const limitedAttempt = attempts.find(({ allowed }) => !allowed);
  if (limitedAttempt && realm.config.rate_limits) throw tooManyMails(limitedAttempt.retry_after);
  return { email, key: encryptedKey(realm) };
}

export function confirmUrl(realm: Realm, key: string): string {
  return `${realm.config.url}/accounts/confirm_new_email/${key}/`;
}

/** Sends an email with the link to the new address. */
export function requestAddressChange(
  tx: Writer,
  user_id: number,
  { email, key }: RequestedAddress,
): void {
  const { delivery_email: former } = tx.users.get(user_id)!;
  const payload: NewAddress = { user_id, former, email, sealed: key.sealed };
  invalidateTickets(tx, NEW_ADDRESS, user_id);
  storeTicket(tx, NEW_ADDRESS, key.hash, NEW_ADDRESS_SECONDS, payload);
  mail(tx, { about: "new address", hash: key.hash });
  mail(tx, { about: "address asked", hash: key.hash });
}

/** Returns the change that the link makes, if it is still valid. */
export function changeOf(
  reader: Reader,
  key: string,
): { user: User; email: string; ticket: Ticket } | undefined {
  const ticket = findTicket(reader, NEW_ADDRESS, key);
  if (!ticket || isDeactivated(reader)) return undefined;
  const { user_id, former, email } = ticket.payload as NewAddress;
  const user = reader.users.get(user_id);
  if (!user?.is_active || user.delivery_email !== former) return undefined;
  return { user, email, ticket };
}

export function confirmAddress(tx: Writer, key: string): void {
  const change = changeOf(tx, key);
  if (!change) throw linkEnded();
  const { user, email } = change;
  wantedAddress(tx, user, email);

  replaceAddress(tx, user, email);
}

/** Administrators with permission from the operator change addresses without confirmation. */
export function setAddress(tx: Writer, actingUser: User, user: User, value: string): void {
  const email = value.trim();
  if (email === user.delivery_email) return;
  if (!isAdministrator(actingUser) || !actingUser.can_change_user_emails)
    throw notAuthorizedToChangeEmails();
  if (isBot(user) || user.is_deleted) throw insufficientPermission();
  // Control of an owner's email address allows taking over the account.
  if (isOwner(user) && !isOwner(actingUser)) throw ownerRequired();
  checkNewEmail(tx, user, email);

  replaceAddress(tx, user, email);
}

function checkNewEmail(reader: Reader, user: User, email: string): void {
  if (!isEmail(email)) throw newEmailInvalid();
  try {
    checkWanted(reader, user, email);
  } catch (error) {
    throw error instanceof Refusal ? newEmailRefused(error.message) : error;
  }
}

function replaceAddress(
  tx: Writer,
  { user_id, delivery_email: former }: User,
  email: string,
): void {
  invalidateTickets(tx, NEW_ADDRESS, user_id);
  // Invalidates password-reset links that were sent to the former address.
  invalidateTickets(tx, RESET, user_id);
  changeAddress(tx, user_id, email);
  mail(tx, { about: "address changed", user_id, former });
}

/** Emits the address to users who may see it, and avatars derived from it. */
function changeAddress(tx: Writer, user_id: number, delivery_email: string): void {
  const before = tx.users.get(user_id)!;
  const isSeen = emailVisibility(before) === 1;
  const isPictured = before.avatar_source === "G" && isSeen;
  const avatar_version = before.avatar_version + (isPictured ? 1 : 0);
  const user = { ...before, delivery_email, avatar_version };
  tx.users.put(user);
  const audience = { to: "seers", user_id } as const;
  const trusted = viewersOf(tx, user).filter((viewer) => canSeeEmail(viewer, user));
  const people = { to: "people", user_ids: trusted.map((viewer) => viewer.user_id) } as const;
  tx.emit(userUpdated(user_id, { delivery_email }), isSeen ? audience : people);
  if (isPictured) {
    const urls = { avatar_url: avatarUrl(user, false), avatar_url_medium: avatarUrlMedium(user) };
    tx.emit(userUpdated(user_id, { avatar_source: "G", ...urls, avatar_version }), audience);
  }
  if (isSeen) tx.emit(userUpdated(user_id, { new_email: delivery_email }), audience);
}
