// Completes every sign-in: checks the rules, then creates a session or an API key.
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
import { hashOfSecret } from "../../server/caller/secrets.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { recordFirstSignIn } from "../accounts/first-sign-in.ts";
import { invitationOf } from "../invitations/access.ts";
import { joinByInvitation, signUp } from "../invitations/join.ts";
import { newApiKey } from "../keys/actions.ts";
import { browserOf, notifyOfSignIn } from "../email-delivery/new-sign-ins.ts";
import { signInPage } from "../pages/form.ts";
import {
  appAddress,
  checkRedirect,
  invitationKeyOf,
  type LoginRedirect,
  redirect,
  redirectOf,
  safeNext,
} from "../pages/login-redirect.ts";
import { isDeactivated } from "../realm/access.ts";
import { checkAddress } from "../realm/addresses.ts";
import { type Method, methodNamed } from "../realm/methods-wire.ts";
import { isBot } from "../rights/rules.ts";
import { issueTicket } from "../secrets/one-time-links.ts";
import { beginSession, type SignInMethod } from "../sessions/start.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { hasSecondFactor } from "../two-factor/access.ts";
import { askSecondFactor, passwordMark } from "../two-factor/challenge.ts";
import { loggingErrors } from "../security-log/log.ts";
import { askForKeyConsent } from "./key-consent.ts";

/** The user's identity, as the sign-in method has proved it. */
export interface Identity {
  readonly email: string;
  /** Suggested name for a new user. */
  readonly full_name?: string | undefined;
  /** The name of a sign-in method in methods.ts. */
  readonly method: string;
  /** A new user is not asked for a name if the suggested one is valid. */
  readonly auto_signup?: boolean;
  /** The user name for the directory. */
  readonly username?: string;
  /** Identifies the password that was verified; if it changes before the end, the sign-in fails. */
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
  const user = realm.read.users.findBy("email", foldedAddress(identity.email.trim()));
  const details = { user_id: user?.user_id, address, method };
  try {
    return await loggingErrors(realm, "a sign-in", details, () =>
      signedInResponse(context, identity, loginRedirect),
    );
  } catch (error) {
    return signInErrorPage(context, loginRedirect, error, identity.username);
  }
}

/** The sign-in page with the error; other errors are thrown. */
export function signInErrorPage(
  context: SignInContext,
  loginRedirect: LoginRedirect,
  error: unknown,
  username = "",
): Response {
  if (!(error instanceof Refusal) || !context.realm.read.realm.has(1)) throw error;
  const { status } = error;
  return signInPage(context, loginRedirect, { username, refusal: error, status });
}

async function signedInResponse(
  context: SignInContext,
  identity: Identity,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { read } = context.realm;
  checkOpen(read);
  checkRedirect(loginRedirect);
  const method = methodNamed(read, identity.method);
  if (method === undefined) throw signInMethodOff();
  const user = read.users.findBy("email", foldedAddress(identity.email.trim()));
  if (user === undefined || isBot(user))
    return signUpOrReject(context, identity, method, loginRedirect);
  if (!user.is_active) throw signInDeactivated();
  if (method.byPassword && hasSecondFactor(read, user.user_id)) {
    return askSecondFactor(context, user, identity, redirectOf(loginRedirect));
  }
  const accessUser = (tx: Writer) => {
    const { password } = identity;
    if (password !== undefined && passwordMark(tx, user.user_id) !== password) throw signInFailed();
    return user.user_id;
  };
  return signInVerified(context, accessUser, identity, loginRedirect);
}

export function checkOpen(reader: Reader): void {
  if (!reader.realm.has(1)) throw noOrganizationHere();
  if (isDeactivated(reader)) throw signInRealmDeactivated();
}

/**
 * Signs in a user who has passed all checks: `accessUser` returns the user's id or throws. An app
 * gets its key only by this server's form, which no other site can submit.
 */
