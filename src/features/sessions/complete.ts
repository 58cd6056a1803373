// The end of every sign-in, whichever way the person came: the rules, then a session or a key.
import type { OpenContext } from "../../endpoint.ts";
import {
  noAccountYet,
  noOrganizationHere,
  signInDeactivated,
  signInFailed,
  signInMethodOff,
} from "../../errors-people.ts";
import { signInRealmDeactivated } from "../../errors-realm.ts";
import { Refusal } from "../../errors.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Invitation } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { cookie } from "../../server/cookies.ts";
import {
  csrfTokenOf,
  hashOfToken,
  SESSION_SECONDS_MAX,
  sessionTokenOf,
} from "../../server/session.ts";
import { askSecondFactor, passwordMark } from "../factors/ask.ts";
import { hasSecondFactor } from "../factors/access.ts";
import { invitationOf } from "../invitations/access.ts";
import { joinByInvitation, signUp } from "../invitations/join.ts";
import { newApiKey } from "../keys/actions.ts";
import { hashOfKey } from "../keys/random.ts";
import { browserOf, tellOfSignIn } from "../mail/sign-ins.ts";
import { isClosed } from "../realm/access.ts";
import { checkAddress } from "../realm/addresses.ts";
import { issueTicket } from "../realm/tickets.ts";
import { arrive } from "../users/arrival.ts";
import { isBot } from "../users/rules.ts";
import { endSession, startSession } from "./actions.ts";
import { csrfCookie, signInPage, wordsOf } from "./form.ts";
import { appAddress, checkGoing, type Going, goingOf, joiningKey, safeNext } from "./going.ts";
import { type Method, methodNamed } from "./methods.ts";

/** Who somebody is, as the way by which they came vouches for. */
export interface Identity {
  readonly email: string;
  /** Proposed to a newcomer as their name. */
  readonly full_name?: string | undefined;
  /** The name of a method of methods.ts. */
  readonly method: string;
  /** A newcomer is not asked for their name, if the one that is proposed will do. */
  readonly auto_signup?: boolean;
  /** The mark of the password that was given: if it is another by the end, nobody is let in. */
  readonly password?: string;
}

export type Asked = Pick<OpenContext, "realm" | "request" | "address">;

/** What is refused is told on the sign-in page: nothing is thrown that a client caused. */
export async function completeSignIn(
  context: Asked,
  identity: Identity,
  going: Going,
): Promise<Response> {
  try {
    return await completed(context, identity, going);
  } catch (error) {
    return refusedPage(context, going, error);
  }
}

/** The sign-in page, which says why not; of another error, the error. */
export function refusedPage(context: Asked, going: Going, error: unknown, username = ""): Response {
  if (!(error instanceof Refusal) || !context.realm.read.realm.has(1)) throw error;
  const { status } = error;
  return signInPage(context, going, { username, refusal: wordsOf(error), status });
}

async function completed(context: Asked, identity: Identity, going: Going): Promise<Response> {
  const { read } = context.realm;
  checkOpen(read);
  checkGoing(going);
  const method = methodNamed(read, identity.method);
  if (method === undefined) throw signInMethodOff();
  const user = read.users.one("email", identity.email.trim().toLowerCase());
  if (user === undefined || isBot(user)) return newcomer(context, identity, method, going);
  if (!user.is_active) throw signInDeactivated();
  if (method.byPassword && hasSecondFactor(read, user.user_id)) {
    return askSecondFactor(context, user, method.name, goingOf(going));
  }
  const admit = (tx: Writer) => {
    const { password } = identity;
    if (password !== undefined && passwordMark(tx, user.user_id) !== password) throw signInFailed();
    return user.user_id;
  };
  return enter(context, admit, method.name, going);
}

export function checkOpen(reader: Reader): void {
  if (!reader.realm.has(1)) throw noOrganizationHere();
  if (isClosed(reader)) throw signInRealmDeactivated();
}

