// The pages on which people join: forms that work without scripts.
import { defaulted, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import { emailInvalid, passwordTooWeak, Refusal, tooManySignUps } from "../../errors.ts";
import { perRealm, type Realm, type Writer } from "../../realm.ts";
import type { Invitation, User } from "../../records.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { hashOfKey } from "../keys/random.ts";
import { hashPassword } from "../passwords/hash.ts";
import { isStrongPassword } from "../passwords/strength.ts";
import { checkAddress } from "../realm/addresses.ts";
import { markup, page } from "../realm/page.ts";
import { FULL_NAME_LENGTH_MAX } from "../users/rules.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../realm/settings.ts";
import { checkedEmail, checkedName } from "../users/names.ts";
import { invitationOf } from "./access.ts";
import { joinByInvitation, type Newcomer, signUp } from "./join.ts";
import { isClosed as isRealmClosed } from "../realm/access.ts";

/** Of forms sent from one network: a class or an office may join at once. */
export const SIGN_UPS_BY_NETWORK = { calls: 200, seconds: 3600 };
const GONE = 410;
const FORBIDDEN = 403;

const signUps = perRealm((realm) => new Limiter(realm.clock, SIGN_UPS_BY_NETWORK));

/** What the form holds; the password is never sent back. */
interface Entered {
  full_name: string;
  email: string;
}

const fields = {
  full_name: defaulted(text, ""),
  email: defaulted(text, ""),
  password: defaulted(text, ""),
};

export const showJoin = openEndpoint({
  params: { key: text },
  run: ({ realm }, { key }) => {
    const invitation = invited(realm, key);
    if (!invitation) return linkEnded();
    return formPage(realm, { full_name: "", email: "" }, invitation);
  },
});

export const join = openEndpoint({
  params: { key: text, ...fields },
  run: async (context, { key, password, ...entered }) => {
    const { realm } = context;
    const invitation = invited(realm, key);
    if (!invitation) return linkEnded();
    const wanted = { ...entered, email: invitation.email ?? entered.email };
    try {
      const hash = hashOfKey(key);
      return await made(context, wanted, password, (tx, newcomer) =>
        joinByInvitation(tx, hash, newcomer),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the invitation may have ended.
      if (!invited(realm, key)) return linkEnded();
      return formPage(realm, wanted, invitation, error.message);
    }
  },
});

export const showSignUp = openEndpoint({
  params: {},
  run: ({ realm }) =>
    isClosed(realm) ? closedPage() : formPage(realm, { full_name: "", email: "" }),
});

export const postSignUp = openEndpoint({
  params: fields,
  run: async (context, { password, ...entered }) => {
    const { realm } = context;
    if (isClosed(realm)) return closedPage();
    try {
      return await made(context, entered, password, signUp);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return formPage(realm, entered, undefined, error.message);
    }
  },
});

const isClosed = (realm: Realm) => !isHere(realm) || realm.read.settings.invite_required;
const isHere = ({ read }: Realm) => read.realm.has(1) && !isRealmClosed(read);

function invited(realm: Realm, key: string): Invitation | undefined {
  return isHere(realm) ? invitationOf(realm.read, hashOfKey(key)) : undefined;
}

/**
 * A link lets one try addresses out, so tries count. What can be refused cheaply is refused before
 * the hashing, and again in the transaction.
 */
async function made(
  { realm, address }: OpenContext,
  { full_name, email }: Entered,
  password: string,
  create: (tx: Writer, newcomer: Newcomer) => User,
): Promise<Response> {
  const standing = signUps(realm).take(networkOf(address));
  if (!standing.allowed && realm.config.rate_limits) throw tooManySignUps();
  checkedName(realm.read, full_name);
  if (email.trim() === "") throw emailInvalid();
  checkAddress(realm.read, checkedEmail(realm.read, email));
  const known = [full_name, email, realm.read.settings.name];
  if (!(await isStrongPassword(password, known))) throw passwordTooWeak();

  const password_hash = await hashPassword(password);
  const user = await realm.write((tx) => create(tx, { full_name, email, password_hash }));
  return welcomePage(realm, user);
}

function formPage(
  realm: Realm,
  { full_name, email }: Entered,
  invitation?: Invitation,
  refusal?: string,
): Response {
  const { name } = realm.read.settings;
  const inviter = invitation && realm.read.users.get(invitation.invited_by_user_id);
  const trouble = markup`<p class="refusal" role="alert">${refusal ?? ""}</p>`;
  const by = inviter
    ? markup`<p>${inviter.full_name} invites you to join ${name}.</p>`
    : markup`<p>Make yourself an account in ${name}.</p>`;
  const address = invitation?.email
    ? markup`<input id="email" type="email" readonly value="${invitation.email}"
  aria-describedby="email-hint">`
    : markup`<input id="email" name="email" type="email" required autocomplete="email"
  value="${email}" aria-describedby="email-hint">`;
  const body = markup`${refusal === undefined ? "" : trouble}
${by}
<form method="post">
<label for="email">Your e-mail address</label>
${address}
<p class="hint" id="email-hint">You sign in with it.</p>
<label for="full_name">Your name</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${full_name}">
<label for="password">Your password</label>
<input id="password" name="password" type="password" required
  minlength="${PASSWORD_LENGTH_MIN}" maxlength="${PASSWORD_LENGTH_MAX}"
  autocomplete="new-password" aria-describedby="password-hint">
<p class="hint" id="password-hint">At least ${PASSWORD_LENGTH_MIN} characters, and
not easy to guess.</p>
<button type="submit">Join</button>
</form>`;
  return page(`Join ${name}`, body, refusal === undefined ? 200 : 400);
}

function welcomePage(realm: Realm, { delivery_email }: User): Response {
  const body = markup`<p>Your account is made. In any client, give this as the address of the
server:</p>
<pre>${realm.config.url}</pre>
<p>Then sign in as <code>${delivery_email}</code> with the password that you have just chosen.</p>`;
  return page(`Welcome to ${realm.read.settings.name}`, body);
}

/** Used, revoked, expired, or never given: who has no good link learns no more. */
function linkEnded(): Response {
  const body = markup`<p>The invitation was used, taken back, or has expired. Ask whoever invited
you for another one.</p>`;
  return page("This link no longer works", body, GONE);
}

function closedPage(): Response {
  const body = markup`<p>To join, you need an invitation. Ask somebody who has an account
here.</p>`;
  return page("Joining needs an invitation", body, FORBIDDEN);
}
