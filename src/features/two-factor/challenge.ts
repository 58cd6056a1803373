// Asks for the second factor after the password was correct.
import { createHash } from "node:crypto";
import type { PageRequest } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { formPage, type PageOptions, schemesOf } from "../pages/form.ts";
import type { LoginRedirect } from "../pages/login-redirect.ts";
import { issueTicket } from "../secrets/one-time-links.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import { hasApp, passkeysOf } from "./access.ts";

export const SECOND_FACTOR = "second factor";
const WAIT_SECONDS = 600;

/** Data of the ticket after the password was correct, before the second factor. */
export interface PendingSignIn {
  readonly user_id: number;
  readonly method: string;
  readonly username?: string | undefined;
  /** Hash of the password. A change of the password invalidates the ticket. */
  readonly password: string;
  readonly loginRedirect: LoginRedirect;
}

export async function askSecondFactor(
  context: PageRequest,
  { user_id }: User,
  { method, username }: Pick<PendingSignIn, "method" | "username">,
  loginRedirect: LoginRedirect,
): Promise<Response> {
  const password = passwordMark(context.realm.read, user_id);
  const half: PendingSignIn = { user_id, method, username, password, loginRedirect };
  const ticket = await context.realm.write((tx) =>
    issueTicket(tx, SECOND_FACTOR, half, WAIT_SECONDS),
  );
  return secondFactorPage(context, ticket, half);
}

/** Distinguishes the passwords of an account without revealing anything else. */
export function passwordMark(reader: Reader, user_id: number): string {
  const hash = reader.passwords.get(user_id)?.hash ?? "";
  return createHash("sha256").update(hash).digest("hex");
}

export const PASSKEY_SCRIPT = "/static/passkeys.js";

export function secondFactorPage(
  { realm, request }: PageRequest,
  ticket: string,
  { user_id, loginRedirect }: PendingSignIn,
  options: PageOptions = {},
): Response {
  const { read } = realm;
  const hasPasskeys = passkeysOf(read, user_id).length > 0;
  const user = read.users.get(user_id)!;
  const { translate } = userTranslator(user);
  const codes = translate(hasApp(read, user_id) ? "app-code-or-recovery" : "recovery-code");
  const passkey = markup`<form method="post" action="/accounts/login/passkey/"
  data-passkey="sign-in" data-trouble="${translate("passkey-not-given")}" hidden>`;
  return formPage(
    { realm, request, user },
    translate("second-step"),
    (csrf) => markup`<p>${translate("factor-guards")}</p>
${
  hasPasskeys
    ? markup`${passkey}
${csrf}<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="credential">
<button type="submit">${translate("use-passkey")}</button>
</form>`
    : markup``
}
<form method="post" action="/accounts/login/second-factor/">
${csrf}<input type="hidden" name="ticket" value="${ticket}">
<label for="code">${codes}</label>
<input id="code" name="code" required autocomplete="one-time-code" autocapitalize="off"
  spellcheck="false"${hasPasskeys ? markup`` : markup` autofocus`}>
<button type="submit">${translate("go-on")}</button>
</form>
<p class="foot">${translate("factor-lost")}</p>`,
    {
      ...options,
      schemes: schemesOf(loginRedirect),
      ...(hasPasskeys && { script: PASSKEY_SCRIPT }),
    },
  );
}
