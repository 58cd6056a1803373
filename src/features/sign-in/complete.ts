// The end of every sign-in, whichever way the person came: the rules, then a session or a key.
import { Refusal } from "../../contract/errors/general.ts";
import {
  noAccountYet,
  noOrganizationHere,
  signInDeactivated,
  signInFailed,
  signInMethodOff,
} from "../../contract/errors/people.ts";
import { signInRealmDeactivated } from "../../contract/errors/realm.ts";
import type { OpenContext } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { arrive } from "../accounts/arrival.ts";
import { invitationOf } from "../invitations/access.ts";
import { joinByInvitation, signUp } from "../invitations/join.ts";
import { newApiKey } from "../keys/actions.ts";
import { browserOf, tellOfSignIn } from "../letters/sign-ins.ts";
import { signInPage } from "../pages/form.ts";
import {
  appAddress,
  checkRedirect,
  joiningKey,
  type LoginRedirect,
  redirect,
  redirectOf,
  safeNext,
} from "../pages/login-redirect.ts";
import { isClosed } from "../realm/access.ts";
import { checkAddress } from "../realm/addresses.ts";
import { type Method, methodNamed } from "../realm/methods-wire.ts";
import { isBot } from "../rights/rules.ts";
import { hashOfKey } from "../secrets/random.ts";
import { issueTicket } from "../secrets/tickets.ts";
import { beginSession, type Way } from "../sessions/begin.ts";
import { speechTo } from "../speech/choose.ts";
import { hasSecondFactor } from "../two-factor/access.ts";
import { askSecondFactor, passwordMark } from "../two-factor/ask.ts";
import { noting } from "../watch/note.ts";
import { askToHandOver } from "./hand-over.ts";

/** The user's identity, as the sign-in method has proved it. */
export interface Identity {
  readonly email: string;
  /** Proposed to a newcomer as their name. */
  readonly full_name?: string | undefined;
  /** The name of a method of methods.ts. */
  readonly method: string;
  /** A newcomer is not asked for their name, if the one that is proposed will do. */
  readonly auto_signup?: boolean;
  /** The name that was entered for the directory. */
  readonly username?: string;
  /** The mark of the password that was given: if it is another by the end, nobody is let in. */
  readonly password?: string;
}

export type SignInContext = Pick<OpenContext, "realm" | "request" | "address">;

/** Completes a sign-in. Errors are displayed on the sign-in page and never thrown. */
export async function completeSignIn(
  context: SignInContext,
  identity: Identity,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { realm, address } = context;
  const { method } = identity;
  const user = realm.read.users.one("email", foldedAddress(identity.email.trim()));
  const noted = { user_id: user?.user_id, address, method };
  try {
    return await noting(realm, "a sign-in", noted, () =>
      completed(context, identity, loginRedirect),
    );
  } catch (error) {
    return refusedPage(context, loginRedirect, error, identity.username);
  }
}

/** The sign-in page, which says why not; of another error, the error. */
export function refusedPage(
  context: SignInContext,
  loginRedirect: LoginRedirect,
  error: unknown,
  username = "",
): Response {
  if (!(error instanceof Refusal) || !context.realm.read.realm.has(1)) throw error;
  const { status } = error;
  return signInPage(context, loginRedirect, { username, refusal: error, status });
}

async function completed(
  context: SignInContext,
  identity: Identity,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { read } = context.realm;
  checkOpen(read);
  checkRedirect(loginRedirect);
  const method = methodNamed(read, identity.method);
  if (method === undefined) throw signInMethodOff();
  const user = read.users.one("email", foldedAddress(identity.email.trim()));
  if (user === undefined || isBot(user)) return newcomer(context, identity, method, loginRedirect);
  if (!user.is_active) throw signInDeactivated();
  if (method.byPassword && hasSecondFactor(read, user.user_id)) {
    return askSecondFactor(context, user, identity, redirectOf(loginRedirect));
  }
  const admit = (tx: Writer) => {
    const { password } = identity;
    if (password !== undefined && passwordMark(tx, user.user_id) !== password) throw signInFailed();
    return user.user_id;
  };
  return enter(context, admit, identity, loginRedirect);
}

