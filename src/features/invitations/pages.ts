// The sign-up pages: forms that work without scripts.
import { Refusal } from "../../contract/errors/general.ts";
import { proofMissing } from "../../contract/errors/people.ts";
import { defaulted, type PageRequest, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";
import { closedPage, isActive } from "../pages/closed.ts";
import { firstButton, page } from "../pages/page.ts";
import { hasIdentityProvider } from "../realm/addresses.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import { invitationOf } from "./access.ts";
import { sendLink } from "./confirm-pages.ts";
import { addressProofOf } from "./confirm.ts";
import { otherSignUpPage, loginPage } from "./external-sign-up.ts";
import { accountPage, addressPage, type EnteredFields, createAccount } from "./form.ts";
import { joinByInvitation, signUp } from "./join.ts";
import { PROOF_FIELD, proofField, useProof } from "./proof.ts";

const REMOVED = 410;
const FORBIDDEN = 403;

const fields = {
  full_name: defaulted(text, ""),
  email: defaulted(text, ""),
  password: defaulted(text, ""),
};
const NONE: EnteredFields = { full_name: "", email: "" };

export const showJoin = openEndpoint({
  summary: "Show the form to join with an invitation",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const invitation = invitationByKey(context.realm, key);
    if (!invitation) return invalidLinkPage(context);
    return formPage(context, NONE, { invitation, key });
  },
});

export const join = openEndpoint({
  summary: "Join with an invitation",
  tag: "Pages",
  params: { key: text, ...fields },
  run: async (context, { key, password, ...entered }) => {
    const { realm } = context;
    const invitation = invitationByKey(realm, key);
    if (!invitation) return invalidLinkPage(context);
    const defaults = { ...entered, email: invitation.email ?? entered.email };
    const hash = hashOfSecret(key);
    try {
      const addressProof = addressProofOf(realm.read, invitation);
      if (addressProof === "none") return otherSignUpPage(context, key);
      if (addressProof === "email") return await sendLink(context, defaults.email, hash);
      return await createAccount(context, defaults, password, (tx, newMember) =>
        joinByInvitation(tx, hash, newMember),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the invitation may have ended.
      if (!invitationByKey(realm, key)) return invalidLinkPage(context);
      return formPage(context, defaults, { invitation, key, refusal: error });
    }
  },
});

const next = defaulted(text, "");

/** `next` stays in the URL to which the form is submitted. */
export const showSignUp = openEndpoint({
  summary: "Show the form to sign up",
  tag: "Pages",
  params: { next },
  run: (context) => fallbackPage(context) ?? signUpPage(context, NONE),
});

export const postSignUp = openEndpoint({
  summary: "Sign up",
  tag: "Pages",
  params: { ...fields, next, [PROOF_FIELD]: defaulted(text, "") },
  run: async (context, { password, altcha, next, ...entered }) => {
    const { realm } = context;
    const other = fallbackPage(context);
    if (other) return other;
    try {
      const addressProof = addressProofOf(realm.read, undefined);
      if (addressProof === "none") return otherSignUpPage(context);
      if (!(await useProof(realm, altcha))) throw proofMissing();
      if (addressProof === "email") return await sendLink(context, entered.email, null, next);
      return await createAccount(context, entered, password, signUp, next);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return signUpPage(context, entered, error);
    }
  },
});

/** The form requires proof of work if there is no invitation. */
async function signUpPage(
  context: PageRequest,
  entered: EnteredFields,
  refusal?: Refusal,
): Promise<Response> {
  const proof = await proofField(context.realm, translatorOf(context));
  return formPage(context, entered, { proof, ...(refusal && { refusal }) });
}

/** The page that is shown if people cannot join by themselves. */
function fallbackPage(context: PageRequest): Response | undefined {
  if (!isActive(context.realm)) return closedPage(context);
  return context.realm.read.settings.invite_required ? invitationPage(context) : undefined;
}

function invitationByKey(realm: Realm, key: string): Invitation | undefined {
  return isActive(realm) ? invitationOf(realm.read, hashOfSecret(key)) : undefined;
}

interface FormFraming {
  readonly invitation?: Invitation;
  readonly key?: string;
  readonly refusal?: Refusal;
  readonly proof?: Html;
}

function formPage(
  context: PageRequest,
  entered: EnteredFields,
  { key, ...framing }: FormFraming,
): Response {
  const { read } = context.realm;
  const { invitation } = framing;
  const addressProof = addressProofOf(read, invitation);
  if (addressProof === "none") return otherSignUpPage(context, key);
  const login = hasIdentityProvider(read) ? loginPage(key) : undefined;
  if (addressProof === "email") return addressPage(context, entered.email, { ...framing, login });
  const email = invitation?.email;
  if (!email) return accountPage(context, entered, { ...framing, login });
  return accountPage(context, { ...entered, email }, { ...framing, login, isFixed: true });
}

/** The same for used, revoked, expired and unknown links, to reveal nothing. */
function invalidLinkPage(context: PageRequest): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("invitation-used")}</p>
${firstButton("/login/", translate("sign-in-instead"))}`;
  return page(context, translate("link-expired"), body, REMOVED);
}

function invitationPage(context: PageRequest): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("needs-invitation-means")}</p>
${firstButton("/login/", translate("sign-in-instead"))}`;
  return page(context, translate("needs-invitation"), body, FORBIDDEN);
}
