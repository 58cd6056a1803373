// The set-up page: the visitor with the one-time link creates the organization as its owner.
import { Refusal } from "../../contract/errors/general.ts";
import { passwordTooWeak } from "../../contract/errors/people.ts";
import {
  defaulted,
  line,
  type OpenContext,
  type PageRequest,
  openEndpoint,
  text,
} from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import { newApiKey } from "../keys/actions.ts";
import { HOME_PAGE, redirect } from "../pages/login-redirect.ts";
import { firstButton, link, page } from "../pages/page.ts";
import { withError } from "../pages/form-errors.ts";
import { hashPassword } from "../passwords/hash.ts";
import { newPasswordField } from "../passwords/form.ts";
import { isStrongPassword } from "../passwords/strength.ts";
import { ORG_TYPES, type OrgType, REALM_ID, REALM_NAME_LENGTH_MAX } from "../realm/rules.ts";
import { FULL_NAME_LENGTH_MAX } from "../rights/rules.ts";
import {
  findTicket,
  issueTicket,
  TICKET_SECONDS,
  invalidateTicket,
  invalidateTickets,
} from "../secrets/one-time-links.ts";
import { beginFirstSession } from "../sessions/start.ts";
import { browserTranslator, translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import type { NewOrganization } from "./actions.ts";
import { createOrganizationWithTopics } from "./create-organization.ts";

const SET_UP = "set-up";
const FIRST_KEY = "first-key";
const KEY_CLIENT = "set-up";

/** The URL of the set-up page, valid until the organization is created. */
export function openSetUp(tx: Writer): string {
  invalidateTickets(tx, SET_UP);
  return `${tx.config.url}/setup/${issueTicket(tx, SET_UP, null)}`;
}

/** Values of the form. The password is never sent back. */
interface SetUpInput {
  name: string;
  type: string;
  full_name: string;
  email: string;
}

const NONE: SetUpInput = { name: "", type: "unspecified", full_name: "", email: "" };

export const showSetUp = openEndpoint({
  summary: "Show the form to set up the organization",
  tag: "Pages",
  params: { token: text },
  run: (context, { token }) => {
    if (!findTicket(context.realm.read, SET_UP, token)) return invalidLinkPage(context);
    return formPage(context, NONE);
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
  run: async (context, { token, name, type, full_name, email, password }) => {
    const { realm } = context;
    if (!findTicket(realm.read, SET_UP, token)) return invalidLinkPage(context);
    try {
      const guessableWords = [name, full_name, email];
      if (!(await isStrongPassword(password, guessableWords))) throw passwordTooWeak();
      const password_hash = await hashPassword(password);
      const owner = { email: email.trim(), full_name, password_hash };
      const { language } = browserTranslator(context.request) ?? {};
      const created = await createAll(context, token, { name, type, owner, language });
      if (created === undefined) return invalidLinkPage(context);
      if (created.cookies) return redirect(HOME_PAGE, created.cookies);
      return donePage(context, owner.email, created.key);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The link may have been used while the password was hashed.
      if (!findTicket(realm.read, SET_UP, token)) return invalidLinkPage(context);
      return formPage(context, { name, type, full_name, email }, error);
    }
  },
});

/** The owner is signed in, or gets a one-time link to an API key. */
type SetUpResult = { cookies: string[] } | { cookies?: undefined; key: string };

/** Returns undefined if another request has used the link meanwhile. */
function createAll(
  context: OpenContext,
  token: string,
  newOrganization: NewOrganization,
): Promise<SetUpResult | undefined> {
  return context.realm.write((tx) => {
    const ticket = findTicket(tx, SET_UP, token);
    if (!ticket) return undefined;
    const owner = createOrganizationWithTopics(tx, newOrganization);
    invalidateTicket(tx, ticket);
    const cookies = beginFirstSession(tx, context, owner);
    if (cookies) return { cookies };
    return { key: issueTicket(tx, FIRST_KEY, { user_id: owner.user_id }) };
  });
}

export const showFirstKey = openEndpoint({
  summary: "Show the first owner's API key, once",
  tag: "Pages",
  params: { token: text },
  run: async (context, { token }) => {
    const { realm, request } = context;
    if (request.method !== "GET")
      return page(context, translatorOf(context).translate("your-key"), markup``);
    const input = await realm.write((tx) => {
      const ticket = findTicket(tx, FIRST_KEY, token);
      if (!ticket) return undefined;
      const { user_id } = ticket.payload as { user_id: number };
      const user = tx.users.get(user_id)!;
      invalidateTicket(tx, ticket);
      return { email: user.delivery_email, api_key: newApiKey(tx, user, KEY_CLIENT) };
    });
    return input ? keyPage(context, input) : keyUnavailablePage(context);
  },
});

function formPage(pageRequest: PageRequest, entered: SetUpInput, refusal?: Refusal): Response {
  const translator = translatorOf(pageRequest);
  const { translate } = translator;
  const body = markup`<p>${translate("set-up-means")}</p>
<form method="post">
<label for="name">${translate("organization-name")}</label>
<input id="name" name="name" required maxlength="${REALM_NAME_LENGTH_MAX}" value="${entered.name}"
  autofocus>
<label for="type">${translate("organization-type")}</label>
<select id="type" name="type">${typeOptions(translator, entered.type)}</select>
<label for="full_name">${translate("your-name")}</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${entered.full_name}">
<label for="email">${translate("your-address")}</label>
<input id="email" name="email" type="email" required autocomplete="email"
  value="${entered.email}" aria-describedby="email-hint">
<p class="hint" id="email-hint">${translate("sign-in-name-hint")}</p>
${newPasswordField(translator, "your-password")}
<button type="submit">${translate("set-up")}</button>
</form>`;
  const status = refusal === undefined ? 200 : 400;
  return page(
    pageRequest,
    translate("set-up-organization"),
    withError(translator, refusal, body),
    status,
    {
      ...START_ILLUSTRATION,
      hasForms: true,
    },
  );
}

const START_ILLUSTRATION = { illustration: "start" } as const;

function typeOptions({ translate }: Translator, chosen: string): Html[] {
  return ORG_TYPE_NAMES.map((name) => {
    const label = translate(`type-${name}`);
    return name === chosen
      ? markup`<option value="${name}" selected>${label}</option>`
      : markup`<option value="${name}">${label}</option>`;
  });
}

const ORG_TYPE_NAMES = Object.keys(ORG_TYPES) as OrgType[];

function donePage(pageRequest: PageRequest, email: string, token: string): Response {
  const { translate, translateHtml } = translatorOf(pageRequest);
  const { config, read } = pageRequest.realm;
  const html = translateHtml("sign-in-with-chosen", {
    email: markup`<code>${email}</code>`,
    url: markup`<code>${config.url}</code>`,
  });
  const key = translateHtml("show-key", {
    link: link(`/setup/key/${token}`, translate("show-key-link")),
    minutes: TICKET_SECONDS / 60,
  });
  const body = markup`<p>${translate("organization-ready", { name: read.settings.name })}</p>
${firstButton("/login/", translate("sign-in"))}
<p>${html}</p>
<h2>${translate("for-scripts")}</h2>
<p>${key}</p>`;
  return page(pageRequest, translate("organization-set-up"), body, 200, START_ILLUSTRATION);
}

function keyPage(
  pageRequest: PageRequest,
  { email, api_key }: { email: string; api_key: string },
): Response {
  const { translate } = translatorOf(pageRequest);
  const body = markup`<p>${translate("key-means")}</p>
<pre>[api]
site=${pageRequest.realm.config.url}
email=${email}
key=${api_key}</pre>
${firstButton("/login/", translate("sign-in"))}`;
  return page(pageRequest, translate("your-key"), body);
}

/** The same for used, expired and unknown links, to reveal nothing. */
function invalidLinkPage(pageRequest: PageRequest): Response {
  const { translate, translateHtml } = translatorOf(pageRequest);
  const { read, config } = pageRequest.realm;
  if (read.realm.has(REALM_ID)) {
    const url = markup`<code>${config.url}</code>`;
    const body = markup`<p>${translateHtml("already-set-up-means", { url })}</p>
${firstButton("/login/", translate("sign-in"))}`;
    return page(pageRequest, translate("already-set-up"), body, REMOVED);
  }
  return page(
    pageRequest,
    translate("link-expired"),
    markup`<p>${translate("set-up-link-used")}</p>`,
    REMOVED,
  );
}

function keyUnavailablePage(pageRequest: PageRequest): Response {
  const { translate, translateHtml } = translatorOf(pageRequest);
  const command = markup`<code>skein user key</code>`;
  const body = markup`<p>${translateHtml("key-gone", { command })}</p>
${firstButton("/login/", translate("sign-in"))}`;
  return page(pageRequest, translate("link-expired"), body, REMOVED);
}

const REMOVED = 410;
