// Passwords of accounts, set by users and by the operator.
import {
  newPasswordTooWeak,
  tooManyPasswordTries,
  wrongPassword,
} from "../../contract/errors/people.ts";
import { perRealm, type Realm, type Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { Limiter, SIGN_IN_BY_NAME } from "../../server/limit.ts";
import { endKeysOf } from "../keys/actions.ts";
import { NEW_ADDRESS } from "../rights/rules.ts";
import { invalidateTickets } from "../secrets/one-time-links.ts";
import { endSessionsOf } from "../sessions/actions.ts";
import { logRefusal } from "../security-log/log.ts";
import { hashPassword, verifyPassword } from "./hash.ts";
import { isStrongPassword } from "./strength.ts";

/** Sessions and keys that stay valid after a change of the password. */
interface RetainedCredentials {
  /** The session and the key of the request that sets the password. */
  readonly session_id?: number | undefined;
  readonly key_id?: number | undefined;
  /** Whether to end all other API keys too. */
  readonly end_api_keys?: boolean;
}

/**
 * Takes a hash, because hashing is too slow for a transaction. Ends all sessions except
 * `session_id` and withdraws pending changes of the email address.
 */
export function setPassword(
  tx: Writer,
  user_id: number,
  hash: string,
  { session_id, key_id, end_api_keys = false }: RetainedCredentials = {},
): void {
  tx.passwords.put({ user_id, hash });
  endSessionsOf(tx, user_id, session_id);
  invalidateTickets(tx, NEW_ADDRESS, user_id);
  if (end_api_keys) endKeysOf(tx, tx.users.get(user_id)!, key_id);
}

/** Failed attempts at the old password, by user. */
const failures = perRealm((realm) => new Limiter(realm.clock, SIGN_IN_BY_NAME));

/** Words about the user that an attacker would try first. */
export const personalTo = ({ read }: Realm, { full_name, delivery_email }: User): string[] => [
  full_name,
  delivery_email,
  read.settings.name,
];

/** A new password, hashed after the user entered the current one. */
interface PasswordChange {
  readonly user_id: number;
  readonly hash: string;
  readonly currentHash: string | undefined;
}

/** Sets a new password for a user who enters the old one. */
export async function changePassword(
  realm: Realm,
  user: User,
  old_password: string,
  new_password: string,
  retained: RetainedCredentials,
): Promise<void> {
  const change = await preparePasswordChange(realm, user, old_password, new_password);
  await realm.write((tx) => storePasswordChange(tx, change, retained));
}

/** Verifies the old password and hashes the new one, which is too slow for a transaction. */
export async function preparePasswordChange(
  realm: Realm,
  user: User,
  old_password: string,
  new_password: string,
): Promise<PasswordChange> {
  const { user_id } = user;
  const attempt = failures(realm).take(user_id);
  const { allowed, retry_after } = attempt;
  if (!allowed && realm.config.rate_limits) throw tooManyPasswordTries(retry_after);
  const currentHash = realm.read.passwords.get(user_id)?.hash;
  if (!(await verifyPassword(old_password, currentHash))) {
    logRefusal(realm, "the password once more", { user_id }, wrongPassword());
    throw wrongPassword();
  }
  failures(realm).forget(user_id);
  const personal = personalTo(realm, user);
  if (!(await isStrongPassword(new_password, personal))) throw newPasswordTooWeak();
  return { user_id, hash: await hashPassword(new_password), currentHash };
}

/** Fails if the password has changed since it was verified. */
export function storePasswordChange(
  tx: Writer,
  { user_id, hash, currentHash }: PasswordChange,
  retained: RetainedCredentials,
): void {
  if (tx.passwords.get(user_id)?.hash !== currentHash) throw wrongPassword();

  setPassword(tx, user_id, hash, retained);
}
