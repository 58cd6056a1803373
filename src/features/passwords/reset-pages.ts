// The pages on which people who have forgotten the password ask for a link, and set a new one.
import { Refusal } from "../../contract/errors/general.ts";
import { emailNotAnAddress, passwordTooWeak, tooManyMails } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { bool, defaulted, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { type Html, markup, page } from "../pages/page.ts";
import { isClosed } from "../realm/access.ts";
import { isEmail } from "../rights/rules.ts";
import { knownCookie } from "../sessions/known.ts";
import { note } from "../watch/note.ts";
import { END_KEYS, newPasswordField } from "./form.ts";
import { hashPassword } from "./hash.ts";
import { askForReset, isFirst, resetPassword, userOfReset } from "./reset.ts";
import { isStrongPassword } from "./strength.ts";

export const RESETS_BY_ADDRESS = [
  { calls: 2, seconds: 3_600 },
  { calls: 5, seconds: DAY_SECONDS },
] as const;
export const RESETS_BY_NETWORK = { calls: 50, seconds: DAY_SECONDS };

const limits = perRealm(({ clock }) => ({
  byAddress: RESETS_BY_ADDRESS.map((rule) => new Limiter(clock, rule)),
  byNetwork: new Limiter(clock, RESETS_BY_NETWORK),
}));

const GONE = 410;

export const showResetForm = openEndpoint({
  summary: "The form of who forgot the password",
  tag: "Pages",
  params: {},
  run: ({ realm }) => (canMail(realm) ? formPage(realm, "") : noMailPage()),
});

export const postResetForm = openEndpoint({
  summary: "Have a link sent to set a new password",
  tag: "Pages",
  params: { email: defaulted(text, "") },
  run: async (context, { email: given }) => {
    const { realm } = context;
    if (!canMail(realm)) return noMailPage();
    const email = given.trim();
    try {
      if (!isEmail(email)) throw emailNotAnAddress();
      checkRate(context, foldedAddress(email));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return formPage(realm, email, error);
    }
    const user_id = realm.read.users.one("email", foldedAddress(email))?.user_id;
    note(realm, "a reset of a password was asked for", { user_id, address: context.address });
    await realm.write((tx) => askForReset(tx, email));
    const body = markup`<p>If there is an account with the address ${email}, a letter with a link is
on its way. Look among the unwanted mail too, if it does not come.</p>
<a class="button" href="/login/">Back to signing in</a>`;
    return page("Look into your mail", body);
  },
});

export const showReset = openEndpoint({
  summary: "The form to set a new password",
  tag: "Pages",
  params: { key: text },
  run: ({ realm }, { key }) => {
    const user = meant(realm, key);
    return user ? passwordPage(realm, user, key) : endedPage();
  },
});

export const postReset = openEndpoint({
  summary: "Set a new password",
  tag: "Pages",
  params: { key: text, password: defaulted(text, ""), end_api_keys: defaulted(bool, false) },
  run: async ({ realm, request, address }, { key, password, end_api_keys }) => {
    const user = meant(realm, key);
    if (!user) return endedPage();
    const known = [user.full_name, user.delivery_email, realm.read.settings.name];
    const isNewcomer = isFirst(realm.read, key);
    try {
      if (!(await isStrongPassword(password, known))) throw passwordTooWeak();
      const hash = await hashPassword(password);
      await realm.write((tx) => resetPassword(tx, key, hash, end_api_keys));
      note(realm, "a password was reset", { user_id: user.user_id, address });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the link may have been used.
      return meant(realm, key) ? passwordPage(realm, user, key, error) : endedPage();
    }
    const cookies = [knownCookie(realm, request, { user_id: user.user_id })];
    if (isNewcomer) return readyPage(user, cookies);
    const body = markup`<p>From now on you sign in as <code>${user.delivery_email}</code> with the
new password. Every browser is signed out.
${end_api_keys ? "All app passwords and API keys have ended." : "Apps stay signed in."}</p>
<a class="button first" href="/login/">Sign in</a>`;
    return page("Your password is changed", body, 200, { cookies });
  },
});

const isHere = ({ read }: Realm) => read.realm.has(1) && !isClosed(read);
const canMail = (realm: Realm) => isHere(realm) && realm.config.mail !== undefined;

function meant(realm: Realm, key: string): User | undefined {
  return isHere(realm) ? userOfReset(realm.read, key) : undefined;
}

/** By what was typed, whoever has it: a limit must not tell either. */
function checkRate({ realm, address }: OpenContext, email: string): void {
  const { byAddress, byNetwork } = limits(realm);
  const all = [
    byNetwork.take(networkOf(address)),
    ...byAddress.map((limiter) => limiter.take(email)),
  ];
  if (realm.config.rate_limits && all.some(({ allowed }) => !allowed)) throw tooManyMails();
}

const trouble = (refusal: Refusal | undefined): Html =>
  refusal ? markup`<p class="refusal" role="alert">${refusal.message}</p>` : markup``;

function formPage({ read }: Realm, email: string, refusal?: Refusal): Response {
  const body = markup`${trouble(refusal)}
<p>Say the address with which you sign in to ${read.settings.name}, and you get a letter with a link
to set a new password.</p>
<form method="post">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required autocomplete="email" value="${email}">
<button type="submit">Send me a link</button>
</form>`;
  return page("Forgotten your password?", body, refusal?.status);
}

function readyPage({ delivery_email }: User, cookies: string[]): Response {
  const body = markup`<p>You sign in as <code>${delivery_email}</code> with your password:
<a href="/login/">sign in</a> here, or in any app.</p>`;
  return page("You are ready", body, 200, { cookies });
}

function passwordPage(realm: Realm, user: User, key: string, refusal?: Refusal): Response {
  const isNewcomer = isFirst(realm.read, key);
  const { name } = realm.read.settings;
  const greeting = markup`<p>Hello ${user.full_name}, an account is made for you in ${name}, a place
for conversations. Choose a password, and you can come in.</p>`;
  const ending = markup`${END_KEYS}
<p class="hint">Every browser is signed out.</p>`;
  const body = markup`${trouble(refusal)}${isNewcomer ? greeting : markup``}
<form method="post">
<label for="email">Your e-mail address</label>
<input id="email" type="email" readonly autocomplete="username" value="${user.delivery_email}">
${newPasswordField(isNewcomer ? "Your password" : "Your new password")}
${isNewcomer ? markup`` : ending}
<button type="submit">Set it</button>
</form>`;
  const title = isNewcomer ? `Welcome to ${name}` : `Set a new password for ${name}`;
  return page(title, body, refusal?.status);
}

function noMailPage(): Response {
  const body = markup`<p>This server sends no mail, so it cannot send you a link. Ask whoever runs
it: <code>skein user reset-link</code> makes one.</p>
<a class="button" href="/login/">Back to signing in</a>`;
  return page("Forgotten your password?", body);
}

/** Used, expired, or never given: who has no good link learns no more. */
function endedPage(): Response {
  const body = markup`<p>The link was used, or it has expired.</p>
<a class="button first" href="/accounts/password/reset/">Ask for another one</a>`;
  return page("This link no longer works", body, GONE);
}
