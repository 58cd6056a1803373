// The sign-in page, and the layout of all pages with forms.
import type { Refusal } from "../../contract/errors/general.ts";
import {
  addressOrPasswordWrong,
  nameAddressOrPasswordWrong,
  signInFailed,
} from "../../contract/errors/people.ts";
import { MOBILE_SCHEME } from "../../contract/names.ts";
import { defaulted, type OpenContext, text } from "../../endpoint.ts";
import type { Reader, Realm } from "../../realm.ts";
import { cookie } from "../../server/caller/cookies.ts";
import {
  CSRF_FIELD,
  csrfCookieOf,
  csrfTokenOf,
  SESSION_SECONDS_MAX,
  sessionTokenOf,
} from "../../server/caller/session.ts";
import { hasPassword, type SignedInContext } from "../passwords/confirm.ts";
import { EMAIL, LDAP, methodsOf } from "../realm/methods-wire.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import { type LoginRedirect, queryOf } from "./login-redirect.ts";
import { isNavigation } from "./navigation.ts";
import { link, page, type Illustration } from "./page.ts";
import { withError } from "./form-errors.ts";

type PageContext = Pick<OpenContext, "realm" | "request" | "user">;

/** The hidden field of every form on pages that do not require a session. */
export const csrfParam = { [CSRF_FIELD]: defaulted(text, "") };

const CSRF_BYTES = 32;

/** Renders a page; `body` receives the hidden field that each of its forms must contain. */
export function formPage(
  context: PageContext,
  title: string,
  body: (csrf: Html) => Html,
  { status = 200, refusal, ...framing }: PageOptions = {},
): Response {
  const { token, cookies } = csrfOf(context.realm, context.request);
  const field = markup`<input type="hidden" name="${CSRF_FIELD}" value="${token}">`;
  const all = withError(translatorOf(context), refusal, body(field));
  return page(context, title, all, status, { ...framing, cookies, hasForms: true });
}

export interface PageOptions {
  readonly status?: number;
  /** The error. */
  readonly refusal?: Refusal | undefined;
  readonly script?: string;
  readonly schemes?: readonly string[];
  readonly illustration?: Illustration;
}

/** The CSRF token of the session, or of a cookie that the browser has or gets now. */
function csrfOf(realm: Realm, request: Request): { token: string; cookies: string[] } {
  const session = sessionTokenOf(realm, request);
  if (session !== undefined) return { token: csrfTokenOf(session), cookies: [] };
  const existingCookie = csrfCookieOf(realm, request);
  if (existingCookie !== undefined) return { token: existingCookie, cookies: [] };
  const random = crypto.getRandomValues(new Uint8Array(CSRF_BYTES));
  const token = Buffer.from(random).toString("base64url");
  // Requests from the page of another site must not replace the cookie.
  return { token, cookies: isNavigation(request) ? [csrfCookie(realm, request, token)] : [] };
}

export function csrfCookie(realm: Realm, request: Request, value: string): string {
  const seconds = SESSION_SECONDS_MAX;
  return cookie(realm, request, "csrftoken", { value, seconds, isForScripts: true });
}

/** Returns URL schemes of apps to which the forms of a page may redirect. */
export function schemesOf({ mobile_flow_otp, mobile_scheme }: LoginRedirect): string[] {
  return mobile_flow_otp === undefined ? [] : [`${mobile_scheme ?? MOBILE_SCHEME}:`];
}

/** Hidden fields of a form. */
export function redirectFields({ next, mobile_flow_otp, mobile_scheme }: LoginRedirect): Html[] {
  const scheme = mobile_flow_otp === undefined ? undefined : mobile_scheme;
  const input = Object.entries({ next, mobile_flow_otp, mobile_scheme: scheme });
  return input.flatMap(([name, value]) =>
    value ? markup`<input type="hidden" name="${name}" value="${value}">` : [],
  );
}

/** Asks for the password again before security-sensitive actions. */
export function passwordField(context: SignedInContext & PageContext, id: string): Html {
  if (!hasPassword(context)) return markup``;
  return markup`<label for="${id}">${translatorOf(context).translate("your-password")}</label>
<input id="${id}" name="password" type="password" required autocomplete="current-password">`;
}

