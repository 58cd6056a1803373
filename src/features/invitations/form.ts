// The sign-up forms, and the account created from them.
import type { Refusal } from "../../contract/errors/general.ts";
import {
  emailNotAnAddress,
  passwordTooWeak,
  tooManySignUps,
} from "../../contract/errors/people.ts";
import type { OpenContext, PageRequest } from "../../endpoint.ts";
import { perRealm, type Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { redirect, safeNext } from "../pages/login-redirect.ts";
import { button, firstButton, link, page } from "../pages/page.ts";
import { withError } from "../pages/form-errors.ts";
import { hashPassword } from "../passwords/hash.ts";
import { newPasswordField } from "../passwords/form.ts";
import { isStrongPassword } from "../passwords/strength.ts";
import { checkedEmail, checkedName } from "../people/names.ts";
import { checkAddress } from "../realm/addresses.ts";
import { FULL_NAME_LENGTH_MAX, isEmail } from "../rights/rules.ts";
import { beginFirstSession } from "../sessions/start.ts";
import { changeSetting } from "../settings/change/actions.ts";
import { hasWholeDays } from "../settings/time-format-rules.ts";
import { browserTranslator, translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import type { NewMember } from "./join.ts";
import { PROOF_SCRIPT } from "./proof.ts";

/** Forms from one network. High enough for a class or an office that joins at once. */
export const SIGN_UPS_BY_NETWORK = { calls: 200, seconds: 3600 };

const signUps = perRealm((realm) => new Limiter(realm.clock, SIGN_UPS_BY_NETWORK));

/** Values of a form. The password is never sent back. */
export interface EnteredFields {
  readonly full_name: string;
  readonly email: string;
}

interface FramedForm {
  readonly invitation?: Invitation | undefined;
  /** The address is already known; it is displayed but cannot be changed. */
  readonly isFixed?: boolean;
  /** The target of the form if it is another page, and the key that it submits. */
  readonly next?: { readonly action: string; readonly key: string };
  readonly refusal?: Refusal | undefined;
  /** Proof of work that the browser does before the form is sent. */
  readonly proof?: Html | undefined;
  /** Link to the sign-in page for users of identity providers. */
  readonly login?: string | undefined;
}

/** Limits the number of forms, which could be used to find out addresses. */
export function checkSignUps({ realm, address }: OpenContext): void {
  const attempt = signUps(realm).take(networkOf(address));
  if (!attempt.allowed && realm.config.rate_limits) throw tooManySignUps();
}

/**
 * Checks what is cheap before hashing the password, and again in the transaction. People who have
 * already joined continue to their target page.
 */
export async function createAccount(
  context: OpenContext,
  { full_name, email }: EnteredFields,
  password: string,
  create: (tx: Writer, newMember: NewMember) => User,
  next?: string,
): Promise<Response> {
  const { realm } = context;
  checkSignUps(context);
  checkedName(realm.read, full_name);
  if (!isEmail(email.trim())) throw emailNotAnAddress();
  checkAddress(realm.read, checkedEmail(realm.read, email));
  const guessableWords = [full_name, email, realm.read.settings.name];
  if (!(await isStrongPassword(password, guessableWords))) throw passwordTooWeak();

  const password_hash = await hashPassword(password);
  const language = browserTranslator(context.request)?.language;
  const { user, cookies } = await realm.write((tx) => {
    const { user_id } = create(tx, { full_name, email, password_hash });
    if (language) changeSetting(tx, user_id, "default_language", language);
    if (language && hasWholeDays(language)) {
      changeSetting(tx, user_id, "twenty_four_hour_time", true);
    }
    const newUser = tx.users.get(user_id)!;
    return { user: newUser, cookies: beginFirstSession(tx, context, newUser) };
  });
  if (cookies) return redirect(safeNext(realm.config.url, next), cookies);
  return welcomePage({ realm, request: context.request, user });
}

/** The form for a complete account. */
export function accountPage(
  requested: PageRequest,
  { full_name, email }: EnteredFields,
  { isFixed = false, next, ...framing }: FramedForm,
): Response {
  const translator = translatorOf(requested);
  const { translate } = translator;
  const address = isFixed
    ? markup`<input id="email" type="email" readonly value="${email}"
  aria-describedby="email-hint">`
    : emailField(email);
  const [to, key] = next
    ? [
        markup` action="${next.action}"`,
        markup`<input type="hidden" name="key" value="${next.key}">`,
      ]
    : [markup``, markup``];
  const form = markup`<form method="post"${to}>
${key}${framing.proof ?? markup``}<label for="email">${translate("your-address")}</label>
${address}
<p class="hint" id="email-hint">${translate("sign-in-name-hint")}</p>
<label for="full_name">${translate("your-name")}</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${full_name}"${isFixed ? markup` autofocus` : markup``}>
${newPasswordField(translator, "your-password")}
<button type="submit">${translate("join")}</button>
</form>`;
  return pageWithFrame(requested, translator, form, framing);
}

/** The form for the address to which the confirmation link is sent. */
export function addressPage(requested: PageRequest, email: string, framing: FramedForm): Response {
  const translator = translatorOf(requested);
  const { translate } = translator;
  const form = markup`<form method="post">
${framing.proof ?? markup``}<label for="email">${translate("your-address")}</label>
${emailField(email)}
<p class="hint" id="email-hint">${translate("sign-up-link-will-be-sent")}</p>
<button type="submit">${translate("send-the-link")}</button>
</form>`;
  return pageWithFrame(requested, translator, form, framing);
}

function emailField(email: string): Html {
  return markup`<input id="email" name="email" type="email" required autocomplete="email"
  value="${email}" aria-describedby="email-hint" autofocus>`;
}

const FRAMING = { illustration: "joining" } as const;

function pageWithFrame(
  requested: PageRequest,
  translator: Translator,
  form: Html,
  { invitation, refusal, login, proof }: FramedForm,
): Response {
  const { translate, translateHtml } = translator;
  const { read } = requested.realm;
  const { name } = read.settings;
  const inviter = invitation && read.users.get(invitation.invited_by_user_id);
  const invitedBy = inviter
    ? translateHtml("invites-you", { who: markup`<bdi>${inviter.full_name}</bdi>`, name })
    : translateHtml("create-account", { name });
  const or = markup`<p class="or">${translate("or")}</p>
${button(login ?? "", translate("sign-in-by-another"))}`;
  const foot = translateHtml("has-account", { signIn: link("/login/", translate("sign-in")) });
  const body = markup`<p>${invitedBy}</p>${form}${login ? or : ""}
<p class="foot">${foot}</p>`;
  const status = refusal === undefined ? 200 : 400;
  return page(
    requested,
    translate("join-name", { name }),
    withError(translator, refusal, body),
    status,
    {
      ...FRAMING,
      hasForms: true,
      ...(proof && { script: PROOF_SCRIPT }),
    },
  );
}

function welcomePage(context: PageRequest & { readonly user: User }): Response {
  const { translate, translateHtml } = translatorOf(context);
  const { read, config } = context.realm;
  const html = translateHtml("sign-in-with-chosen", {
    email: markup`<code>${context.user.delivery_email}</code>`,
    url: markup`<code>${config.url}</code>`,
  });
  const body = markup`<p>${translate("account-made")}</p>
${firstButton("/login/", translate("sign-in"))}
<p>${html}</p>`;
  return page(context, translate("welcome-to", { name: read.settings.name }), body, 200, FRAMING);
}
