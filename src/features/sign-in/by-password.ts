// Verifies a name and password, for the sign-in page and for apps.
import { Refusal } from "../../contract/errors/general.ts";
import {
  directoryNamesNoAddress,
  emailNotAnAddress,
  joinByBrowser,
  noOrganizationHere,
  passwordSignInOff,
  signInDeactivated,
  signInFailed,
} from "../../contract/errors/people.ts";
import { signInRealmDeactivated } from "../../contract/errors/realm.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress, isUnmistakable } from "../../text/email-address.ts";
import { attemptPassword } from "../passwords/attempts.ts";
import { type Directory, directoryOf } from "../passwords/ldap.ts";
import { hashPassword, isOutdated, verifyPassword } from "../passwords/hash.ts";
import type { TypedPassword } from "../passwords/confirm.ts";
import { isDeactivated } from "../realm/access.ts";
import { EMAIL, LDAP, methodNamed } from "../realm/methods-wire.ts";
import { isBot, isEmail } from "../rights/rules.ts";
import { attemptKeyFor } from "../sessions/known-browsers.ts";
import { passwordMark } from "../two-factor/challenge.ts";
import { loggingErrors } from "../security-log/log.ts";
import { checkNewMember, type Identity, joinVerified } from "./complete.ts";

const NAME_LENGTH_MAX = 256;

/**
 * Tries the stored password first, then the directory, so that users with a stored password can
 * sign in while the directory is unreachable. Reveals nothing about an account, not even by its
 * response time.
 */
export function identityByPassword(realm: Realm, typed: TypedPassword): Promise<Identity> {
  const user = realm.read.users.findBy("email", foldedAddress(typed.username.trim()));
  const details = { user_id: user?.user_id, address: typed.address };
  return loggingErrors(realm, "a sign-in", details, () => identityFromPassword(realm, typed));
}

async function identityFromPassword(realm: Realm, typed: TypedPassword): Promise<Identity> {
  const { read } = realm;
  if (!read.realm.has(1)) throw noOrganizationHere();
  if (isDeactivated(read)) throw signInRealmDeactivated();
  const isKeptHere = methodNamed(read, EMAIL) !== undefined;
  const directory = methodNamed(read, LDAP) && directoryOf(realm);
  if (!isKeptHere && !directory) throw passwordSignInOff();
  const name = foldedAddress(typed.username.trim());
  if (!directory && !isEmail(name)) throw emailNotAnAddress();
  if (name.length > NAME_LENGTH_MAX || !isUnmistakable(name)) throw signInFailed();
  const browserKey = typed.request && attemptKeyFor(realm, typed.request, name);
  const counted = await attemptPassword(realm, name, typed.address, browserKey);

  const own = isKeptHere ? await byOwnPassword(realm, name, typed.password) : undefined;
  const identity = own ?? (directory && (await byDirectory(realm, directory, typed)));
  if (identity === undefined) throw signInFailed();
  if (read.users.findBy("email", foldedAddress(identity.email))?.is_active === false) {
    throw signInDeactivated();
  }
  counted.succeeded();
  return identity;
}

async function byOwnPassword(
  realm: Realm,
  name: string,
  password: string,
): Promise<Identity | undefined> {
  if (!isEmail(name)) return undefined;
  const { read } = realm;
  const user = read.users.findBy("email", foldedAddress(name));
  const hash = user && read.passwords.get(user.user_id)?.hash;
  if (!(await verifyPassword(password, hash))) return undefined;
  // The password may have been changed during the verification.
  if (read.passwords.get(user!.user_id)?.hash !== hash) return undefined;
  if (hash !== undefined && isOutdated(hash)) await rehash(realm, user!.user_id, hash, password);
  const mark = passwordMark(read, user!.user_id);
  return { email: user!.delivery_email, method: EMAIL, password: mark };
}

/** Replaces an imported hash, now that the password is known. */
async function rehash(
  realm: Realm,
  user_id: number,
  before: string,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password);
  await realm.write((tx) => {
    if (tx.passwords.get(user_id)?.hash === before) tx.passwords.put({ user_id, hash });
  });
}

async function byDirectory(
  { config }: Realm,
  directory: Directory,
  { username, password }: TypedPassword,
): Promise<Identity | undefined> {
  const person = await directory.person(username, password);
  if (person === undefined) return undefined;
  const { email = "", full_name } = person;
  if (!isEmail(email)) throw directoryNamesNoAddress();
  const { auto_signup = false } = config.ldap ?? {};
  return { email, full_name, method: LDAP, username: username.trim(), auto_signup };
}

/** For clients without a page: a new user gets an account immediately, or must use a browser. */
export async function userByPassword(realm: Realm, typed: TypedPassword): Promise<User> {
  const identity = await identityByPassword(realm, typed);
  const { email, full_name = "", auto_signup } = identity;
  const user = realm.read.users.findBy("email", foldedAddress(email));
  if (user && !isBot(user)) return user;
  checkNewMember(realm.read, email);
  if (!auto_signup) throw joinByBrowser(email);
  const joinedUser = realm.write((tx) => joinVerified(tx, { email, full_name }));
  return joinedUser.catch((error: unknown) => {
    throw error instanceof Refusal ? joinByBrowser(email) : error;
  });
}