interface FormInput {
  readonly username?: string;
  /**
   * The reason for showing the sign-in page: there is no public content, or the session has ended.
   */
  readonly why?:
    "nothing-open" | "signed-out" | "account-deactivated" | "signed-out-by-admin" | undefined;
}

/**
 * Deletes the account data stored in the browser; runs on pages for visitors who are not signed in.
 */
export const SIGNED_OUT_SCRIPT = "/signed-out.js";

/** The sign-in page, with all enabled methods. */
export function signInPage(
  context: PageContext,
  loginRedirect: LoginRedirect,
  { username = "", why, ...options }: FormInput & PageOptions = {},
): Response {
  const { read } = context.realm;
  const translator = translatorOf(context);
  const methods = methodsOf(read);
  const hasPassword = methods.some((method) => method.byPassword);
  const buttons = providerButtons(read, translator, loginRedirect, hasPassword);
  const offersMethod = (wantedName: string) => methods.some(({ name }) => name === wantedName);
  const nameLabel = translator.translate(
    offersMethod(LDAP) ? "your-name-or-address" : "your-address",
  );
  const isWrong = options.refusal?.message === signInFailed().message;
  const passwordRefusal = offersMethod(LDAP)
    ? nameAddressOrPasswordWrong()
    : addressOrPasswordWrong();
  const email = offersMethod(LDAP) ? markup`` : markup` inputmode="email"`;
  // After an error, the password is more often wrong than the name.
  const focus = markup` autofocus`;
  const [onName, onPassword] = username === "" ? [focus, markup``] : [markup``, focus];
  const form = (csrf: Html) => markup`<form method="post" action="/accounts/login/">
${csrf}${redirectFields(loginRedirect)}
<label for="username">${nameLabel}</label>
<input id="username" name="username" required autocomplete="username" value="${username}"
  autocapitalize="off" spellcheck="false"${email}${onName}>
<label for="password">${translator.translate("your-password")}</label>
<input id="password" name="password" type="password" required
  autocomplete="current-password"${onPassword}>
<button type="submit">${translator.translate("sign-in")}</button>
</form>`;
  const or =
    hasPassword && buttons.length > 0
      ? markup`<p class="or">${translator.translate("or")}</p>`
      : markup``;
  const help = read.config.mail === undefined ? "forgotten-ask" : "forgotten";
  const resetLink = link("/accounts/password/reset/", translator.translate(help));
  const toSignUp = `/register/${queryOf({ next: loginRedirect.next })}`;
  const signUp = translator.translateHtml("no-account", {
    join: link(toSignUp, translator.translate("join")),
  });
  const endReason = why === undefined ? markup`` : markup`<p>${translator.translate(why)}</p>`;
  const foot = [
    ...(hasPassword && offersMethod(EMAIL) ? [resetLink] : []),
    ...(read.settings.invite_required ? [] : [signUp]),
  ];
  return formPage(
    context,
    translator.translate("sign-in-to", { name: read.settings.name }),
    (csrf) => markup`${endReason}${hasPassword ? form(csrf) : markup``}${or}${buttons}
${foot.length > 0 ? markup`<p class="foot">${joinedBySpaces(foot)}</p>` : markup``}`,
    {
      ...options,
      ...(isWrong && { refusal: passwordRefusal }),
      schemes: schemesOf(loginRedirect),
      ...(context.user === undefined && { script: SIGNED_OUT_SCRIPT }),
    },
  );
}

/** Buttons for the identity providers. `isBelow` places them below the form. */
export function providerButtons(
  reader: Reader,
  translator: Translator,
  loginRedirect: LoginRedirect,
  isBelow: boolean,
): Html[] {
  const query = queryOf(loginRedirect);
  const methods = methodsOf(reader).flatMap(({ external }) => external ?? []);
  return methods.map(({ login_url, display_name }, index) => {
    const kind = isBelow || index > 0 ? "button" : "button first";
    const text = translator.translate("sign-in-with", { provider: display_name });
    return markup`<a class="${kind}" href="${login_url + query}">${text}</a>
`;
  });
}

const joinedBySpaces = (sentences: readonly Html[]) =>
  sentences.map((sentence, index) => (index === 0 ? sentence : markup` ${sentence}`));
