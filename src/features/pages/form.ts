// The sign-in page, and the frame of all pages whose forms change something.
import type { Refusal } from "../../contract/errors/general.ts";
import { MOBILE_SCHEME } from "../../contract/names.ts";
import { defaulted, type OpenContext, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { cookie } from "../../server/asker/cookies.ts";
import {
  CSRF_FIELD,
  csrfCookieOf,
  csrfTokenOf,
  SESSION_SECONDS_MAX,
  sessionTokenOf,
} from "../../server/asker/session.ts";
import { hasPassword, type Identified } from "../passwords/own.ts";
import { EMAIL, LDAP, methodsOf } from "../realm/methods-wire.ts";
import { realmIconPath } from "../realm/picture-wire.ts";
import { REALM_ID } from "../realm/rules.ts";
import { type LoginRedirect, queryOf } from "./login-redirect.ts";
import { isOpened } from "./navigation.ts";
import { type Html, markup, page, type Saying } from "./page.ts";

type PageContext = Pick<OpenContext, "realm" | "request">;

/** The hidden field of every form, for pages that are open to who is not signed in. */
export const csrfParam = { [CSRF_FIELD]: defaulted(text, "") };

const CSRF_BYTES = 32;

/** A page; `body` gets the hidden field that each of its forms must hold. */
export function formPage(
  { realm, request }: PageContext,
  title: string,
  body: (csrf: Html) => Html,
  { status = 200, refusal, ...framing }: PageOptions = {},
): Response {
  const { token, cookies } = csrfOf(realm, request);
  const field = markup`<input type="hidden" name="${CSRF_FIELD}" value="${token}">`;
  const trouble =
    refusal === undefined ? markup`` : markup`<p class="refusal" role="alert">${refusal}</p>`;
  const all = markup`${trouble}${body(field)}`;
  const icon = iconOf(realm);
  return page(title, all, status, { ...framing, icon, cookies, hasForms: true });
}

/** Its own picture, if it has one: else ours stands there. */
export function iconOf({ read }: Realm): string | undefined {
  const settings = read.realm.get(REALM_ID)?.settings;
  return settings?.icon_file ? realmIconPath(settings) : undefined;
}

export interface PageOptions {
  readonly status?: number;
  /** What went wrong, in words. */
  readonly refusal?: string | undefined;
  readonly script?: string;
  readonly schemes?: readonly string[];
  readonly saying?: Saying;
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
  // What another site's page loads must not take the place of the cookie that the browser has.
  return { token, cookies: isOpened(request) ? [csrfCookie(realm, request, token)] : [] };
}

export function csrfCookie(realm: Realm, request: Request, value: string): string {
  const seconds = SESSION_SECONDS_MAX;
  return cookie(realm, request, "csrftoken", { value, seconds, isForScripts: true });
}

/** Where a page's forms lead in the end, besides to us. */
export function schemesOf({ mobile_flow_otp, mobile_scheme }: LoginRedirect): string[] {
  return mobile_flow_otp === undefined ? [] : [`${mobile_scheme ?? MOBILE_SCHEME}:`];
}

/** What goes along with a form. */
export function redirectFields({ next, mobile_flow_otp, mobile_scheme }: LoginRedirect): Html[] {
  const scheme = mobile_flow_otp === undefined ? undefined : mobile_scheme;
  const given = Object.entries({ next, mobile_flow_otp, mobile_scheme: scheme });
  return given.flatMap(([name, value]) =>
    value ? markup`<input type="hidden" name="${name}" value="${value}">` : [],
  );
}

/** Before what lets somebody in, the password is asked for once more. */
export function passwordField(context: Identified, id: string): Html {
  if (!hasPassword(context)) return markup``;
  return markup`<label for="${id}">Your password</label>
<input id="${id}" name="password" type="password" required autocomplete="current-password">`;
}

const FORGOTTEN = markup`<a href="/accounts/password/reset/">Forgotten your password?</a>`;

interface Entered {
  readonly username?: string;
}

/** Where one signs in, in any of the ways that the organization leaves on. */
export function signInPage(
  context: PageContext,
  loginRedirect: LoginRedirect,
  { username = "", ...options }: Entered & PageOptions = {},
): Response {
  const { read } = context.realm;
  const methods = methodsOf(read);
  const query = queryOf(loginRedirect);
  const buttons = methods.flatMap(({ external }) =>
    external
      ? markup`<a class="button" href="${external.login_url + query}">Sign in with
${external.display_name}</a>`
      : [],
  );
  const isNamed = (wanted: string) => methods.some(({ name }) => name === wanted);
  const hasReset = read.config.mail !== undefined && isNamed(EMAIL);
  const nameWanted = isNamed(LDAP) ? "Your user name or e-mail address" : "Your e-mail address";
  const form = (csrf: Html) => markup`<form method="post" action="/accounts/login/">
${csrf}${redirectFields(loginRedirect)}
<label for="username">${nameWanted}</label>
<input id="username" name="username" required autocomplete="username" value="${username}">
<label for="password">Your password</label>
<input id="password" name="password" type="password" required autocomplete="current-password">
<button type="submit">Sign in</button>
</form>`;
  const hasPassword = methods.some((method) => method.byPassword);
  const or = hasPassword && buttons.length > 0 ? markup`<p class="or">or</p>` : markup``;
  const signUp = markup`No account yet? <a href="/register/">Join</a>.`;
  const foot = [
    ...(hasPassword && hasReset ? [FORGOTTEN] : []),
    ...(read.settings.invite_required ? [] : [signUp]),
  ];
  return formPage(
    context,
    `Sign in to ${read.settings.name}`,
    (csrf) => markup`${hasPassword ? form(csrf) : markup``}${or}${buttons}
${foot.length > 0 ? markup`<p class="foot">${joined(foot)}</p>` : markup``}`,
    { ...options, schemes: schemesOf(loginRedirect) },
  );
}

const joined = (sentences: readonly Html[]) =>
  sentences.map((sentence, at) => (at === 0 ? sentence : markup` ${sentence}`));
