// Pages to request a password reset link and to set a new password.
import { Refusal } from "../../contract/errors/general.ts";
import { emailNotAnAddress, passwordTooWeak, tooManyMails } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import {
  bool,
  defaulted,
  type OpenContext,
  type PageRequest,
  openEndpoint,
  text,
} from "../../endpoint.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { closedPage, isActive } from "../pages/closed.ts";
import { HOME_PAGE, redirect } from "../pages/login-redirect.ts";
import { firstButton, page } from "../pages/page.ts";
import { withError } from "../pages/form-errors.ts";
import { EMAIL, methodNamed } from "../realm/methods-wire.ts";
import { isEmail } from "../rights/rules.ts";
import { beginFirstSession } from "../sessions/start.ts";
import { knownBrowserCookie } from "../sessions/known-browsers.ts";
import { translatorOf, userTranslator } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import { logSecurityEvent } from "../security-log/log.ts";
import { endKeysField, newPasswordField } from "./form.ts";
import { hashPassword } from "./hash.ts";
import { requestReset, isFirst, resetPassword, userOfReset } from "./reset.ts";
import { isStrongPassword } from "./strength.ts";

export const RESETS_BY_ADDRESS = [
  { calls: 2, seconds: 3_600 },
  { calls: 5, seconds: DAY_SECONDS },
] as const;
export const RESETS_BY_NETWORK = { calls: 50, seconds: DAY_SECONDS };

const limits = perRealm(({ clock }) => ({
  byAddress: RESETS_BY_ADDRESS.map((rule) => new Limiter(clock, rule)),
  byNetwork: new Limiter(clock, RESETS_BY_NETWORK),
}));

const REMOVED = 410;

export const showResetForm = openEndpoint({
  summary: "Show the form for a forgotten password",
  tag: "Pages",
  params: {},
  run: (context) => fallbackPage(context) ?? formPage(context, ""),
});

export const postResetForm = openEndpoint({
  summary: "Request a link for setting a new password",
  tag: "Pages",
  params: { email: defaulted(text, "") },
  run: async (context, { email: value }) => {
    const { realm } = context;
    const other = fallbackPage(context);
    if (other) return other;
    const email = value.trim();
    try {
      if (!isEmail(email)) throw emailNotAnAddress();
      checkRate(context, foldedAddress(email));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return formPage(context, email, error);
    }
    const user_id = realm.read.users.findBy("email", foldedAddress(email))?.user_id;
    logSecurityEvent(realm, "a password reset was requested", {
      user_id,
      address: context.address,
    });
    await realm.write((tx) => requestReset(tx, email));
    const { translate } = translatorOf(context);
    const body = markup`<p>${translate("reset-link-sent", { email })}</p>
${firstButton("/login/", translate("back-to-sign-in"))}`;
    return page(context, translate("check-email"), body);
  },
});

export const showReset = openEndpoint({
  summary: "Show the form to set a new password",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const { realm, request } = context;
    const user = userOfKey(realm, key);
    return user ? passwordPage({ realm, request, user }, key) : endedPage(context);
  },
});

export const postReset = openEndpoint({
  summary: "Set a new password",
  tag: "Pages",
  params: { key: text, password: defaulted(text, ""), end_api_keys: defaulted(bool, false) },
  run: async (context, { key, password, end_api_keys }) => {
    const { realm, request, address } = context;
    const user = userOfKey(realm, key);
    if (!user) return endedPage(context);
    const pageContext = { realm, request, user };
    const guessableWords = [user.full_name, user.delivery_email, realm.read.settings.name];
    const isNewcomer = isFirst(realm.read, key);
    let newCookies: string[] | undefined;
    try {
      if (!(await isStrongPassword(password, guessableWords))) throw passwordTooWeak();
      const hash = await hashPassword(password);
      newCookies = await realm.write((tx) => {
        const result = resetPassword(tx, key, hash, end_api_keys);
        return isNewcomer ? beginFirstSession(tx, context, result) : undefined;
      });
      logSecurityEvent(realm, "a password was reset", { user_id: user.user_id, address });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The link may have been used while the password was hashed.
      return userOfKey(realm, key) ? passwordPage(pageContext, key, error) : endedPage(context);
    }
    if (newCookies) return redirect(HOME_PAGE, newCookies);
    const cookies = [knownBrowserCookie(realm, request, { user_id: user.user_id })];
    if (isNewcomer) return readyPage(pageContext, cookies);
    const { translate, translateHtml } = userTranslator(user);
    const email = markup`<code>${user.delivery_email}</code>`;
    const outcomeText = translate(end_api_keys ? "keys-revoked" : "apps-stay");
    const body = markup`<p>${translateHtml("password-changed-means", { email })} ${outcomeText}</p>
${firstButton("/login/", translate("sign-in"))}`;
    return page(pageContext, translate("password-changed"), body, 200, { cookies });
  },
});