/** Lets somebody in who has shown all that is asked for: `admit` says whom, or refuses. */
export async function enter(
  { realm, request, address }: Asked,
  admit: (tx: Writer) => number,
  method: string,
  going: Going,
): Promise<Response> {
  const { mobile_flow_otp } = going;
  return realm.write((tx) => {
    checkOpen(tx);
    const user = tx.users.get(admit(tx));
    if (!user?.is_active) throw signInDeactivated();

    const user_agent = request.headers.get("user-agent") ?? "";
    tellOfSignIn(realm, tx, user, { client: browserOf(user_agent), address });
    arrive(tx, user);
    if (mobile_flow_otp !== undefined) return redirect(appAddress(going, handed(tx, user)), []);
    const old = sessionTokenOf(realm, request);
    const left = old === undefined ? undefined : tx.sessions.one("hash", hashOfToken(old));
    if (left) endSession(tx, left);
    const token = startSession(tx, user, { user_agent, method });
    return redirect(safeNext(realm.config.url, going.next), sessionCookies(realm, token));
  });
}

const APP_CLIENT = "app";

function handed(tx: Writer, user: User) {
  const { user_id, delivery_email: email } = user;
  return { api_key: newApiKey(tx, user, APP_CLIENT), email, user_id, realm: tx.config.url };
}

function sessionCookies(realm: Realm, token: string): string[] {
  const session = cookie(realm, "sessionid", { value: token, seconds: SESSION_SECONDS_MAX });
  return [session, csrfCookie(realm, csrfTokenOf(token))];
}

/** A browser that has no session any more. */
export function leavingCookies(realm: Realm): string[] {
  const gone = { value: "", seconds: 0 };
  return [
    cookie(realm, "sessionid", gone),
    cookie(realm, "csrftoken", { ...gone, isForScripts: true }),
  ];
}

export function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const one of cookies) headers.append("Set-Cookie", one);
  return new Response(null, { status: 302, headers });
}

export const NEWCOMER = "newcomer";

/** What a newcomer's ticket holds. */
export interface Vouched {
  readonly email: string;
  readonly full_name: string;
  readonly method: string;
  readonly going: Going;
}

/** Who has no account goes on to make one, where the organization takes them. */
export async function newcomer(
  context: Asked,
  { email: given, full_name = "", method: name, auto_signup = false }: Identity,
  method: Pick<Method, "makesAccounts">,
  going: Going,
): Promise<Response> {
  const { realm } = context;
  const email = given.trim();
  if (!method.makesAccounts) throw noAccountYet(email);
  checkNewcomer(realm.read, email, going);

  if (auto_signup) {
    const admit = (tx: Writer) => joinVouched(tx, { email, full_name }, going).user_id;
    const entered = await enter(context, admit, name, going).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    if (entered) return entered;
  }
  const vouched: Vouched = { email, full_name, method: name, going: goingOf(going) };
  const token = await realm.write((tx) => issueTicket(tx, NEWCOMER, vouched));
  return redirect(`/accounts/join/${token}/`, []);
}

/** Refuses whom the organization does not take. */
export function checkNewcomer(reader: Reader, email: string, going: Going = {}): void {
  checkAddress(reader, email);
  const isFree = !reader.settings.invite_required;
  if (!isFree && !invitationTo(reader, email, going)) throw noAccountYet(email);
}

/** The account of somebody whose address is vouched for: by their invitation, if they have one. */
export function joinVouched(
  tx: Writer,
  wanted: { email: string; full_name: string },
  going: Going = {},
): User {
  const invitation = invitationTo(tx, wanted.email, going);
  return invitation ? joinByInvitation(tx, invitation.hash, wanted) : signUp(tx, wanted);
}

/** An open invitation to this address, or else the link for many that the person followed. */
function invitationTo(reader: Reader, email: string, going: Going): Invitation | undefined {
  const all = reader.invitations.by("email", email.toLowerCase());
  const own = all.find(({ hash }) => invitationOf(reader, hash));
  const key = joiningKey(going);
  if (own || key === undefined) return own;
  const followed = invitationOf(reader, hashOfKey(key));
  return followed?.kind === "link" ? followed : undefined;
}
