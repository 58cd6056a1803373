// The section of the account page about second factors.
import type { Context } from "../../endpoint.ts";
import type { Passkey } from "../../schema/records-people.ts";
import { passwordField } from "../pages/form.ts";
import { hasPassword } from "../passwords/confirm.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import { hasApp, hasSecondFactor, passkeysOf } from "./access.ts";
import { recoveryCodesLeft } from "./recovery.ts";
import { PASSKEY_NAME_LENGTH_MAX } from "./rules.ts";

/** Returns the data of the section for clients. */
export function factorsObject(context: Context) {
  const reader = context.realm.read;
  const { user_id } = context.user;
  const passkeys = passkeysOf(reader, user_id);
  return {
    has_password: hasPassword(context),
    has_app: hasApp(reader, user_id),
    passkeys: passkeys.map(({ passkey_id, name, created, last_used }) => {
      return { passkey_id, name, created, last_used };
    }),
    recovery_codes_left: recoveryCodesLeft(reader, user_id),
  };
}

export function factorsSection(context: Context, csrf: Html): Html {
  const reader = context.realm.read;
  const { user_id } = context.user;
  if (!hasPassword(context) && !hasSecondFactor(reader, user_id)) return markup``;
  const { translate } = userTranslator(context.user);
  const state = hasSecondFactor(reader, user_id)
    ? markup`<p>${translate("factor-asked", { count: recoveryCodesLeft(reader, user_id) })}</p>
<form method="post" action="/account/recovery/">
${csrf}${passwordField(context, "recovery-password")}
<button type="submit">${translate("new-recovery-codes")}</button>
</form>`
    : markup`<p>${translate("factor-prevents")}</p>`;
  return markup`<h2>${translate("second-factor")}</h2>
${state}
${appForms(context, csrf)}
${passkeyForms(context, csrf)}`;
}

function appForms(context: Context, csrf: Html): Html {
  const { translate } = userTranslator(context.user);
  const hasOne = hasApp(context.realm.read, context.user.user_id);
  const action = hasOne ? "/account/app/remove/" : "/account/app/";
  return markup`<h3>${translate("authenticator-app")}</h3>
<form method="post" action="${action}">
${csrf}${passwordField(context, "app-password")}
<button type="submit">${translate(hasOne ? "remove-app" : "set-up-an-app")}</button>
</form>`;
}

function passkeyForms(context: Context, csrf: Html): Html {
  const { translate } = userTranslator(context.user);
  const passkeys = passkeysOf(context.realm.read, context.user.user_id);
  const row = ({ passkey_id, name }: Passkey) => markup`<li>
<form method="post" action="/account/passkeys/remove/">
${csrf}<input type="hidden" name="passkey_id" value="${passkey_id}">
<p>${name}</p>
${passwordField(context, `passkey-password-${passkey_id}`)}
<button type="submit">${translate("remove")}</button>
</form></li>`;
  return markup`<h3>${translate("passkeys")}</h3>
<ul>${passkeys.map(row)}</ul>
<form method="post" action="/account/passkeys/" data-passkey="make"
  data-trouble="${translate("passkey-not-given")}" hidden>
${csrf}<input type="hidden" name="ticket"><input type="hidden" name="credential">
<label for="passkey-name">${translate("name-of-passkey")}</label>
<input id="passkey-name" name="name" required maxlength="${PASSKEY_NAME_LENGTH_MAX}">
${passwordField(context, "passkey-password")}
<button type="submit">${translate("add-passkey")}</button>
</form>`;
}
