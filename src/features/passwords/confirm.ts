// Asks a signed-in user for the password again.
import { accountDeactivated } from "../../contract/errors/general.ts";
import { noSession, ownPasswordWrong, signInTooOld } from "../../contract/errors/people.ts";
import type { Context } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { EMAIL, LDAP, methodNamed } from "../realm/methods-wire.ts";
import { logRefusal } from "../security-log/log.ts";
import { attemptPassword } from "./attempts.ts";
import { type Directory, directoryOf } from "./ldap.ts";
import { verifyPassword } from "./hash.ts";

export interface TypedPassword {
  readonly username: string;
  readonly password: string;
  /** The network address that the request comes from. */
  readonly address: string;
  /** The request, if a browser sent it. */
  readonly request?: Request;
}

/** The signed-in user, and how they signed in. */
export type SignedInContext = Pick<Context, "realm" | "user" | "session">;
type ConfirmingContext = Pick<Context, "realm" | "user" | "session" | "key" | "address">;

/** Returns the current user. */
type Confirmed = (reader: Reader) => User;

/** Maximum age of a sign-in that replaces entering a password. */
export const SIGN_IN_RECENT_SECONDS = 600;

/**
 * Verifies the user before actions that could give permanent access: the password, as on the
 * sign-in page, or for users without one a very recent sign-in. An API key alone does not suffice.
 * The transaction of the action must call the result first: it reads the user again, and throws if
 * the user was signed out or the password changed while it was verified.
 */
export async function checkOwnPassword(
  context: ConfirmingContext,
  password: string,
): Promise<Confirmed> {
  const { realm, user, session, key, address } = context;
  const { read } = realm;
  const hash = storedHash(read, user.user_id);
  const confirmed = (reader: Reader) => accessConfirmed(reader, context, hash);
  const directory = methodNamed(read, LDAP) && directoryOf(realm);
  const canVerify = hash !== undefined || directory !== undefined;
  if (!canVerify || (password === "" && !hasPassword(context))) {
    if (!isRecent(context)) throw signInTooOld();
    return confirmed;
  }
  const name = foldedAddress(user.delivery_email);
  const credential = session ? `session ${session.session_id}` : key && `key ${key.key_id}`;
  const counted = await attemptPassword(realm, name, address, credential);
  const isStoredHere = hash !== undefined && (await verifyPassword(password, hash));
  if (!isStoredHere && !(directory && (await isListed(directory, context, password)))) {
    const details = { user_id: user.user_id, address };
    logRefusal(realm, "the password once more", details, ownPasswordWrong());
    throw ownPasswordWrong();
  }
  counted.succeeded();
  return confirmed;
}

function accessConfirmed(
  reader: Reader,
  { user: { user_id }, session, key }: ConfirmingContext,
  hash: string | undefined,
): User {
  const user = reader.users.get(user_id);
  if (!user?.is_active) throw accountDeactivated();
  const isSignedIn = session
    ? reader.sessions.has(session.session_id)
    : key && reader.api_keys.has(key.key_id);
  if (!isSignedIn) throw noSession();
  if (storedHash(reader, user_id) !== hash) throw ownPasswordWrong();
  return user;
}

/** Like `checkOwnPassword`, but accepts a recent sign-in. */
export async function checkRecentSignIn(
  context: ConfirmingContext,
  password: string,
): Promise<Confirmed> {
  if (password !== "" || !isRecent(context)) return checkOwnPassword(context, password);
  const hash = storedHash(context.realm.read, context.user.user_id);
  return (reader) => accessConfirmed(reader, context, hash);
}

/** Whether the user signs in with a password. */
export function hasPassword({ realm, user, session }: SignedInContext): boolean {
  const { read } = realm;
  if (storedHash(read, user.user_id) !== undefined) return true;
  return session?.method === LDAP && methodNamed(read, LDAP) !== undefined;
}

function isRecent({ realm, session }: Pick<ConfirmingContext, "realm" | "session">): boolean {
  return session !== undefined && realm.read.now - session.created < SIGN_IN_RECENT_SECONDS;
}

function storedHash(reader: Reader, user_id: number): string | undefined {
  return methodNamed(reader, EMAIL) && reader.passwords.get(user_id)?.hash;
}

/** Whether the directory accepts the password for the account's email address. */
async function isListed(
  directory: Directory,
  { user, session }: ConfirmingContext,
  password: string,
): Promise<boolean> {
  const username = session?.username ?? user.delivery_email;
  const { email } = (await directory.person(username, password)) ?? {};
  return email !== undefined && foldedAddress(email) === foldedAddress(user.delivery_email);
}
