// The page on which a user confirms that an app may get an API key.
import type { Context, OpenContext } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import {
  formPage,
  type PageOptions,
  passwordField,
  redirectFields,
  schemesOf,
} from "../pages/form.ts";
import type { LoginRedirect } from "../pages/login-redirect.ts";
import { issueTicket } from "../secrets/one-time-links.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";

export const KEY_CONSENT = "hand over";
const KEY_CONSENT_SECONDS = 600;

/** A verified user whose app waits for its key. */
export interface WaitingApp extends Pick<Session, "user_id" | "method" | "username"> {
  readonly loginRedirect: LoginRedirect;
}

/** Asks users who return from an identity provider to confirm the app's access. */
export function askForKeyConsent(
  requested: Pick<OpenContext, "realm" | "request">,
  tx: Writer,
  user: User,
  app: Omit<WaitingApp, "user_id">,
): Response {
  const waitingApp: WaitingApp = { ...app, user_id: user.user_id };
  const ticket = issueTicket(tx, KEY_CONSENT, waitingApp, KEY_CONSENT_SECONDS);
  const text = userTranslator(user).translate("sign-app-in");
  const form = (csrf: Html) => markup`<form method="post" action="/accounts/login/app/confirm/">
${csrf}<input type="hidden" name="ticket" value="${ticket}">
<button type="submit">${text}</button>
</form>`;
  return consentForm(requested, user, form, { schemes: schemesOf(app.loginRedirect) });
}

/** Users who are already signed in enter their password again. */
export function keyConsentPage(
  context: Pick<Context, "realm" | "request" | "user" | "session">,
  loginRedirect: LoginRedirect,
  options: PageOptions = {},
): Response {
  const text = userTranslator(context.user).translate("sign-app-in");
  const form = (csrf: Html) => markup`<form method="post" action="/accounts/login/app/">
${csrf}${redirectFields(loginRedirect)}${passwordField(context, "password")}
<button type="submit">${text}</button>
</form>`;
  return consentForm(context, context.user, form, {
    ...options,
    schemes: schemesOf(loginRedirect),
  });
}

function consentForm(
  { realm, request }: Pick<OpenContext, "realm" | "request">,
  user: User,
  form: (csrf: Html) => Html,
  options: PageOptions,
): Response {
  const { translate, translateHtml } = userTranslator(user);
  const email = markup`<code>${user.delivery_email}</code>`;
  const body = (csrf: Html) => markup`<p>${translateHtml("app-wants", { email })}</p>
${form(csrf)}`;
  return formPage({ realm, request, user }, translate("sign-in-app"), body, options);
}
