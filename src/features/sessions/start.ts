// Starts a browser session after any kind of sign-in, and returns its cookies.
import type { Realm, Writer } from "../../realm.ts";
import type { Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { cookie } from "../../server/caller/cookies.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";
import {
  csrfTokenOf,
  inSession,
  isOwnForm,
  SESSION_SECONDS_MAX,
  sessionTokenOf,
} from "../../server/caller/session.ts";
import { csrfCookie } from "../pages/form.ts";
import { isDeactivated } from "../realm/access.ts";
import { EMAIL, methodNamed } from "../realm/methods-wire.ts";
import { endSession, startSession } from "./actions.ts";
import { knownBrowserCookie } from "./known-browsers.ts";

/** The sign-in method that the session stores. */
export type SignInMethod = Pick<Session, "method" | "username">;

/** The request of the browser. */
interface BrowserRequest {
  readonly realm: Realm;
  readonly request: Request;
}

/** Returns the cookies. Ends the browser's previous session. */
export function beginSession(
  tx: Writer,
  { realm, request }: BrowserRequest,
  user: User,
  { method, username }: SignInMethod,
): string[] {
  const previousToken = sessionTokenOf(realm, request);
  const previousSession =
    previousToken === undefined
      ? undefined
      : tx.sessions.findBy("hash", hashOfSecret(previousToken));
  if (previousSession) endSession(tx, previousSession);
  const user_agent = request.headers.get("user-agent") ?? "";
  const token = startSession(tx, user, { user_agent, method, username });
  const written = { value: token, seconds: SESSION_SECONDS_MAX };
  return [
    cookie(realm, request, "sessionid", written),
    csrfCookie(realm, request, csrfTokenOf(token)),
    knownBrowserCookie(realm, request, { user_id: user.user_id, username }),
  ];
}

/**
 * After creating an account with a password. Returns undefined if the user must sign in separately:
 * for forms sent from other sites, which could sign a visitor in to an attacker's account, and for
 * users who are already signed in.
 */
export function beginFirstSession(
  tx: Writer,
  browserRequest: BrowserRequest,
  user: User,
): string[] | undefined {
  const { realm, request } = browserRequest;
  if (!isOwnForm(realm, request) || inSession(tx, request)) return undefined;
  if (isDeactivated(tx) || !methodNamed(tx, EMAIL)) return undefined;
  return beginSession(tx, browserRequest, user, { method: EMAIL });
}

/** Cookies that remove a session from the browser. */
export function signedOutCookies({ realm, request }: BrowserRequest): string[] {
  const expiredCookie = { value: "", seconds: 0 };
  return [
    cookie(realm, request, "sessionid", expiredCookie),
    cookie(realm, request, "csrftoken", { ...expiredCookie, isForScripts: true }),
  ];
}
