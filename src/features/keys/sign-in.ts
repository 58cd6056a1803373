// Signing in by an app, with a password, for a key to go on with.
import { openEndpoint, text } from "../../endpoint.ts";
import { secondFactorNeeded, signInDeactivated, signInFailed } from "../../errors-people.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { hasSecondFactor } from "../factors/access.ts";
import { passwordMark } from "../factors/ask.ts";
import { tellOfSignIn } from "../mail/sign-ins.ts";
import { isClosed } from "../realm/access.ts";
import { userByPassword } from "../sessions/by-password.ts";
import type { Typed } from "../sessions/password.ts";
import { arrive } from "../users/arrival.ts";
import { newApiKey } from "./actions.ts";
import { hashOfKey } from "./random.ts";

/** A second factor cannot be asked for here: who has one gives an app password instead. */
async function signIn(
  realm: Realm,
  typed: Typed,
  client: string,
): Promise<{ api_key: string; user: User }> {
  const owner = ownerOfKey(realm, typed);
  if (owner) return { api_key: typed.password, user: owner };
  const user = await userByPassword(realm, typed);
  const { user_id } = user;
  if (hasSecondFactor(realm.read, user_id)) throw secondFactorNeeded();
  const mark = passwordMark(realm.read, user_id);
  const api_key = await realm.write((tx) => {
    if (passwordMark(tx, user_id) !== mark) throw signInFailed();
    if (!tx.users.get(user_id)?.is_active) throw signInDeactivated();
    tellOfSignIn(realm, tx, user, { client, address: typed.address });
    arrive(tx, user);
    return newApiKey(tx, user, client);
  });
  return { api_key, user };
}

/** An app password is a key that was made for one app: it is handed back. */
function ownerOfKey({ read }: Realm, { username, password }: Typed): User | undefined {
  const key = read.api_keys.one("hash", hashOfKey(password));
  const user = key && read.users.get(key.user_id);
  const isTheirs = user?.delivery_email.toLowerCase() === username.trim().toLowerCase();
  return isTheirs && user!.is_active && !isClosed(read) ? user : undefined;
}

export const fetchApiKey = openEndpoint({
  params: { username: text, password: text },
  run: async ({ realm, client, address }, { username, password }) => {
    const typed = { username, password, address };
    const { api_key, user } = await signIn(realm, typed, client);
    return { api_key, email: user.delivery_email, user_id: user.user_id };
  },
});
