// Passwords of accounts, set by their people and by the operator.
import { newPasswordTooWeak, tooManyPasswordTries, wrongPassword } from "../../errors-people.ts";
import { perRealm, type Realm, type Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { Limiter, SIGN_IN_BY_NAME } from "../../server/limit.ts";
import { endSessionsOf } from "../sessions/actions.ts";
import { hashPassword, verifyPassword } from "./hash.ts";
import { isStrongPassword } from "./strength.ts";

/**
 * Takes a hash, because hashing is too slow for a transaction. All sessions end but the one in
 * which it is done.
 */
export function setPassword(tx: Writer, user_id: number, hash: string, session_id?: number): void {
  tx.passwords.put({ user_id, hash });
  endSessionsOf(tx, user_id, session_id);
}

/** Tries at old passwords that failed, by person. */
const failures = perRealm((realm) => new Limiter(realm.clock, SIGN_IN_BY_NAME));

/** A person who knows the old password sets a new one; their keys go on working. */
export async function changePassword(
  realm: Realm,
  { user_id, full_name, delivery_email }: User,
  old_password: string,
  new_password: string,
  session_id?: number,
): Promise<void> {
  const standing = failures(realm).take(user_id);
  const { allowed, retry_after } = standing;
  if (!allowed && realm.config.rate_limits) throw tooManyPasswordTries(retry_after);
  const known = realm.read.passwords.get(user_id)?.hash;
  if (!(await verifyPassword(old_password, known))) throw wrongPassword();
  failures(realm).forget(user_id);
  const personal = [full_name, delivery_email, realm.read.settings.name];
  if (!(await isStrongPassword(new_password, personal))) throw newPasswordTooWeak();

  const hash = await hashPassword(new_password);
  await realm.write((tx) => {
    if (tx.passwords.get(user_id)?.hash !== known) throw wrongPassword();
    setPassword(tx, user_id, hash, session_id);
  });
}
