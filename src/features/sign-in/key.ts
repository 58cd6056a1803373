// Sign-in by an app with a password, which returns an API key.
import Type from "typebox";
import {
  secondFactorNeeded,
  signInDeactivated,
  signInFailed,
} from "../../contract/errors/people.ts";
import { openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { recordFirstSignIn } from "../accounts/first-sign-in.ts";
import { newApiKey } from "../keys/actions.ts";
import { notifyOfSignIn } from "../email-delivery/new-sign-ins.ts";
import type { TypedPassword } from "../passwords/confirm.ts";
import { isDeactivated } from "../realm/access.ts";
import { hasSecondFactor } from "../two-factor/access.ts";
import { passwordMark } from "../two-factor/challenge.ts";
import { logRefusal } from "../security-log/log.ts";
import { userByPassword } from "./by-password.ts";

/** A second factor cannot be requested here, so users with one enter an app password. */
async function signIn(
  realm: Realm,
  typed: TypedPassword,
  client: string,
): Promise<{ api_key: string; user: User }> {
  const owner = ownerOfKey(realm, typed);
  if (owner) return { api_key: typed.password, user: owner };
  const user = await userByPassword(realm, typed);
  const { user_id } = user;
  if (hasSecondFactor(realm.read, user_id)) {
    logRefusal(realm, "a sign-in", { user_id, address: typed.address }, secondFactorNeeded());
    throw secondFactorNeeded();
  }
  const mark = passwordMark(realm.read, user_id);
  const api_key = await realm.write((tx) => {
    if (passwordMark(tx, user_id) !== mark) throw signInFailed();
    if (!tx.users.get(user_id)?.is_active) throw signInDeactivated();
    notifyOfSignIn(realm, tx, user, { client, address: typed.address });
    recordFirstSignIn(tx, user);
    return newApiKey(tx, user, client);
  });
  return { api_key, user };
}

/** An app password is an API key for one app, so it is returned unchanged. */
function ownerOfKey({ read }: Realm, { username, password }: TypedPassword): User | undefined {
  const key = read.api_keys.findBy("hash", hashOfSecret(password));
  const user = key && read.users.get(key.user_id);
  const isForeign = user && foldedAddress(user.delivery_email) === foldedAddress(username.trim());
  return isForeign && user.is_active && !isDeactivated(read) ? user : undefined;
}

const keyShape = Type.Object({
  api_key: Type.String(),
  email: Type.String(),
  user_id: Type.Integer(),
});

export const fetchApiKey = openEndpoint({
  summary: "Get an API key with a user name and password",
  tag: "Signing in",
  params: { username: text, password: text },
  answer: keyShape,
  refuses: [
    "AUTHENTICATION_FAILED",
    "AUTHENTICATION_UNAVAILABLE",
    "PASSWORD_AUTH_DISABLED",
    "USER_DEACTIVATED",
  ],
  run: async ({ realm, client, address }, { username, password }) => {
    const typed = { username, password, address };
    const { api_key, user } = await signIn(realm, typed, client);
    return { api_key, email: user.delivery_email, user_id: user.user_id };
  },
});
