// The set-up page: who holds the one-time link makes the organization and becomes its owner.
import { Refusal } from "../../contract/errors/general.ts";
import { passwordTooWeak } from "../../contract/errors/people.ts";
import { defaulted, line, openEndpoint, text } from "../../endpoint.ts";
import type { Realm, Writer } from "../../realm.ts";
import { newApiKey } from "../keys/actions.ts";
import { type Html, markup, page } from "../pages/page.ts";
import { hashPassword } from "../passwords/hash.ts";
import { newPasswordField } from "../passwords/form.ts";
import { isStrongPassword } from "../passwords/strength.ts";
import { ORG_TYPES, REALM_ID, REALM_NAME_LENGTH_MAX } from "../realm/rules.ts";
import { FULL_NAME_LENGTH_MAX } from "../rights/rules.ts";
import {
  findTicket,
  issueTicket,
  TICKET_SECONDS,
  useUp,
  withdrawTickets,
} from "../secrets/tickets.ts";
import { createOrganization } from "./actions.ts";

const SET_UP = "set-up";
const FIRST_KEY = "first-key";
const KEY_CLIENT = "set-up";

/** The address of the set-up page, for as long as nobody has set up. */
export function openSetUp(tx: Writer): string {
  withdrawTickets(tx, SET_UP);
  return `${tx.config.url}/setup/${issueTicket(tx, SET_UP, null)}`;
}

/** What the form holds; the password is never sent back. */
interface Entered {
  name: string;
  type: string;
  full_name: string;
  email: string;
}

const NOTHING: Entered = { name: "", type: "unspecified", full_name: "", email: "" };

export const showSetUp = openEndpoint({
  summary: "The form to set up the organization",
  tag: "Pages",
  params: { token: text },
  run: ({ realm }, { token }) => {
    if (!findTicket(realm.read, SET_UP, token)) return linkEnded(realm);
    return formPage(NOTHING);
  },
});

export const setUp = openEndpoint({
  summary: "Set up the organization",
  tag: "Pages",
  params: {
    token: text,
    name: defaulted(line, ""),
    type: defaulted(text, "unspecified"),
    full_name: defaulted(text, ""),
    email: defaulted(text, ""),
    password: defaulted(text, ""),
  },
  run: async ({ realm }, { token, name, type, full_name, email, password }) => {
    if (!findTicket(realm.read, SET_UP, token)) return linkEnded(realm);
    try {
      const known = [name, full_name, email];
      if (!(await isStrongPassword(password, known))) throw passwordTooWeak();
      const password_hash = await hashPassword(password);
      const owner = { email: email.trim(), full_name, password_hash };
      const key = await makeAll(realm, token, { name, type, owner });
      return key === undefined ? linkEnded(realm) : donePage(realm, owner.email, key);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, somebody else may have used the link.
      if (!findTicket(realm.read, SET_UP, token)) return linkEnded(realm);
      return formPage({ name, type, full_name, email }, error.message);
    }
  },
});

/** The secret of the link that gives the owner's key; undefined where another was faster. */
function makeAll(
  realm: Realm,
  token: string,
  asked: Parameters<typeof createOrganization>[1],
): Promise<string | undefined> {
  return realm.write((tx) => {
    const ticket = findTicket(tx, SET_UP, token);
    if (!ticket) return undefined;
    const owner = createOrganization(tx, asked);
    useUp(tx, ticket);
    return issueTicket(tx, FIRST_KEY, { user_id: owner.user_id });
  });
}

export const showFirstKey = openEndpoint({
  summary: "The first owner's API key, once",
  tag: "Pages",
  params: { token: text },
  run: async ({ realm, request }, { token }) => {
    if (request.method !== "GET") return page("Your API key", markup``);
    const given = await realm.write((tx) => {
      const ticket = findTicket(tx, FIRST_KEY, token);
      if (!ticket) return undefined;
      const { user_id } = ticket.payload as { user_id: number };
      const user = tx.users.get(user_id)!;
      useUp(tx, ticket);
      return { email: user.delivery_email, api_key: newApiKey(tx, user, KEY_CLIENT) };
    });
    return given ? keyPage(realm, given) : keyGone();
  },
});

function formPage(entered: Entered, refusal?: string): Response {
  const trouble = markup`<p class="refusal" role="alert">${refusal ?? ""}</p>`;
  const body = markup`${refusal === undefined ? "" : trouble}
<p>Name your organization, and make the account of its owner: yours.</p>
<form method="post">
<label for="name">Name of the organization</label>
<input id="name" name="name" required maxlength="${REALM_NAME_LENGTH_MAX}" value="${entered.name}">
<label for="type">What it is</label>
<select id="type" name="type">${typeOptions(entered.type)}</select>
<label for="full_name">Your name</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${entered.full_name}">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required autocomplete="email"
  value="${entered.email}" aria-describedby="email-hint">
<p class="hint" id="email-hint">You sign in with it.</p>
${newPasswordField("Your password")}
<button type="submit">Set up</button>
</form>`;
  return page("Set up your organization", body, refusal === undefined ? 200 : 400, {
    saying: "start",
  });
}

function typeOptions(chosen: string): Html[] {
  return Object.entries(ORG_TYPES).map(([name, { label }]) =>
    name === chosen
      ? markup`<option value="${name}" selected>${label}</option>`
      : markup`<option value="${name}">${label}</option>`,
  );
}

function donePage(realm: Realm, email: string, token: string): Response {
  const { url } = realm.config;
  const body = markup`<p>${realm.read.settings.name} is ready, and you are its owner.</p>
<a class="button first" href="/login/">Sign in</a>
<p>You do so as <code>${email}</code>, with the password that you have just chosen. Other clients
want the address of the server: <code>${url}</code>.</p>
<h2>For scripts and bots</h2>
<p><a href="/setup/key/${token}">Show an API key for your account</a>. It is shown once; the link
works for ${TICKET_SECONDS / 60} minutes.</p>`;
  return page("Your organization is set up", body, 200, { saying: "start" });
}

function keyPage(realm: Realm, { email, api_key }: { email: string; api_key: string }): Response {
  const body = markup`<p>Keep it like a password: whoever has it can do all that you can. It is not
shown again.</p>
<pre>[api]
site=${realm.config.url}
email=${email}
key=${api_key}</pre>
<a class="button first" href="/login/">Sign in</a>`;
  return page("Your API key", body);
}

/** Used, expired, or never issued: who has no good link learns no more. */
function linkEnded(realm: Realm): Response {
  if (realm.read.realm.has(REALM_ID)) {
    const body = markup`<p>This server has its organization. Its address is
<code>${realm.config.url}</code>.</p>
<a class="button first" href="/login/">Sign in</a>`;
    return page("Already set up", body, GONE);
  }
  const body = markup`<p>This link was used, or it has expired. Start the server again, and it
prints a new one.</p>`;
  return page("This link no longer works", body, GONE);
}

function keyGone(): Response {
  const body = markup`<p>It gave its key already, or it has expired. The operator can make another
key with <code>skein user key</code>.</p>`;
  return page("This link no longer works", body, GONE);
}

const GONE = 410;
