// The forms on which people join, and the account that is made of what they fill in.
import { emailInvalid, passwordTooWeak, tooManySignUps } from "../../contract/errors/people.ts";
import type { OpenContext } from "../../endpoint.ts";
import { perRealm, type Realm, type Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { iconOf } from "../pages/form.ts";
import { type Html, markup, page } from "../pages/page.ts";
import { hashPassword } from "../passwords/hash.ts";
import { newPasswordField } from "../passwords/form.ts";
import { isStrongPassword } from "../passwords/strength.ts";
import { checkedEmail, checkedName } from "../people/names.ts";
import { checkAddress } from "../realm/addresses.ts";
import { FULL_NAME_LENGTH_MAX } from "../rights/rules.ts";
import type { Newcomer } from "./join.ts";
import { PROOF_SCRIPT } from "./proof.ts";

/** Of forms sent from one network: a class or an office may join at once. */
export const SIGN_UPS_BY_NETWORK = { calls: 200, seconds: 3600 };

const signUps = perRealm((realm) => new Limiter(realm.clock, SIGN_UPS_BY_NETWORK));

/** What a form holds; the password is never sent back. */
export interface Entered {
  readonly full_name: string;
  readonly email: string;
}

export interface Framed {
  readonly invitation?: Invitation | undefined;
  /** The address is known already: it is shown, and cannot be changed. */
  readonly isFixed?: boolean;
  /** Where the form goes, if not to its own page, and the key that it takes along. */
  readonly onward?: { readonly action: string; readonly key: string };
  readonly refusal?: string | undefined;
  /** What the browser has to do before the form is sent. */
  readonly proof?: Html | undefined;
  /** Where people sign in whom another server knows. */
  readonly login?: string | undefined;
}

/** Who sends many forms tries addresses out. */
export function checkSignUps({ realm, address }: OpenContext): void {
  const standing = signUps(realm).take(networkOf(address));
  if (!standing.allowed && realm.config.rate_limits) throw tooManySignUps();
}

/** What can be refused cheaply is refused before the hashing, and again in the transaction. */
export async function made(
  context: OpenContext,
  { full_name, email }: Entered,
  password: string,
  create: (tx: Writer, newcomer: Newcomer) => User,
): Promise<Response> {
  const { realm } = context;
  checkSignUps(context);
  checkedName(realm.read, full_name);
  if (email.trim() === "") throw emailInvalid();
  checkAddress(realm.read, checkedEmail(realm.read, email));
  const known = [full_name, email, realm.read.settings.name];
  if (!(await isStrongPassword(password, known))) throw passwordTooWeak();

  const password_hash = await hashPassword(password);
  const user = await realm.write((tx) => create(tx, { full_name, email, password_hash }));
  return welcomePage(realm, user);
}

/** All that an account needs. */
export function accountPage(
  realm: Realm,
  { full_name, email }: Entered,
  { isFixed = false, onward, ...framing }: Framed,
): Response {
  const address = isFixed
    ? markup`<input id="email" type="email" readonly value="${email}"
  aria-describedby="email-hint">`
    : emailField(email);
  const [to, key] = onward
    ? [
        markup` action="${onward.action}"`,
        markup`<input type="hidden" name="key" value="${onward.key}">`,
      ]
    : [markup``, markup``];
  const form = markup`<form method="post"${to}>
${key}${framing.proof ?? markup``}<label for="email">Your e-mail address</label>
${address}
<p class="hint" id="email-hint">You sign in with it.</p>
<label for="full_name">Your name</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${full_name}">
${newPasswordField("Your password")}
<button type="submit">Join</button>
</form>`;
  return framed(realm, form, framing);
}

/** The address alone, to which a link goes. */
export function addressPage(realm: Realm, email: string, framing: Framed): Response {
  const form = markup`<form method="post">
${framing.proof ?? markup``}<label for="email">Your e-mail address</label>
${emailField(email)}
<p class="hint" id="email-hint">You get a letter with a link there, and go on with that.</p>
<button type="submit">Send me the link</button>
</form>`;
  return framed(realm, form, framing);
}

function emailField(email: string): Html {
  return markup`<input id="email" name="email" type="email" required autocomplete="email"
  value="${email}" aria-describedby="email-hint">`;
}

const framingOf = (realm: Realm) => ({ icon: iconOf(realm), saying: "joining" as const });

function framed(realm: Realm, form: Html, framing: Framed): Response {
  const { invitation, refusal, login, proof } = framing;
  const { read } = realm;
  const { name } = read.settings;
  const inviter = invitation && read.users.get(invitation.invited_by_user_id);
  const trouble =
    refusal === undefined ? markup`` : markup`<p class="refusal" role="alert">${refusal}</p>`;
  const by = inviter
    ? markup`<p>${inviter.full_name} invites you to join ${name}.</p>`
    : markup`<p>Make yourself an account in ${name}.</p>`;
  const or = markup`<p class="or">or</p>
<a class="button" href="${login ?? ""}">Sign in by a server that knows you</a>`;
  const foot = markup`<p class="foot">Already here? <a href="/login/">Sign in</a>.</p>`;
  const status = refusal === undefined ? 200 : 400;
  return page(`Join ${name}`, markup`${trouble}${by}${form}${login ? or : ""}${foot}`, status, {
    ...framingOf(realm),
    ...(proof && { script: PROOF_SCRIPT }),
  });
}

function welcomePage(realm: Realm, { delivery_email }: User): Response {
  const body = markup`<p>Your account is made.</p>
<a class="button first" href="/login/">Sign in</a>
<p>You do so as <code>${delivery_email}</code>, with the password that you have just chosen. Other
clients want the address of the server: <code>${realm.config.url}</code>.</p>`;
  return page(`Welcome to ${realm.read.settings.name}`, body, 200, framingOf(realm));
}
