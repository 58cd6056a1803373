// Authenticates requests by session cookie.
import { createHmac } from "node:crypto";
import {
  csrfTokenMissing,
  csrfTokenWrong,
  noSession,
  originForeign,
  originMissing,
  sessionOfAnother,
} from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { cookieOf } from "./cookies.ts";
import { isSecure } from "./scheme.ts";
import { hashOfSecret, isSameSecret } from "./secrets.ts";

/** An unused session ends after this time. */
export const SESSION_IDLE_SECONDS = 14 * DAY_SECONDS;
/** Any session ends after this time. */
export const SESSION_SECONDS_MAX = 90 * DAY_SECONDS;
/** Minimum interval between updates of a session's last use. */
const LAST_USED_SECONDS = 3600;

/** The form field for the token that scripts send as `X-CSRFToken`. */
export const CSRF_FIELD = "csrfmiddlewaretoken";
const CSRF_PURPOSE = "csrf";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The header with which a page states its user, because all tabs of a browser share one cookie. */
export const PERSON_HEADER = "X-User-Id";

export interface InSession {
  readonly user: User;
  readonly session: Session;
}

export class SessionReader {
  private readonly touched = new Set<string>();

  constructor(private readonly onError: (error: unknown) => void) {}

  /** Like `inSession`, and records the use of the session. */
  identify(realm: Realm, request: Request): InSession | undefined {
    const session = inSession(realm.read, request);
    if (session) this.touch(realm, session.session);
    return session;
  }

  /** Does not delay the response. */
  private touch(realm: Realm, { session_id, hash, last_used }: Session) {
    const { now } = realm.read;
    if (now - last_used < LAST_USED_SECONDS || this.touched.has(hash)) return;
    this.touched.add(hash);
    realm
      .write((tx) => {
        const session = tx.sessions.get(session_id);
        if (session === undefined) return;
        const last = session.created + SESSION_SECONDS_MAX;
        const expires = Math.min(now + SESSION_IDLE_SECONDS, last);
        tx.sessions.put({ ...session, last_used: now, expires });
      })
      .catch(this.onError)
      .finally(() => this.touched.delete(hash));
  }
}

/** Returns undefined without a cookie or if its session has ended. */
export function inSession(reader: Reader, request: Request): InSession | undefined {
  const token = sessionTokenOf(reader, request);
  if (token === undefined) return undefined;
  const session = reader.sessions.findBy("hash", hashOfSecret(token));
  if (session === undefined || session.expires <= reader.now) return undefined;
  const user = reader.users.get(session.user_id);
  if (!user?.is_active || reader.deactivations.has(1)) return undefined;
  return { user, session };
}

/** Returns the token in the cookie, if it is well-formed. */
export function sessionTokenOf(realm: HasConfig, request: Request): string | undefined {
  const token = cookieOf(realm, request, "sessionid");
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/**
 * Returns the token that the session's own pages send beside the cookie, and that other sites
 * cannot know.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update(CSRF_PURPOSE).digest("base64url");
}

/** Returns the CSRF token of a browser without a session. */
export function csrfCookieOf(realm: HasConfig, request: Request): string | undefined {
  const token = cookieOf(realm, request, "csrftoken");
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Rejects requests that a page of another site may have caused. `value`: the token in the form. */
export function checkCsrf(realm: Realm, request: Request, value: string | undefined): void {
  if (SAFE_METHODS.has(request.method)) return;
  checkOrigin(realm, request);
  const session = sessionTokenOf(realm, request);
  const expected = session === undefined ? csrfCookieOf(realm, request) : csrfTokenOf(session);
  const text = request.headers.get("x-csrftoken") || value;
  if (!text || expected === undefined) throw csrfTokenMissing();
  if (!isSameSecret(text, expected)) throw csrfTokenWrong();
}

/** Rejects requests that a page sent for another user than the session's. */
export function checkPerson({ headers }: Request, session: InSession | undefined): void {
  const expectedUser = headers.get(PERSON_HEADER);
  if (expectedUser === null) return;
  if (session === undefined) throw noSession();
  if (expectedUser !== String(session.user.user_id)) throw sessionOfAnother();
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

type HasConfig = Pick<Realm, "config">;

/**
 * Whether the form was sent by a page of this server. Over HTTP, browsers send at most the page's
 * origin; a client that sends neither origin nor referrer is not a browser.
 */
export function isOwnForm(realm: HasConfig, request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && isOurs(realm, request, origin);
}

/**
 * Browsers send the origin with every request that changes something; over HTTPS, all do in one of
 * two headers.
 */
function checkOrigin(realm: Realm, request: Request): void {
  const origin = request.headers.get("origin");
  const referrer = request.headers.get("referer");
  if (origin !== null) {
    if (!isOurs(realm, request, origin)) throw originForeign();
  } else if (isSecure(realm, request)) {
    if (referrer === null) throw originMissing();
    if (!isOurs(realm, request, referrer)) throw originForeign();
  }
}

/** Whether the address is the public URL, or has the host that was requested. */
function isOurs(realm: HasConfig, request: Request, address: string): boolean {
  const url = URL.parse(address);
  const own = URL.parse(realm.config.url);
  const protocol = isSecure(realm, request) ? "https:" : own?.protocol;
  if (!url || url.protocol !== protocol) return false;
  return url.host === own?.host || url.host === request.headers.get("host");
}
