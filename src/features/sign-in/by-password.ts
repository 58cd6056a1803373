// Finding out whose name and password these are, for the sign-in page and for apps alike.
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
import { type Directory, directoryOf } from "../passwords/directory.ts";
import { verifyPassword } from "../passwords/hash.ts";
import type { Typed } from "../passwords/own.ts";
import { isClosed } from "../realm/access.ts";
import { EMAIL, LDAP, methodNamed } from "../realm/methods-wire.ts";
import { isBot, isEmail } from "../rights/rules.ts";
import { knownFor } from "../sessions/known.ts";
import { passwordMark } from "../two-factor/ask.ts";
import { noting } from "../watch/note.ts";
import { checkNewcomer, type Identity, joinVouched } from "./complete.ts";

const NAME_LENGTH_MAX = 256;

/**
 * The password that is kept here is tried first, and then the directory's: so who has one here gets
 * in while the directory is away. Says nothing about an account, not even by its time, to who knows
 * neither.
 */
export function identityByPassword(realm: Realm, typed: Typed): Promise<Identity> {
  const user = realm.read.users.one("email", foldedAddress(typed.username.trim()));
  const noted = { user_id: user?.user_id, address: typed.address };
  return noting(realm, "a sign-in", noted, () => identified(realm, typed));
}

async function identified(realm: Realm, typed: Typed): Promise<Identity> {
  const { read } = realm;
  if (!read.realm.has(1)) throw noOrganizationHere();
  if (isClosed(read)) throw signInRealmDeactivated();
  const isKeptHere = methodNamed(read, EMAIL) !== undefined;
  const directory = methodNamed(read, LDAP) && directoryOf(realm);
  if (!isKeptHere && !directory) throw passwordSignInOff();
  const name = foldedAddress(typed.username.trim());
  if (!directory && !isEmail(name)) throw emailNotAnAddress();
  if (name.length > NAME_LENGTH_MAX || !isUnmistakable(name)) throw signInFailed();
  const known = typed.request && knownFor(realm, typed.request, name);
  const counted = await attemptPassword(realm, name, typed.address, known);

  const own = isKeptHere ? await byOwnPassword(realm, name, typed.password) : undefined;
  const identity = own ?? (directory && (await byDirectory(realm, directory, typed)));
  if (identity === undefined) throw signInFailed();
  if (read.users.one("email", foldedAddress(identity.email))?.is_active === false) {
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
  const user = read.users.one("email", foldedAddress(name));
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
  const { auto_signup = false } = config.ldap ?? {};
  return { email, full_name, method: LDAP, username: username.trim(), auto_signup };
}

/** For who is not at a page: a newcomer gets an account at once, or is sent to a browser. */
export async function userByPassword(realm: Realm, typed: Typed): Promise<User> {
  const identity = await identityByPassword(realm, typed);
  const { email, full_name = "", auto_signup } = identity;
  const user = realm.read.users.one("email", foldedAddress(email));
  if (user && !isBot(user)) return user;
  checkNewcomer(realm.read, email);
  if (!auto_signup) throw joinByBrowser(email);
  const joined = realm.write((tx) => joinVouched(tx, { email, full_name }));
  return joined.catch((error: unknown) => {
    throw error instanceof Refusal ? joinByBrowser(email) : error;
  });
}
