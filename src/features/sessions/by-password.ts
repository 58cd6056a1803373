// Finding out whose name and password these are, for the sign-in page and for apps alike.
import {
  directoryNamesNoAddress,
  emailNotAnAddress,
  joinByBrowser,
  noOrganizationHere,
  passwordSignInOff,
  signInDeactivated,
  signInFailed,
} from "../../errors-people.ts";
import { signInRealmDeactivated } from "../../errors-realm.ts";
import { Refusal } from "../../errors.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { passwordMark } from "../factors/ask.ts";
import { type Directory, directoryOf } from "../ldap/directory.ts";
import { verifyPassword } from "../passwords/hash.ts";
import { isClosed } from "../realm/access.ts";
import { isBot, isEmail } from "../users/rules.ts";
import { attemptPassword } from "./attempts.ts";
import { checkNewcomer, type Identity, joinVouched } from "./complete.ts";
import { EMAIL, LDAP, methodNamed } from "./methods.ts";
import type { Typed } from "./password.ts";

const NAME_LENGTH_MAX = 256;

/**
 * The password that is kept here is tried first, and then the directory's: so who has one here gets
 * in while the directory is away. Says nothing about an account, not even by its time, to who knows
 * neither.
 */
export async function identityByPassword(realm: Realm, typed: Typed): Promise<Identity> {
  const { read } = realm;
  if (!read.realm.has(1)) throw noOrganizationHere();
  if (isClosed(read)) throw signInRealmDeactivated();
  const isKeptHere = methodNamed(read, EMAIL) !== undefined;
  const directory = methodNamed(read, LDAP) && directoryOf(realm);
  if (!isKeptHere && !directory) throw passwordSignInOff();
  const name = typed.username.trim().toLowerCase();
  if (!directory && !isEmail(name)) throw emailNotAnAddress();
  if (name.length > NAME_LENGTH_MAX) throw signInFailed();
  const counted = await attemptPassword(realm, name, typed.address);

  const own = isKeptHere ? await byOwnPassword(realm, name, typed.password) : undefined;
  const identity = own ?? (directory && (await byDirectory(realm, directory, typed)));
  if (identity === undefined) throw signInFailed();
  if (read.users.one("email", identity.email.toLowerCase())?.is_active === false) {
    throw signInDeactivated();
  }
  counted.succeeded();
  return identity;
}

async function byOwnPassword(
  { read }: Realm,
  name: string,
  password: string,
): Promise<Identity | undefined> {
  if (!isEmail(name)) return undefined;
  const user = read.users.one("email", name);
  const hash = user && read.passwords.get(user.user_id)?.hash;
  if (!(await verifyPassword(password, hash))) return undefined;
  // While it was verified, another one may have been set.
  if (read.passwords.get(user!.user_id)?.hash !== hash) return undefined;
  const mark = passwordMark(read, user!.user_id);
  return { email: user!.delivery_email, method: EMAIL, password: mark };
}

async function byDirectory(
  { config }: Realm,
  directory: Directory,
  { username, password }: Typed,
): Promise<Identity | undefined> {
  const person = await directory.person(username, password);
  if (person === undefined) return undefined;
  const { email = "", full_name } = person;
  if (!isEmail(email)) throw directoryNamesNoAddress();
  return { email, full_name, method: LDAP, auto_signup: config.ldap?.auto_signup ?? false };
}

/** For who is not at a page: a newcomer gets an account at once, or is sent to a browser. */
export async function userByPassword(realm: Realm, typed: Typed): Promise<User> {
  const identity = await identityByPassword(realm, typed);
  const { email, full_name = "", auto_signup } = identity;
  const user = realm.read.users.one("email", email.toLowerCase());
  if (user && !isBot(user)) return user;
  checkNewcomer(realm.read, email);
  if (!auto_signup) throw joinByBrowser(email);
  const joined = realm.write((tx) => joinVouched(tx, { email, full_name }));
  return joined.catch((error: unknown) => {
    throw error instanceof Refusal ? joinByBrowser(email) : error;
  });
}
