// Setting up second factors, and taking them away: what the forms of the account page ask for.
import { type Context, defaulted, endpoint, int, text, textOf } from "../../endpoint.ts";
import { codeWrong, nameMissing, signInExpired } from "../../errors-people.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../records-people.ts";
import { Html, markup } from "../realm/page.ts";
import { findTicket, issueTicket, useUp } from "../realm/tickets.ts";
import { onAccountPage } from "../sessions/account.ts";
import { attempt } from "../sessions/attempts.ts";
import { formPage } from "../sessions/form.ts";
import { ACCOUNT_PAGE } from "../sessions/going.ts";
import { checkOwnPassword } from "../sessions/password.ts";
import { hasApp, hasSecondFactor } from "./access.ts";
import { keepAppSecret, newAppSecret, periodOf, removeApp, usePeriod } from "./app.ts";
import { addPasskey, creationOptions, madePasskey, removePasskey } from "./passkeys.ts";
import { dropIfNeedless, renewRecoveryCodes } from "./recovery.ts";
import { PASSKEY_NAME_LENGTH_MAX } from "./rules.ts";

const MAKING = "passkey";
const password = defaulted(text, "");

export const setUpApp = endpoint({
  params: { password },
  run: (context, given) =>
    onAccountPage(context, async () => {
      const { realm, user, address } = context;
      await checkOwnPassword(realm, user, { password: given.password, address });
      if (hasApp(realm.read, user.user_id)) return undefined;
      const { secret, sealed, uri } = await newAppSecret(realm, user);
      await realm.write((tx) => keepAppSecret(tx, user, sealed));
      return appPage(context, secret, uri);
    }),
});

async function appPage(context: Context, secret: string, uri: string): Promise<Response> {
  const { renderSVG } = await import("uqr");
  const picture = new Html(renderSVG(uri));
  const body = (csrf: Html) => markup`<p>Scan this with your authenticator app, or type the key in,
and then give the code that the app shows.</p>
${picture}
<pre>${secret}</pre>
<p><a href="${uri}">Open it on this device</a></p>
<form method="post" action="/account/app/confirm/">
${csrf}
<label for="code">The code that the app shows</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code">
<button type="submit">Go on</button>
</form>`;
  return formPage(context, "Set up an authenticator app", body);
}

export const confirmApp = endpoint({
  params: { code: defaulted(text, "") },
  run: (context, { code }) =>
    onAccountPage(context, async () => {
      const { realm, user, address } = context;
      const { user_id } = user;
      const counted = attempt(realm, `factor ${user_id}`, address);
      const period = await periodOf(realm, user_id, code.replaceAll(/\s/g, ""));
      const codes = await realm.write((tx) => {
        if (period === undefined) throw codeWrong();
        return guarded(tx, user_id, () => {
          if (!usePeriod(tx, user_id, period)) throw codeWrong();
        });
      });
      counted.succeeded();
      return codes && codesPage(context, codes);
    }),
});

/** With the first second factor come the recovery codes. */
function guarded(tx: Writer, user_id: number, add: () => void): string[] | undefined {
  const wasGuarded = hasSecondFactor(tx, user_id);
  add();
  return wasGuarded ? undefined : renewRecoveryCodes(tx, user_id);
}

function codesPage(context: Context, codes: readonly string[]): Response {
  const body = () => markup`<p>Keep these where you find them without your phone. Each lets you in
once, with your password. They are not shown again.</p>
<pre>${codes.join("\n")}</pre>
<p><a href="${ACCOUNT_PAGE}">Back to your account</a></p>`;
  return formPage(context, "Your recovery codes", body);
}

export const dropApp = endpoint({
  params: { password },
  run: (context, given) =>
    onAccountPage(context, async () => {
      const { realm, user, address } = context;
      await checkOwnPassword(realm, user, { password: given.password, address });
      await realm.write((tx) => {
        removeApp(tx, user.user_id);
        dropIfNeedless(tx, user.user_id);
      });
    }),
});

export const renewCodes = endpoint({
  params: { password },
  run: (context, given) =>
    onAccountPage(context, async () => {
      const { realm, user, address } = context;
      await checkOwnPassword(realm, user, { password: given.password, address });
      if (!hasSecondFactor(realm.read, user.user_id)) return undefined;
      const codes = await realm.write((tx) => renewRecoveryCodes(tx, user.user_id));
      return codesPage(context, codes);
    }),
});

/** For the script of the page, which then makes the passkey and sends the form. */
export const newPasskeyOptions = endpoint({
  params: { name: text, password },
  run: async ({ realm, user, address }, given) => {
    await checkOwnPassword(realm, user, { password: given.password, address });
    const { user_id } = user;
    const ticket = await realm.write((tx) => issueTicket(tx, MAKING, { user_id }));
    return { ticket, options: await creationOptions(realm, user, ticket) };
  },
});

export const makePasskey = endpoint({
  params: {
    name: textOf({ max: PASSKEY_NAME_LENGTH_MAX, trimmed: true }),
    ticket: defaulted(text, ""),
    credential: defaulted(text, ""),
  },
  run: (context, { name, ticket: token, credential }) =>
    onAccountPage(context, async () => {
      const { realm, user } = context;
      if (name === "") throw nameMissing();
      if (!ownTicket(realm.read, token, user.user_id)) throw signInExpired();
      const made = await madePasskey(realm, token, credential);
      const codes = await realm.write((tx) => {
        const ticket = ownTicket(tx, token, user.user_id);
        if (!ticket) throw signInExpired();
        useUp(tx, ticket);
        return guarded(tx, user.user_id, () => addPasskey(tx, user, made, name));
      });
      return codes && codesPage(context, codes);
    }),
});

function ownTicket(reader: Reader, token: string, user_id: number): Ticket | undefined {
  const ticket = findTicket(reader, MAKING, token);
  return (ticket?.payload as { user_id: number } | undefined)?.user_id === user_id
    ? ticket
    : undefined;
}

export const dropPasskey = endpoint({
  params: { passkey_id: int, password },
  run: (context, { passkey_id, ...given }) =>
    onAccountPage(context, async () => {
      const { realm, user, address } = context;
      await checkOwnPassword(realm, user, { password: given.password, address });
      await realm.write((tx) => {
        removePasskey(tx, user, passkey_id);
        dropIfNeedless(tx, user.user_id);
      });
    }),
});
