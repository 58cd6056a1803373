// Signing in with a password, for a key to go on with.
import { openEndpoint, text } from "../../endpoint.ts";
import {
  emailNotAnAddress,
  noOrganizationHere,
  signInDeactivated,
  signInFailed,
  signInRealmDeactivated,
  tooManySignIns,
} from "../../errors.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { Limiter, SIGN_IN_BY_NAME } from "../../server/limit.ts";
import { verifyPassword } from "../passwords/hash.ts";
import { isEmail } from "../users/rules.ts";
import { newApiKey } from "./actions.ts";
import { isClosed } from "../realm/access.ts";

const failures = perRealm((realm) => new Limiter(realm.clock, SIGN_IN_BY_NAME));

/** Says nothing about an account, not even by its time, to who does not know the password. */
export async function signIn(
  realm: Realm,
  username: string,
  password: string,
  client: string,
): Promise<{ api_key: string; user: User }> {
  if (!realm.read.realm.has(1)) throw noOrganizationHere();
  if (isClosed(realm.read)) throw signInRealmDeactivated();
  const name = username.trim().toLowerCase();
  if (!isEmail(name)) throw emailNotAnAddress();
  // Every try counts until it has succeeded, so that many at once are no way around the limit.
  const standing = failures(realm).take(name);
  if (!standing.allowed && realm.config.rate_limits) throw tooManySignIns(standing.retry_after);

  const user = realm.read.users.one("email", name);
  const hash = user && realm.read.passwords.get(user.user_id)?.hash;
  if (!(await verifyPassword(password, hash))) throw signInFailed();
  const api_key = await realm.write((tx) => {
    const { user_id } = user!;
    if (tx.passwords.get(user_id)?.hash !== hash) throw signInFailed();
    if (!tx.users.get(user_id)?.is_active) throw signInDeactivated();
    return newApiKey(tx, user!, client);
  });
  failures(realm).forget(name);
  return { api_key, user: user! };
}

export const fetchApiKey = openEndpoint({
  params: { username: text, password: text },
  run: async ({ realm, client }, { username, password }) => {
    const { api_key, user } = await signIn(realm, username, password, client);
    return { api_key, email: user.delivery_email, user_id: user.user_id };
  },
});
