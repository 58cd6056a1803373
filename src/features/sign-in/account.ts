// The account page and its JSON form: the user's sessions and keys, and how to end them.
import { Refusal } from "../../contract/errors/general.ts";
import { nameMissing, sessionNotFound } from "../../contract/errors/people.ts";
import { type Context, defaulted, endpoint, int, text, textOf } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { ApiKey, Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { partsOf } from "../../server/routing.ts";
import { endApiKeys, newApiKey, revokeKey } from "../keys/actions.ts";
import { browserOf } from "../email-delivery/new-sign-ins.ts";
import { formPage, type PageOptions, passwordField } from "../pages/form.ts";
import { ACCOUNT_PAGE, redirect } from "../pages/login-redirect.ts";
import { button, firstButton } from "../pages/page.ts";
import { passwordSection } from "../passwords/form.ts";
import { checkOwnPassword } from "../passwords/confirm.ts";
import { onceShownKey } from "../secrets/encrypted.ts";
import { endSessions, endSessionsOf, sessionsOf } from "../sessions/actions.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import { PASSKEY_SCRIPT } from "../two-factor/challenge.ts";
import { factorsObject, factorsSection } from "../two-factor/section.ts";

const KEY_NAME_LENGTH_MAX = 30;

export const showAccount = endpoint({
  summary: "Show your sessions, keys and two-factor authentication",
  tag: "Pages",
  params: {},
  run: (context) => (isJsonRequest(context) ? accountOf(context) : accountPage(context)),
});

function accountPage(context: Context, options: PageOptions = {}): Response {
  const { realm, user } = context;
  const { name } = realm.read.settings;
  const { translate, translateHtml } = userTranslator(user);
  const email = markup`<code>${user.delivery_email}</code>`;
  const html = markup`<bdi>${user.full_name}</bdi>`;
  const body = (
    csrf: Html,
  ) => markup`<p>${translateHtml("signed-in-to", { name, who: html, email })}</p>
${firstButton("/", translate("open-skein"))}
<form class="quiet" method="post" action="/accounts/logout/">
${csrf}<button type="submit">${translate("sign-out")}</button>
</form>
<h2>${translate("apps")}</h2>
<p>${translate("in-any-app")}</p>
<pre>${realm.config.url}</pre>
${keysSection(context, csrf)}
${passwordSection(context, csrf)}
${factorsSection(context, csrf)}
${sessionsSection(context, csrf)}`;
  return formPage(context, translate("your-account"), body, { ...options, script: PASSKEY_SCRIPT });
}

/** The result of an action, as a page and as data for a script. */
export interface ActionResult {
  page(): Response | Promise<Response>;
  readonly data: object;
}

/** Every path of the account page also exists under /json, for scripts. */
function isJsonRequest({ request }: Context): boolean {
  return partsOf(request.url).path.startsWith("/json/");
}

/** Handles a form of the account page. Errors are displayed on it, or returned to a script. */
export async function handleAccountForm(
  context: Context,
  action: () => Promise<ActionResult | void>,
): Promise<object> {
  if (isJsonRequest(context)) return (await action())?.data ?? {};
  try {
    const actionResult = await action();
    return actionResult ? await actionResult.page() : redirect(ACCOUNT_PAGE, []);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return accountPage(context, { refusal: error, status: error.status });
  }
}

/** All data of the page. */
function accountOf(context: Context): object {
  const { user, session: own } = context;
  const { read } = context.realm;
  const sessions = sessionsOf(read, user.user_id).reverse();
  return {
    ...factorsObject(context),
    sessions: sessions.map(({ session_id, user_agent, created, last_used }) => ({
      session_id,
      browser: browserOf(user_agent, userTranslator(user)),
      created,
      last_used,
      current: session_id === own?.session_id,
    })),
    app_passwords: keysOf(read, user).map(
      ({ key_id, client, created, last_used, is_app_password = false }) => {
        return { key_id, name: client, created, last_used, is_app_password };
      },
    ),
  };
}

const keysOf = (reader: Reader, { user_id }: User) =>
  reader.api_keys.listBy("user", user_id).sort((a, b) => a.key_id - b.key_id);

function keysSection(context: Context, csrf: Html): Html {
  const keys = keysOf(context.realm.read, context.user);
  const translator = userTranslator(context.user);
  const { translate } = translator;
  const row = ({ key_id, client, last_used, is_app_password }: ApiKey) => markup`<li>
<form method="post" action="/account/keys/remove/">
${csrf}<input type="hidden" name="key_id" value="${key_id}">
<span>${translate("key-used", { client, day: translator.day(last_used) })}
<small>${translate(is_app_password ? "kind-app-password" : "kind-api-key")}</small></span>
<button type="submit">${translate("revoke")}</button>
</form></li>`;
  return markup`<h2>${translate("app-passwords")}</h2>
<p>${translate("app-passwords-mean")}</p>
<ul>${keys.map(row)}</ul>
<form method="post" action="/account/keys/end-all/">
${csrf}<button type="submit">${translate("end-api-keys")}</button>
</form>
<p class="hint">${translate("end-api-keys-hint")}</p>
<form method="post" action="/account/keys/">
${csrf}
<label for="key-name">${translate("name-of-app")}</label>
<input id="key-name" name="name" required maxlength="${KEY_NAME_LENGTH_MAX}">
${passwordField(context, "key-password")}
<button type="submit">${translate("create-app-password")}</button>
</form>`;
}

function sessionsSection({ realm, user, session }: Context, csrf: Html): Html {
  const translator = userTranslator(user);
  const { translate } = translator;
  const browser = ({ session_id, user_agent }: Session) =>
    session_id === session?.session_id
      ? translate("this-browser")
      : browserOf(user_agent, translator);
  const row = (session: Session) => markup`<li>
<form method="post" action="/account/sessions/end/">
${csrf}<input type="hidden" name="session_id" value="${session.session_id}">
<span>${translate("browser-used", {
    browser: browser(session),
    created: translator.day(session.created),
    used: translator.day(session.last_used),
  })}</span>
<button type="submit">${translate("end")}</button>
</form></li>`;
  const sessions = sessionsOf(realm.read, user.user_id).reverse();
  return markup`<h2>${translate("browsers")}</h2>
<ul>${sessions.map(row)}</ul>
<form method="post" action="/account/sessions/end-others/">
${csrf}<button type="submit">${translate("end-others")}</button>
</form>`;
}

export const endOneSession = endpoint({
  summary: "End one of your sessions",
  tag: "Pages",
  params: { session_id: int },
  run: (context, { session_id }) =>
    handleAccountForm(context, async () => {
      const { realm, user } = context;
      await realm.write((tx) => {
        const own = tx.sessions.get(session_id);
        if (own?.user_id !== user.user_id) throw sessionNotFound();
        endSessions(tx, [own]);
      });
    }),
});

export const endOtherSessions = endpoint({
  summary: "End all of your other sessions",
  tag: "Pages",
  params: {},
  run: (context) =>
    handleAccountForm(context, async () => {
      const { realm, user, session } = context;
      await realm.write((tx) => endSessionsOf(tx, user.user_id, session?.session_id));
    }),
});

export const makeAppPassword = endpoint({
  summary: "Create an app password",
  tag: "Pages",
  params: {
    name: textOf({ max: KEY_NAME_LENGTH_MAX, trimmed: true, line: true }),
    password: defaulted(text, ""),
  },
  run: (context, { name, password }) =>
    handleAccountForm(context, async () => {
      const { realm, user } = context;
      if (name === "") throw nameMissing();
      const confirmed = await checkOwnPassword(context, password);
      const key = await realm.write((tx) => {
        return newApiKey(tx, confirmed(tx), name, onceShownKey(), true);
      });
      const { translate } = userTranslator(user);
      const body = markup`<p>${translate("app-password-means", { name })}</p>
<pre>${key}</pre>
${button(ACCOUNT_PAGE, translate("back-to-account"))}`;
      const page = () => formPage(context, translate("your-app-password"), () => body);
      return { page, data: { api_key: key } };
    }),
});

export const removeAppPassword = endpoint({
  summary: "Revoke an API key",
  tag: "Pages",
  params: { key_id: int },
  run: (context, { key_id }) =>
    handleAccountForm(context, async () => {
      await context.realm.write((tx) => revokeKey(tx, context.user, key_id));
    }),
});

export const endAllApiKeys = endpoint({
  summary: "Revoke all of your API keys; app passwords are kept",
  tag: "Pages",
  params: {},
  run: (context) =>
    handleAccountForm(context, async () => {
      const { realm, user } = context;
      const endedKeys = await realm.write((tx) => endApiKeys(tx, user));
      return { page: () => redirect(ACCOUNT_PAGE, []), data: endedKeys };
    }),
});
