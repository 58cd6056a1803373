// The sign-in page, and the frame of all pages whose forms change something.
import { defaulted, type OpenContext, text } from "../../endpoint.ts";
import type { Refusal } from "../../errors.ts";
import type { Realm } from "../../realm.ts";
import { cookie } from "../../server/cookies.ts";
import {
  CSRF_FIELD,
  csrfCookieOf,
  csrfTokenOf,
  SESSION_SECONDS_MAX,
  sessionTokenOf,
} from "../../server/session.ts";
import { type Html, markup, page } from "../realm/page.ts";
import { MOBILE_SCHEME } from "../../names.ts";
import { type Going, queryOf } from "./going.ts";
import { EMAIL, LDAP, methodsOf } from "./methods.ts";

type Asked = Pick<OpenContext, "realm" | "request">;

/** The hidden field of every form, for pages that are open to who is not signed in. */
export const csrfParam = { [CSRF_FIELD]: defaulted(text, "") };

const CSRF_BYTES = 32;

/** A page; `body` gets the hidden field that each of its forms must hold. */
export function formPage(
  { realm, request }: Asked,
  title: string,
  body: (csrf: Html) => Html,
  { status = 200, refusal, ...framing }: PageOptions = {},
): Response {
  const { token, cookies } = csrfOf(realm, request);
  const field = markup`<input type="hidden" name="${CSRF_FIELD}" value="${token}">`;
  const trouble =
    refusal === undefined ? markup`` : markup`<p class="refusal" role="alert">${refusal}</p>`;
  const all = markup`${trouble}${body(field)}`;
  return page(title, all, status, { ...framing, cookies, hasForms: true });
}

export interface PageOptions {
  readonly status?: number;
  /** What went wrong, in words. */
  readonly refusal?: string | undefined;
  readonly script?: string;
  readonly schemes?: readonly string[];
}

/** A refusal as people read it. */
export function wordsOf({ errCode, message, extra }: Refusal): string {
  if (errCode !== "RATE_LIMIT_HIT") return message;
  const minutes = Math.ceil(Number(extra["retry-after"]) / 60);
  return `Too many tries have failed. Try again in ${minutes} minutes.`;
}

/** Of the session, or else of a cookie that the browser has or gets now. */
function csrfOf(realm: Realm, request: Request): { token: string; cookies: string[] } {
  const session = sessionTokenOf(realm, request);
  if (session !== undefined) return { token: csrfTokenOf(session), cookies: [] };
  const known = csrfCookieOf(realm, request);
  if (known !== undefined) return { token: known, cookies: [] };
  const chance = crypto.getRandomValues(new Uint8Array(CSRF_BYTES));
  const token = Buffer.from(chance).toString("base64url");
  return { token, cookies: [csrfCookie(realm, token)] };
}

export function csrfCookie(realm: Realm, value: string): string {
  return cookie(realm, "csrftoken", { value, seconds: SESSION_SECONDS_MAX, isForScripts: true });
}

/** Where a page's forms lead in the end, besides to us. */
export function schemesOf({ mobile_flow_otp, mobile_scheme }: Going): string[] {
  return mobile_flow_otp === undefined ? [] : [`${mobile_scheme ?? MOBILE_SCHEME}:`];
}

/** What goes along with a form. */
export function goingFields({ next, mobile_flow_otp, mobile_scheme }: Going): Html[] {
  const scheme = mobile_flow_otp === undefined ? undefined : mobile_scheme;
  const given = Object.entries({ next, mobile_flow_otp, mobile_scheme: scheme });
  return given.flatMap(([name, value]) =>
    value ? markup`<input type="hidden" name="${name}" value="${value}">` : [],
  );
}

const FORGOTTEN = markup`<p><a href="/accounts/password/reset/">Forgotten your password?</a></p>`;

interface Entered {
  readonly username?: string;
}

/** Where one signs in, in any of the ways that the organization leaves on. */
export function signInPage(
  context: Asked,
  going: Going,
  { username = "", ...options }: Entered & PageOptions = {},
): Response {
  const { read } = context.realm;
  const methods = methodsOf(read);
  const query = queryOf(going);
  const buttons = methods.flatMap(({ external }) =>
    external
      ? markup`<p><a class="button" href="${external.login_url + query}">Sign in with
${external.display_name}</a></p>`
      : [],
  );
  const isNamed = (wanted: string) => methods.some(({ name }) => name === wanted);
  const hasReset = read.config.mail !== undefined && isNamed(EMAIL);
  const nameWanted = isNamed(LDAP) ? "Your user name or e-mail address" : "Your e-mail address";
  const form = (csrf: Html) => markup`<form method="post" action="/accounts/login/">
${csrf}${goingFields(going)}
<label for="username">${nameWanted}</label>
<input id="username" name="username" required autocomplete="username" value="${username}">
<label for="password">Your password</label>
<input id="password" name="password" type="password" required autocomplete="current-password">
<button type="submit">Sign in</button>
</form>
${hasReset ? FORGOTTEN : markup``}`;
  const hasPassword = methods.some((method) => method.byPassword);
  const signUp = markup`<p>No account yet? <a href="/register/">Join</a>.</p>`;
  return formPage(
    context,
    `Sign in to ${read.settings.name}`,
    (csrf) => markup`${hasPassword ? form(csrf) : markup``}${buttons}
${read.settings.invite_required ? markup`` : signUp}`,
    { ...options, schemes: schemesOf(going) },
  );
}
