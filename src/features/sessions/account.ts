// The account page: who is signed in, where, with what, and how to end each of these.
import { type Context, defaulted, endpoint, int, text, textOf } from "../../endpoint.ts";
import { nameMissing, sessionNotFound } from "../../errors-people.ts";
import { Refusal } from "../../errors.ts";
import type { Reader } from "../../realm.ts";
import type { ApiKey, Session } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { factorsSection } from "../factors/section.ts";
import { newApiKey, revokeKey } from "../keys/actions.ts";
import { PASSKEY_SCRIPT } from "../factors/ask.ts";
import { browserOf } from "../mail/sign-ins.ts";
import { type Html, markup } from "../realm/page.ts";
import { endAll, endSessionsOf, sessionsOf } from "./actions.ts";
import { redirect } from "./complete.ts";
import { formPage, type PageOptions, wordsOf } from "./form.ts";
import { ACCOUNT_PAGE } from "./going.ts";
import { checkOwnPassword } from "./password.ts";

export const KEY_NAME_LENGTH_MAX = 30;

export const showAccount = endpoint({
  params: {},
  run: (context) => accountPage(context),
});

export function accountPage(context: Context, options: PageOptions = {}): Response {
  const { realm, user } = context;
  const { name } = realm.read.settings;
  const body = (csrf: Html) => markup`<p>You are signed in to ${name} as ${user.full_name}
(<code>${user.delivery_email}</code>).</p>
<form method="post" action="/accounts/logout/">
${csrf}<button type="submit">Sign out</button>
</form>
<h2>Apps</h2>
<p>In any app, give this as the address of the server:</p>
<pre>${realm.config.url}</pre>
${keysSection(realm.read, user, csrf)}
${factorsSection(realm.read, user, csrf)}
${sessionsSection(context, csrf)}`;
  return formPage(context, "Your account", body, { ...options, script: PASSKEY_SCRIPT });
}

/** Does what a form asks; a refusal is told on the account page. */
export async function onAccountPage(
  context: Context,
  act: () => Promise<Response | void>,
): Promise<Response> {
  try {
    return (await act()) ?? redirect(ACCOUNT_PAGE, []);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return accountPage(context, { refusal: wordsOf(error), status: error.status });
  }
}

function keysSection(reader: Reader, user: User, csrf: Html): Html {
  const keys = reader.api_keys.by("user", user.user_id).sort((a, b) => a.key_id - b.key_id);
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
${passwordField(reader, user, "key-password")}
<button type="submit">Make an app password</button>
</form>`;
}

/** Before what lets somebody in, the password is asked for once more. */
export function passwordField(reader: Reader, { user_id }: User, id: string): Html {
  if (!reader.passwords.has(user_id)) return markup``;
  return markup`<label for="${id}">Your password</label>
<input id="${id}" name="password" type="password" required autocomplete="current-password">`;
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
  params: {},
  run: (context) =>
    onAccountPage(context, async () => {
      const { realm, user, session } = context;
      await realm.write((tx) => endSessionsOf(tx, user.user_id, session?.session_id));
    }),
});

export const makeAppPassword = endpoint({
  params: {
    name: textOf({ max: KEY_NAME_LENGTH_MAX, trimmed: true }),
    password: defaulted(text, ""),
  },
  run: (context, { name, password }) =>
    onAccountPage(context, async () => {
      const { realm, user, address } = context;
      if (name === "") throw nameMissing();
      await checkOwnPassword(realm, user, { password, address });
      const key = await realm.write((tx) => newApiKey(tx, user, name));
      const body = () => markup`<p>Give it to ${name} in the place of your password. Whoever has it
can do all that you can, and it is not shown again.</p>
<pre>${key}</pre>
<p><a href="${ACCOUNT_PAGE}">Back to your account</a></p>`;
      return formPage(context, "Your app password", body);
    }),
});

export const removeAppPassword = endpoint({
  params: { key_id: int },
  run: (context, { key_id }) =>
    onAccountPage(context, async () => {
      await context.realm.write((tx) => revokeKey(tx, context.user, key_id));
    }),
});
