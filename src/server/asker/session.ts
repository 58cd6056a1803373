// Finds out who asks, by the session that a browser's cookie names.
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  csrfTokenMissing,
  csrfTokenWrong,
  noSession,
  originForeign,
  originUntold,
  sessionOfAnother,
} from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { cookieOf } from "./cookies.ts";
import { isSecure } from "./scheme.ts";

/** A session that nobody uses ends after these, */
export const SESSION_IDLE_SECONDS = 14 * DAY_SECONDS;
/** and every other after these. */
export const SESSION_SECONDS_MAX = 90 * DAY_SECONDS;
/** Uses that follow each other faster are noted as one. */
const LAST_USED_SECONDS = 3600;

/** How forms carry the token that scripts send as `X-CSRFToken`. */
export const CSRF_FIELD = "csrfmiddlewaretoken";
const CSRF_PURPOSE = "csrf";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** How a page says for whom it asks: all tabs of a browser share one session's cookie. */
export const PERSON_HEADER = "X-User-Id";

export interface InSession {
  readonly user: User;
  readonly session: Session;
}

export class SessionReader {
  private readonly touched = new Set<string>();

  constructor(private readonly onError: (error: unknown) => void) {}

  /** As `inSession`, and notes that the session is in use. */
  identify(realm: Realm, request: Request): InSession | undefined {
    const known = inSession(realm.read, request);
    if (known) this.touch(realm, known.session);
    return known;
  }

  /** The answer does not wait for it. */
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

/** undefined without a cookie, or with one that is of no session any more. */
export function inSession(reader: Reader, request: Request): InSession | undefined {
  const token = sessionTokenOf(reader, request);
  if (token === undefined) return undefined;
  const session = reader.sessions.one("hash", hashOfToken(token));
  if (session === undefined || session.expires <= reader.now) return undefined;
  const user = reader.users.get(session.user_id);
  if (!user?.is_active || reader.deactivations.has(1)) return undefined;
  return { user, session };
}

/** The token in the cookie, if it can be one. */
export function sessionTokenOf(realm: Configured, request: Request): string | undefined {
  const token = cookieOf(realm, request, "sessionid");
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** SHA-256, hex: a token is random, so it needs no salt and no slowness. */
export function hashOfToken(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("hex");
}

/** What a session's own pages say besides its cookie, which no other site can know. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update(CSRF_PURPOSE).digest("base64url");
}

/** The token that a browser without a session was given with a form. */
export function csrfCookieOf(realm: Configured, request: Request): string | undefined {
  const token = cookieOf(realm, request, "csrftoken");
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Refuses what a page of another site may have made the browser send. `given`: in the form. */
export function checkCsrf(realm: Realm, request: Request, given: string | undefined): void {
  if (SAFE.has(request.method)) return;
  checkOrigin(realm, request);
  const session = sessionTokenOf(realm, request);
  const expected = session === undefined ? csrfCookieOf(realm, request) : csrfTokenOf(session);
  const said = request.headers.get("x-csrftoken") || given;
  if (!said || expected === undefined) throw csrfTokenMissing();
  if (!isSame(said, expected)) throw csrfTokenWrong();
}

/** Refuses what was meant to be asked in another person's name, or in anybody's. */
export function checkPerson({ headers }: Request, known: InSession | undefined): void {
  const named = headers.get(PERSON_HEADER);
  if (named === null) return;
  if (known === undefined) throw noSession();
  if (named !== String(known.user.user_id)) throw sessionOfAnother();
}

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

type Configured = Pick<Realm, "config">;

/**
 * Has a page of ours sent this? Over http browsers say no more than the origin of the page, and who
 * says neither is no browser.
 */
export function isOwnForm(realm: Configured, request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && isOurs(realm, request, origin);
}

/** Browsers tell it with whatever changes something; over https, all do in one way or other. */
function checkOrigin(realm: Realm, request: Request): void {
  const origin = request.headers.get("origin");
  const referrer = request.headers.get("referer");
  if (origin !== null) {
    if (!isOurs(realm, request, origin)) throw originForeign();
  } else if (isSecure(realm, request)) {
    if (referrer === null) throw originUntold();
    if (!isOurs(realm, request, referrer)) throw originForeign();
  }
}

/** The public address, or the host by which the server was asked. */
function isOurs(realm: Configured, request: Request, address: string): boolean {
  const url = URL.parse(address);
  const own = URL.parse(realm.config.url);
  const protocol = isSecure(realm, request) ? "https:" : own?.protocol;
  if (!url || url.protocol !== protocol) return false;
  return url.host === own?.host || url.host === request.headers.get("host");
}
