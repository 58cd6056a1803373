// Shared parts of the pages on which users set a new password.
import type { Context } from "../../endpoint.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "./rules.ts";

/** Apps have keys of their own, so that a new password alone does not shut them out. */
export const endKeysField = ({
  translate,
}: Translator): Html => markup`<p><label><input name="end_api_keys"
  type="checkbox" value="true"> ${translate("end-keys")}</label></p>`;

/**
 * Fields for a new password with this label and the requirements. `focus`: the field is the first
 * of the page.
 */
export const newPasswordField = (
  { translate }: Translator,
  label: "your-password" | "your-new-password",
  focus = markup``,
): Html => markup`<label for="password">${translate(label)}</label>
<input id="password" name="password" type="password" required
  minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"
  autocomplete="new-password" aria-describedby="password-hint"${focus}>
<p class="hint" id="password-hint">
${translate("password-hint", { least: PASSWORD_LENGTH_MIN })}</p>`;

/** Section of the account page. Empty for users without a password on this server. */
export function passwordSection({ realm, user }: Context, csrf: Html): Html {
  if (!realm.read.passwords.has(user.user_id)) return markup``;
  const translator = userTranslator(user);
  const { translate } = translator;
  return markup`<h2>${translate("password")}</h2>
<form method="post" action="/account/password/">
${csrf}
<label for="old-password">${translate("your-password-until-now")}</label>
<input id="old-password" name="old_password" type="password" required
  autocomplete="current-password">
<label for="new-password">${translate("your-new-password")}</label>
<input id="new-password" name="new_password" type="password" required
  minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"
  autocomplete="new-password">
${endKeysField(translator)}
<p class="hint">${translate("others-signed-out")}</p>
<button type="submit">${translate("set-new-password")}</button>
</form>`;
}
