// A browser's session begins, whichever way the person came: the cookies that the browser is given.
import type { Realm, Writer } from "../../realm.ts";
import type { Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { cookie } from "../../server/asker/cookies.ts";
import {
  csrfTokenOf,
  hashOfToken,
  inSession,
  isOwnForm,
  SESSION_SECONDS_MAX,
  sessionTokenOf,
} from "../../server/asker/session.ts";
import { csrfCookie } from "../pages/form.ts";
import { isClosed } from "../realm/access.ts";
import { EMAIL, methodNamed } from "../realm/methods-wire.ts";
import { endSession, startSession } from "./actions.ts";
import { knownCookie } from "./known.ts";

/** How somebody has come in, as the session remembers it. */
export type Way = Pick<Session, "method" | "username">;

/** The browser that asks. */
interface Asking {
  readonly realm: Realm;
  readonly request: Request;
}

/** Gives the cookies; the session that the browser had before ends. */
export function beginSession(
  tx: Writer,
  { realm, request }: Asking,
  user: User,
  { method, username }: Way,
): string[] {
  const old = sessionTokenOf(realm, request);
  const left = old === undefined ? undefined : tx.sessions.one("hash", hashOfToken(old));
  if (left) endSession(tx, left);
  const user_agent = request.headers.get("user-agent") ?? "";
  const token = startSession(tx, user, { user_agent, method, username });
  const written = { value: token, seconds: SESSION_SECONDS_MAX };
  return [
    cookie(realm, request, "sessionid", written),
    csrfCookie(realm, request, csrfTokenOf(token)),
    knownCookie(realm, request, { user_id: user.user_id, username }),
  ];
}

/**
 * For who has just made this account, with a password: undefined where they have to sign in. Where
 * another site sends the form nobody is let in, as what they write then would be for others to
 * read; and who is signed in already stays so.
 */
export function beginFirstSession(tx: Writer, asking: Asking, user: User): string[] | undefined {
  const { realm, request } = asking;
  if (!isOwnForm(realm, request) || inSession(tx, request)) return undefined;
  if (isClosed(tx) || !methodNamed(tx, EMAIL)) return undefined;
  return beginSession(tx, asking, user, { method: EMAIL });
}

/** A browser that has no session any more. */
export function leavingCookies({ realm, request }: Asking): string[] {
  const gone = { value: "", seconds: 0 };
  return [
    cookie(realm, request, "sessionid", gone),
    cookie(realm, request, "csrftoken", { ...gone, isForScripts: true }),
  ];
}