export async function signInVerified(
  { realm, request, address }: SignInContext,
  accessUser: (tx: Writer) => number,
  { method, username }: SignInMethod,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { mobile_flow_otp } = loginRedirect;
  return realm.write((tx) => {
    checkOpen(tx);
    const user = tx.users.get(accessUser(tx));
    if (!user?.is_active) throw signInDeactivated();

    if (mobile_flow_otp !== undefined && request.method === "GET") {
      return askForKeyConsent({ realm, request }, tx, user, { method, username, loginRedirect });
    }
    const user_agent = request.headers.get("user-agent") ?? "";
    notifyOfSignIn(realm, tx, user, {
      client: browserOf(user_agent, userTranslator(user)),
      address,
    });
    recordFirstSignIn(tx, user);
    if (mobile_flow_otp !== undefined)
      return redirect(appAddress(loginRedirect, keyResponse(tx, user)), []);
    const cookies = beginSession(tx, { realm, request }, user, { method, username });
    return redirect(safeNext(realm.config.url, loginRedirect.next), cookies);
  });
}

const APP_CLIENT = "app";

function keyResponse(tx: Writer, user: User) {
  const { user_id, delivery_email: email } = user;
  return { api_key: newApiKey(tx, user, APP_CLIENT), email, user_id, realm: tx.config.url };
}

export const NEW_MEMBER = "newcomer";

/** Data of a ticket for creating an account. */
export interface VerifiedTicket {
  readonly email: string;
  readonly full_name: string;
  readonly method: string;
  readonly username?: string | undefined;
  readonly loginRedirect: LoginRedirect;
}

/** Users without an account can create one, if the organization accepts new users. */
export async function signUpOrReject(
  context: SignInContext,
  { email: value, full_name = "", method: name, username, auto_signup = false }: Identity,
  method: Pick<Method, "makesAccounts">,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const { realm } = context;
  const email = value.trim();
  if (!method.makesAccounts) throw noAccountYet(email);
  checkNewMember(realm.read, email, loginRedirect);

  if (auto_signup) {
    const accessUser = (tx: Writer) =>
      joinVerified(tx, { email, full_name }, loginRedirect).user_id;
    const entered = await signInVerified(
      context,
      accessUser,
      { method: name, username },
      loginRedirect,
    ).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    if (entered) return entered;
  }
  const confirmedByProvider: VerifiedTicket = {
    email,
    full_name,
    method: name,
    username,
    loginRedirect: redirectOf(loginRedirect),
  };
  const token = await realm.write((tx) => issueTicket(tx, NEW_MEMBER, confirmedByProvider));
  return redirect(`/accounts/join/${token}/`, []);
}

/** Throws if the organization does not accept the user. */
export function checkNewMember(
  reader: Reader,
  email: string,
  loginRedirect: LoginRedirect = {},
): void {
  checkAddress(reader, email);
  const isFree = !reader.settings.invite_required;
  if (!isFree && !invitationFor(reader, email, loginRedirect)) throw noAccountYet(email);
}

/** Creates the account for a verified address, with the user's invitation if there is one. */
export function joinVerified(
  tx: Writer,
  identity: { email: string; full_name: string },
  loginRedirect: LoginRedirect = {},
): User {
  const invitation = invitationFor(tx, identity.email, loginRedirect);
  return invitation ? joinByInvitation(tx, invitation.hash, identity) : signUp(tx, identity);
}

/** An open invitation to this address, or the invitation link that the user followed. */
function invitationFor(
  reader: Reader,
  email: string,
  loginRedirect: LoginRedirect,
): Invitation | undefined {
  const all = reader.invitations.listBy("email", foldedAddress(email));
  const own = all.find(({ hash }) => invitationOf(reader, hash));
  const key = invitationKeyOf(loginRedirect);
  if (own || key === undefined) return own;
  const followed = invitationOf(reader, hashOfSecret(key));
  return followed?.kind === "link" ? followed : undefined;
}
