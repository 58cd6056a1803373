// Adds and removes second factors with the forms of the account page.
import { codeWrong, nameMissing, signInExpired } from "../../contract/errors/people.ts";
import { type Context, defaulted, endpoint, int, text, textOf } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import { formPage } from "../pages/form.ts";
import { ACCOUNT_PAGE } from "../pages/login-redirect.ts";
import { button } from "../pages/page.ts";
import { startAttempt } from "../passwords/attempts.ts";
import { checkOwnPassword } from "../passwords/confirm.ts";
import { findTicket, issueTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { Html, markup } from "../i18n/markup.ts";
import { hasApp, hasSecondFactor } from "../two-factor/access.ts";
import {
  storeAppSecret,
  newAppSecret,
  periodOf,
  removeApp,
  usePeriod,
} from "../two-factor/totp.ts";
import {
  addPasskey,
  creationOptions,
  verifyNewPasskey,
  removePasskey,
} from "../two-factor/passkeys.ts";
import { dropUnneededCodes, renewRecoveryCodes } from "../two-factor/recovery.ts";
import { PASSKEY_NAME_LENGTH_MAX } from "../two-factor/rules.ts";
import { logSecurityEvent } from "../security-log/log.ts";
import { handleAccountForm, type ActionResult } from "./account.ts";

const NEW_PASSKEY = "passkey";
const password = defaulted(text, "");

export const setUpApp = endpoint({
  summary: "Start setting up an authenticator app",
  tag: "Pages",
  params: { password },
  run: (context, input) =>
    handleAccountForm(context, async () => {
      const { realm, user } = context;
      const confirmed = await checkOwnPassword(context, input.password);
      if (hasApp(realm.read, user.user_id)) return undefined;
      const { secret, sealed, uri } = await newAppSecret(realm, user);
      await realm.write((tx) => storeAppSecret(tx, confirmed(tx), sealed));
      const { renderSVG } = await import("uqr");
      const shared = { secret, uri, picture: renderSVG(uri) };
      return { page: () => appPage(context, shared), data: shared };
    }),
});

/** The secret for an authenticator app, also as a QR code in SVG. */
interface AppSecret {
  readonly secret: string;
  readonly uri: string;
  readonly picture: string;
}

function appPage(context: Context, { secret, uri, picture }: AppSecret): Response {
  const { translate } = userTranslator(context.user);
  const body = (csrf: Html) => markup`<p>${translate("scan-this")}</p>
${new Html(picture)}
<pre>${secret}</pre>
<p><a href="${uri}">${translate("open-on-device")}</a></p>
<form method="post" action="/account/app/confirm/">
${csrf}
<label for="code">${translate("app-code")}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code">
<button type="submit">${translate("go-on")}</button>
</form>`;
  return formPage(context, translate("set-up-app"), body);
}

export const confirmApp = endpoint({
  summary: "Finish setting up an authenticator app",
  tag: "Pages",
  params: { code: defaulted(text, "") },
  run: (context, { code }) =>
    handleAccountForm(context, async () => {
      const { realm, user, address } = context;
      const { user_id } = user;
      const counted = startAttempt(realm, `factor ${user_id}`, address);
      const period = await periodOf(realm, user_id, code.replaceAll(/\s/g, ""));
      const codes = await realm.write((tx) => {
        if (period === undefined) throw codeWrong();
        return withRecoveryCodes(tx, user_id, () => {
          if (!usePeriod(tx, user_id, period)) throw codeWrong();
        });
      });
      counted.succeeded();
      logSecurityEvent(realm, "a second factor was set up", { user_id, address, method: "app" });
      return codes && recoveryCodesResult(context, codes);
    }),
});

/** Creates recovery codes together with the first second factor of a user. */
function withRecoveryCodes(tx: Writer, user_id: number, add: () => void): string[] | undefined {
  const hadSecondFactor = hasSecondFactor(tx, user_id);
  add();
  return hadSecondFactor ? undefined : renewRecoveryCodes(tx, user_id);
}

function recoveryCodesResult(context: Context, codes: readonly string[]): ActionResult {
  return { page: () => codesPage(context, codes), data: { recovery_codes: codes } };
}

function codesPage(context: Context, codes: readonly string[]): Response {
  const { translate } = userTranslator(context.user);
  const body = () => markup`<p>${translate("recovery-codes-mean")}</p>
<pre>${codes.join("\n")}</pre>
${button(ACCOUNT_PAGE, translate("back-to-account"))}`;
  return formPage(context, translate("your-recovery-codes"), body);
}

export const dropApp = endpoint({
  summary: "Remove the authenticator app",
  tag: "Pages",
  params: { password },
  run: (context, input) =>
    handleAccountForm(context, async () => {
      const { realm, user, address } = context;
      const confirmed = await checkOwnPassword(context, input.password);
      await realm.write((tx) => {
        removeApp(tx, confirmed(tx).user_id);
        dropUnneededCodes(tx, user.user_id);
      });
      const { user_id } = user;
      logSecurityEvent(realm, "a second factor was taken away", {
        user_id,
        address,
        method: "app",
      });
    }),
});

export const renewCodes = endpoint({
  summary: "Create new recovery codes",
  tag: "Pages",
  params: { password },
  run: (context, input) =>
    handleAccountForm(context, async () => {
      const { realm, user } = context;
      const confirmed = await checkOwnPassword(context, input.password);
      if (!hasSecondFactor(realm.read, user.user_id)) return undefined;
      const codes = await realm.write((tx) => renewRecoveryCodes(tx, confirmed(tx).user_id));
      return recoveryCodesResult(context, codes);
    }),
});

/**
 * Returns the options with which the page's script creates the passkey before it submits the form.
 */
export const newPasskeyOptions = endpoint({
  summary: "Get the options for creating a passkey",
  tag: "Pages",
  params: { name: text, password },
  run: async (context, input) => {
    const { realm, user } = context;
    const confirmed = await checkOwnPassword(context, input.password);
    const ticket = await realm.write((tx) => {
      const { user_id } = confirmed(tx);
      return issueTicket(tx, NEW_PASSKEY, { user_id });
    });
    return { ticket, options: await creationOptions(realm, user, ticket) };
  },
});

export const makePasskey = endpoint({
  summary: "Add a passkey",
  tag: "Pages",
  params: {
    name: textOf({ max: PASSKEY_NAME_LENGTH_MAX, trimmed: true, line: true }),
    ticket: defaulted(text, ""),
    credential: defaulted(text, ""),
  },
  run: (context, { name, ticket: token, credential }) =>
    handleAccountForm(context, async () => {
      const { realm, user, address } = context;
      if (name === "") throw nameMissing();
      if (!ownTicket(realm.read, token, user.user_id)) throw signInExpired();
      const created = await verifyNewPasskey(realm, token, credential);
      const codes = await realm.write((tx) => {
        const ticket = ownTicket(tx, token, user.user_id);
        if (!ticket) throw signInExpired();
        invalidateTicket(tx, ticket);
        return withRecoveryCodes(tx, user.user_id, () => addPasskey(tx, user, created, name));
      });
      const { user_id } = user;
      logSecurityEvent(realm, "a second factor was set up", {
        user_id,
        address,
        method: "passkey",
      });
      return codes && recoveryCodesResult(context, codes);
    }),
});

function ownTicket(reader: Reader, token: string, user_id: number): Ticket | undefined {
  const ticket = findTicket(reader, NEW_PASSKEY, token);
  return (ticket?.payload as { user_id: number } | undefined)?.user_id === user_id
    ? ticket
    : undefined;
}

export const dropPasskey = endpoint({
  summary: "Remove a passkey",
  tag: "Pages",
  params: { passkey_id: int, password },
  run: (context, { passkey_id, ...input }) =>
    handleAccountForm(context, async () => {
      const { realm, user, address } = context;
      const confirmed = await checkOwnPassword(context, input.password);
      await realm.write((tx) => {
        removePasskey(tx, confirmed(tx), passkey_id);
        dropUnneededCodes(tx, user.user_id);
      });
      const { user_id } = user;
      logSecurityEvent(realm, "a second factor was taken away", {
        user_id,
        address,
        method: "passkey",
      });
    }),
});
