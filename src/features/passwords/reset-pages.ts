// The pages on which people who have forgotten the password ask for a link, and set a new one.
import { defaulted, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import { emailNotAnAddress, passwordTooWeak, tooManyMails } from "../../errors-people.ts";
import { Refusal } from "../../errors.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { isClosed } from "../realm/access.ts";
import { type Html, markup, page } from "../realm/page.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../realm/settings.ts";
import { isEmail } from "../users/rules.ts";
import { hashPassword } from "./hash.ts";
import { askForReset, resetPassword, userOfReset } from "./reset.ts";
import { isStrongPassword } from "./strength.ts";

export const RESETS_BY_ADDRESS = [
  { calls: 2, seconds: 3_600 },
  { calls: 5, seconds: 86_400 },
] as const;
export const RESETS_BY_NETWORK = { calls: 50, seconds: 86_400 };

const limits = perRealm(({ clock }) => ({
  byAddress: RESETS_BY_ADDRESS.map((rule) => new Limiter(clock, rule)),
  byNetwork: new Limiter(clock, RESETS_BY_NETWORK),
}));

const GONE = 410;

export const showResetForm = openEndpoint({
  params: {},
  run: ({ realm }) => (canMail(realm) ? formPage(realm, "") : noMailPage()),
});

export const postResetForm = openEndpoint({
  params: { email: defaulted(text, "") },
  run: async (context, { email: given }) => {
    const { realm } = context;
    if (!canMail(realm)) return noMailPage();
    const email = given.trim();
    try {
      if (!isEmail(email)) throw emailNotAnAddress();
      checkRate(context, email.toLowerCase());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return formPage(realm, email, error);
    }
    await realm.write((tx) => askForReset(tx, email));
    const body = markup`<p>If there is an account with the address ${email}, a letter with a link is
on its way. Look among the unwanted mail too, if it does not come.</p>`;
    return page("Look into your mail", body);
  },
});

export const showReset = openEndpoint({
  params: { key: text },
  run: ({ realm }, { key }) => {
    const user = meant(realm, key);
    return user ? passwordPage(realm, user) : endedPage();
  },
});

export const postReset = openEndpoint({
  params: { key: text, password: defaulted(text, "") },
  run: async ({ realm }, { key, password }) => {
    const user = meant(realm, key);
    if (!user) return endedPage();
    const known = [user.full_name, user.delivery_email, realm.read.settings.name];
    try {
      if (!(await isStrongPassword(password, known))) throw passwordTooWeak();
      const hash = await hashPassword(password);
      await realm.write((tx) => resetPassword(tx, key, hash));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the link may have been used.
      return meant(realm, key) ? passwordPage(realm, user, error) : endedPage();
    }
    const body = markup`<p>From now on you sign in as <code>${user.delivery_email}</code> with the
new password.</p>`;
    return page("Your password is changed", body);
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

function passwordPage(realm: Realm, user: User, refusal?: Refusal): Response {
  const body = markup`${trouble(refusal)}
<form method="post">
<label for="email">Your e-mail address</label>
<input id="email" type="email" readonly autocomplete="username" value="${user.delivery_email}">
<label for="password">Your new password</label>
<input id="password" name="password" type="password" required
  minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"
  autocomplete="new-password" aria-describedby="password-hint">
<p class="hint" id="password-hint">At least ${PASSWORD_LENGTH_MIN} characters, and
not easy to guess.</p>
<button type="submit">Set it</button>
</form>`;
  const title = `Set a new password for ${realm.read.settings.name}`;
  return page(title, body, refusal?.status);
}

function noMailPage(): Response {
  const body = markup`<p>This server sends no mail, so it cannot send you a link. Ask whoever runs
it: <code>skein user reset-link</code> makes one.</p>`;
  return page("Forgotten your password?", body);
}

/** Used, expired, or never given: who has no good link learns no more. */
function endedPage(): Response {
  const body = markup`<p>The link was used, or it has expired. You can
<a href="/accounts/password/reset/">ask for another one</a>.</p>`;
  return page("This link no longer works", body, GONE);
}
