// The account page, and the same for a script: who is signed in, where, and how to end each.
import { Refusal } from "../../contract/errors/general.ts";
import { nameMissing, sessionNotFound } from "../../contract/errors/people.ts";
import { type Context, defaulted, endpoint, int, text, textOf } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { ApiKey, Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { partsOf } from "../../server/routing.ts";
import { newApiKey, revokeKey } from "../keys/actions.ts";
import { browserOf } from "../letters/sign-ins.ts";
import { formPage, type PageOptions, passwordField, wordsOf } from "../pages/form.ts";
import { ACCOUNT_PAGE, redirect } from "../pages/login-redirect.ts";
import { type Html, markup } from "../pages/page.ts";
import { passwordSection } from "../passwords/form.ts";
import { checkOwnPassword } from "../passwords/own.ts";
import { endAll, endSessionsOf, sessionsOf } from "../sessions/actions.ts";
import { PASSKEY_SCRIPT } from "../two-factor/ask.ts";
import { factorsOf, factorsSection } from "../two-factor/section.ts";

export const KEY_NAME_LENGTH_MAX = 30;

export const showAccount = endpoint({
  summary: "Your sessions, keys and second factors",
  tag: "Pages",
  params: {},
  run: (context) => (isForScript(context) ? accountOf(context) : accountPage(context)),
});

export function accountPage(context: Context, options: PageOptions = {}): Response {
  const { realm, user } = context;
  const { name } = realm.read.settings;
  const body = (csrf: Html) => markup`<p>You are signed in to ${name} as ${user.full_name}
(<code>${user.delivery_email}</code>).</p>
<a class="button first" href="/">Go on to the conversations</a>
<form class="quiet" method="post" action="/accounts/logout/">
${csrf}<button type="submit">Sign out</button>
</form>
<h2>Apps</h2>
<p>In any app, give this as the address of the server:</p>
<pre>${realm.config.url}</pre>
${keysSection(context, csrf)}
${passwordSection(context, csrf)}
${factorsSection(context, csrf)}
${sessionsSection(context, csrf)}`;
  return formPage(context, "Your account", body, { ...options, script: PASSKEY_SCRIPT });
}

/** What an act has made, as a page, and as data for a script. */
export interface Shown {
  page(): Response | Promise<Response>;
  readonly data: object;
}

/** Every address of the account page lies under /json too, where scripts ask. */
function isForScript({ request }: Context): boolean {
  return partsOf(request.url).path.startsWith("/json/");
}

/** Does what a form asks; a refusal is told on the account page, to a script as everywhere. */
export async function onAccountPage(
  context: Context,
  act: () => Promise<Shown | void>,
): Promise<object> {
  if (isForScript(context)) return (await act())?.data ?? {};
  try {
    const shown = await act();
    return shown ? await shown.page() : redirect(ACCOUNT_PAGE, []);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return accountPage(context, { refusal: wordsOf(error), status: error.status });
  }
}

/** All that the page says. */
function accountOf(context: Context): object {
  const { user, session: own } = context;
  const { read } = context.realm;
  const sessions = sessionsOf(read, user.user_id).reverse();
  return {
    ...factorsOf(context),
    sessions: sessions.map(({ session_id, user_agent, created, last_used }) => ({
      session_id,
      browser: browserOf(user_agent),
      created,
      last_used,
      current: session_id === own?.session_id,
    })),
    app_passwords: keysOf(read, user).map(({ key_id, client, created, last_used }) => {
      return { key_id, name: client, created, last_used };
    }),
  };
}

const keysOf = (reader: Reader, { user_id }: User) =>
  reader.api_keys.by("user", user_id).sort((a, b) => a.key_id - b.key_id);

function keysSection(context: Context, csrf: Html): Html {
  const keys = keysOf(context.realm.read, context.user);
  const row = ({ key_id, client, last_used }: ApiKey) => markup`<li>
<form method="post" action="/account/keys/remove/">
${csrf}<input type="hidden" name="key_id" value="${key_id}">
${client}, last used ${dayOf(last_used)} <button type="submit">Revoke</button>
</form></li>`;
  return markup`<h2>App passwords</h2>
<p>An app signs in with its own password, which you can revoke. It is an API key too.</p>
<ul>${keys.map(row)}</ul>
<form method="post" action="/account/keys/">
${csrf}
<label for="key-name">Name of the app</label>
<input id="key-name" name="name" required maxlength="${KEY_NAME_LENGTH_MAX}">
${passwordField(context, "key-password")}
<button type="submit">Make an app password</button>
</form>`;
}

function sessionsSection({ realm, user, session }: Context, csrf: Html): Html {
  const row = ({ session_id, user_agent, created, last_used }: Session) => markup`<li>
<form method="post" action="/account/sessions/end/">
${csrf}<input type="hidden" name="session_id" value="${session_id}">
${session_id === session?.session_id ? "This browser" : browserOf(user_agent)}, signed in
${dayOf(created)}, last used ${dayOf(last_used)} <button type="submit">End</button>
</form></li>`;
  const sessions = sessionsOf(realm.read, user.user_id).reverse();
  return markup`<h2>Browsers</h2>
<ul>${sessions.map(row)}</ul>
<form method="post" action="/account/sessions/end-others/">
${csrf}<button type="submit">End all others</button>
</form>`;
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

export const endOneSession = endpoint({
  summary: "End one of your sessions",
  tag: "Pages",
  params: { session_id: int },
  run: (context, { session_id }) =>
    onAccountPage(context, async () => {
      const { realm, user } = context;
      await realm.write((tx) => {
        const own = tx.sessions.get(session_id);
        if (own?.user_id !== user.user_id) throw sessionNotFound();
        endAll(tx, [own]);
      });
    }),
});

export const endOtherSessions = endpoint({
  summary: "End all of your other sessions",
  tag: "Pages",
  params: {},
  run: (context) =>
    onAccountPage(context, async () => {
      const { realm, user, session } = context;
      await realm.write((tx) => endSessionsOf(tx, user.user_id, session?.session_id));
    }),
});

export const makeAppPassword = endpoint({
  summary: "Make an API key for a program",
  tag: "Pages",
  params: {
    name: textOf({ max: KEY_NAME_LENGTH_MAX, trimmed: true, line: true }),
    password: defaulted(text, ""),
  },
  run: (context, { name, password }) =>
    onAccountPage(context, async () => {
      const { realm, user } = context;
      if (name === "") throw nameMissing();
      await checkOwnPassword(context, password);
      const key = await realm.write((tx) => newApiKey(tx, user, name));
      const body = markup`<p>Give it to ${name} in the place of your password. Whoever has it
can do all that you can, and it is not shown again.</p>
<pre>${key}</pre>
<a class="button" href="${ACCOUNT_PAGE}">Back to your account</a>`;
      const page = () => formPage(context, "Your app password", () => body);
      return { page, data: { api_key: key } };
    }),
});

export const removeAppPassword = endpoint({
  summary: "End an API key",
  tag: "Pages",
  params: { key_id: int },
  run: (context, { key_id }) =>
    onAccountPage(context, async () => {
      await context.realm.write((tx) => revokeKey(tx, context.user, key_id));
    }),
});
