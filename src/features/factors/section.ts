// The part of the account page that is about second factors.
import type { Reader } from "../../realm.ts";
import type { Passkey } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { type Html, markup } from "../realm/page.ts";
import { hasApp, hasSecondFactor, passkeysOf } from "./access.ts";
import { PASSKEY_NAME_LENGTH_MAX } from "./rules.ts";
import { recoveryCodesLeft } from "./recovery.ts";

export function factorsSection(reader: Reader, user: User, csrf: Html): Html {
  const { user_id } = user;
  if (!reader.passwords.has(user_id) && !hasSecondFactor(reader, user_id)) return markup``;
  const state = hasSecondFactor(reader, user_id)
    ? markup`<p>Whoever signs in with your password is asked for a second factor.
${recoveryCodesLeft(reader, user_id)} recovery codes are left.</p>
<form method="post" action="/account/recovery/">
${csrf}${ownPassword("recovery-password")}
<button type="submit">Make new recovery codes</button>
</form>`
    : markup`<p>Whoever knows your password can sign in as you. A second factor prevents it.</p>`;
  return markup`<h2>Second factor</h2>
${state}
${appForms(reader, user, csrf)}
${passkeyForms(reader, user, csrf)}`;
}

function ownPassword(id: string): Html {
  return markup`<label for="${id}">Your password</label>
<input id="${id}" name="password" type="password" required autocomplete="current-password">`;
}

function appForms(reader: Reader, { user_id }: User, csrf: Html): Html {
  const hasOne = hasApp(reader, user_id);
  const action = hasOne ? "/account/app/remove/" : "/account/app/";
  return markup`<h3>Authenticator app</h3>
<form method="post" action="${action}">
${csrf}${ownPassword("app-password")}
<button type="submit">${hasOne ? "Remove the app" : "Set up an app"}</button>
</form>`;
}

function passkeyForms(reader: Reader, { user_id }: User, csrf: Html): Html {
  const row = ({ passkey_id, name }: Passkey) => markup`<li>
<form method="post" action="/account/passkeys/remove/">
${csrf}<input type="hidden" name="passkey_id" value="${passkey_id}">
<p>${name}</p>
${ownPassword(`passkey-password-${passkey_id}`)}
<button type="submit">Remove</button>
</form></li>`;
  return markup`<h3>Passkeys</h3>
<ul>${passkeysOf(reader, user_id).map(row)}</ul>
<form method="post" action="/account/passkeys/" data-passkey="make" hidden>
${csrf}<input type="hidden" name="ticket"><input type="hidden" name="credential">
<label for="passkey-name">Name of the passkey</label>
<input id="passkey-name" name="name" required maxlength="${PASSKEY_NAME_LENGTH_MAX}">
${ownPassword("passkey-password")}
<button type="submit">Add a passkey</button>
</form>`;
}
