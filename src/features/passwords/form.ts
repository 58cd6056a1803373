// What the pages share on which somebody sets a new password.
import type { Context } from "../../endpoint.ts";
import { type Html, markup } from "../pages/page.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "./rules.ts";

/** Apps have keys of their own, so that a new password alone does not shut them out. */
export const END_KEYS: Html = markup`<p><label><input name="end_api_keys" type="checkbox"
  value="true"> Sign all apps out too: end every app password and API key. Choose it if somebody
else may know your password.</label></p>`;

/** A new password, under this label; with what is asked of it. */
export const newPasswordField = (
  label: string,
): Html => markup`<label for="password">${label}</label>
<input id="password" name="password" type="password" required
  minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"
  autocomplete="new-password" aria-describedby="password-hint">
<p class="hint" id="password-hint">At least ${PASSWORD_LENGTH_MIN} characters, and
not easy to guess.</p>`;

/** Of the account page; nothing for who has no password here. */
export function passwordSection({ realm, user }: Context, csrf: Html): Html {
  if (!realm.read.passwords.has(user.user_id)) return markup``;
  return markup`<h2>Password</h2>
<form method="post" action="/account/password/">
${csrf}
<label for="old-password">Your password until now</label>
<input id="old-password" name="old_password" type="password" required
  autocomplete="current-password">
<label for="new-password">Your new password</label>
<input id="new-password" name="new_password" type="password" required
  minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"
  autocomplete="new-password">
${END_KEYS}
<p class="hint">Every other browser is signed out.</p>
<button type="submit">Set the new password</button>
</form>`;
}