/** The page that is shown if no reset email can be sent. */
function fallbackPage(context: OpenContext): Response | undefined {
  if (!isActive(context.realm)) return closedPage(context);
  if (!methodNamed(context.realm.read, EMAIL)) return noPasswordPage(context);
  return context.realm.config.mail === undefined ? noMailPage(context) : undefined;
}

function userOfKey(realm: Realm, key: string): User | undefined {
  return isActive(realm) ? userOfReset(realm.read, key) : undefined;
}

/** Counted per typed address, whether or not it has an account, which the limit must not reveal. */
function checkRate({ realm, address }: OpenContext, email: string): void {
  const { byAddress, byNetwork } = limits(realm);
  const all = [
    byNetwork.take(networkOf(address)),
    ...byAddress.map((limiter) => limiter.take(email)),
  ];
  if (realm.config.rate_limits && all.some(({ allowed }) => !allowed)) throw tooManyMails();
}
type UserPageRequest = PageRequest & { readonly user: User };

function formPage(context: PageRequest, email: string, refusal?: Refusal): Response {
  const translator = translatorOf(context);
  const { translate } = translator;
  const { name } = context.realm.read.settings;
  const body = markup`<p>${translate("enter-address-for-link", { name })}</p>
<form method="post">
<label for="email">${translate("your-address")}</label>
<input id="email" name="email" type="email" required autocomplete="email" value="${email}"
  autofocus>
<button type="submit">${translate("send-link")}</button>
</form>`;
  return page(
    context,
    translate("forgotten"),
    withError(translator, refusal, body),
    refusal?.status,
  );
}

function readyPage(context: UserPageRequest, cookies: string[]): Response {
  const { translate, translateHtml } = userTranslator(context.user);
  const email = markup`<code>${context.user.delivery_email}</code>`;
  const body = markup`<p>${translateHtml("ready-means", { email })}</p>
${firstButton("/login/", translate("sign-in"))}`;
  return page(context, translate("ready"), body, 200, { cookies });
}

function passwordPage(context: UserPageRequest, key: string, refusal?: Refusal): Response {
  const { realm, user } = context;
  const translator = userTranslator(user);
  const { translate, translateHtml } = translator;
  const isNewcomer = isFirst(realm.read, key);
  const { name } = realm.read.settings;
  const html = markup`<bdi>${user.full_name}</bdi>`;
  const greeting = markup`<p>${translateHtml("account-made-for-you", { who: html, name })}</p>`;
  const ending = markup`${endKeysField(translator)}
<p class="hint">${translate("all-browsers-signed-out")}</p>`;
  const body = markup`${isNewcomer ? greeting : markup``}
<form method="post">
<label for="email">${translate("your-address")}</label>
<input id="email" type="email" readonly autocomplete="username" value="${user.delivery_email}">
${newPasswordField(translator, isNewcomer ? "your-password" : "your-new-password", FOCUS)}
${isNewcomer ? markup`` : ending}
<button type="submit">${translate("set-password")}</button>
</form>`;
  const title = translate(isNewcomer ? "welcome-to" : "new-password-for", { name });
  return page(context, title, withError(translator, refusal, body), refusal?.status);
}

function noMailPage(context: PageRequest): Response {
  const { translate, translateHtml } = translatorOf(context);
  const command = markup`<code>skein user reset-link</code>`;
  const body = markup`<p>${translateHtml("no-mail-for-link", { command })}</p>
${firstButton("/login/", translate("back-to-sign-in"))}`;
  return page(context, translate("forgotten"), body);
}

const FOCUS = markup` autofocus`;

/** The page for organizations where no user has a password on this server. */
function noPasswordPage(context: PageRequest): Response {
  const { translate } = translatorOf(context);
  const { name } = context.realm.read.settings;
  const body = markup`<p>${translate("no-password-here", { name })}</p>
${firstButton("/login/", translate("back-to-sign-in"))}`;
  return page(context, translate("forgotten"), body);
}

/** The same page for used, expired and unknown links, so that it reveals nothing. */
function endedPage(context: PageRequest): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("link-used")}</p>
${firstButton("/accounts/password/reset/", translate("request-another-link"))}`;
  return page(context, translate("link-expired"), body, REMOVED);
}