export function checkOpen(reader: Reader): void {
  if (!reader.realm.has(1)) throw noOrganizationHere();
  if (isClosed(reader)) throw signInRealmDeactivated();
}

/**
 * Lets somebody in who has shown all that is asked for: `admit` says whom, or refuses. An app gets
 * its key by a form of ours alone, which no page of another site can send.
 */
export async function enter(
  { realm, request, address }: SignInContext,
  admit: (tx: Writer) => number,
  { method, username }: Way,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { mobile_flow_otp } = loginRedirect;
  return realm.write((tx) => {
    checkOpen(tx);
    const user = tx.users.get(admit(tx));
    if (!user?.is_active) throw signInDeactivated();

    if (mobile_flow_otp !== undefined && request.method === "GET") {
      return askToHandOver({ realm, request }, tx, user, { method, username, loginRedirect });
    }
    const user_agent = request.headers.get("user-agent") ?? "";
    tellOfSignIn(realm, tx, user, { client: browserOf(user_agent, speechTo(user)), address });
    arrive(tx, user);
    if (mobile_flow_otp !== undefined)
      return redirect(appAddress(loginRedirect, handed(tx, user)), []);
    const cookies = beginSession(tx, { realm, request }, user, { method, username });
    return redirect(safeNext(realm.config.url, loginRedirect.next), cookies);
  });
}

const APP_CLIENT = "app";

function handed(tx: Writer, user: User) {
  const { user_id, delivery_email: email } = user;
  return { api_key: newApiKey(tx, user, APP_CLIENT), email, user_id, realm: tx.config.url };
}

export const NEWCOMER = "newcomer";

/** Data of a ticket for creating an account. */
export interface Vouched {
  readonly email: string;
  readonly full_name: string;
  readonly method: string;
  readonly username?: string | undefined;
  readonly loginRedirect: LoginRedirect;
}

/** Users without an account can create one, if the organization accepts new users. */
export async function newcomer(
  context: SignInContext,
  { email: given, full_name = "", method: name, username, auto_signup = false }: Identity,
  method: Pick<Method, "makesAccounts">,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { realm } = context;
  const email = given.trim();
  if (!method.makesAccounts) throw noAccountYet(email);
  checkNewcomer(realm.read, email, loginRedirect);

  if (auto_signup) {
    const admit = (tx: Writer) => joinVouched(tx, { email, full_name }, loginRedirect).user_id;
    const entered = await enter(context, admit, { method: name, username }, loginRedirect).catch(
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    );
    if (entered) return entered;
  }
  const vouched: Vouched = {
    email,
    full_name,
    method: name,
    username,
    loginRedirect: redirectOf(loginRedirect),
  };
  const token = await realm.write((tx) => issueTicket(tx, NEWCOMER, vouched));
  return redirect(`/accounts/join/${token}/`, []);
}

/** Refuses whom the organization does not take. */
export function checkNewcomer(
  reader: Reader,
  email: string,
  loginRedirect: LoginRedirect = {},
): void {
  checkAddress(reader, email);
  const isFree = !reader.settings.invite_required;
  if (!isFree && !invitationTo(reader, email, loginRedirect)) throw noAccountYet(email);
}

/** The account of somebody whose address is vouched for: by their invitation, if they have one. */
export function joinVouched(
  tx: Writer,
  wanted: { email: string; full_name: string },
  loginRedirect: LoginRedirect = {},
): User {
  const invitation = invitationTo(tx, wanted.email, loginRedirect);
  return invitation ? joinByInvitation(tx, invitation.hash, wanted) : signUp(tx, wanted);
}

/** An open invitation to this address, or else the link for many that the person followed. */
function invitationTo(
  reader: Reader,
  email: string,
  loginRedirect: LoginRedirect,
): Invitation | undefined {
  const all = reader.invitations.by("email", foldedAddress(email));
  const own = all.find(({ hash }) => invitationOf(reader, hash));
  const key = joiningKey(loginRedirect);
  if (own || key === undefined) return own;
  const followed = invitationOf(reader, hashOfKey(key));
  return followed?.kind === "link" ? followed : undefined;
}
