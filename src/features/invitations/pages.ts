// The pages on which people join: forms that work without scripts.
import { Refusal } from "../../contract/errors/general.ts";
import { proofMissing } from "../../contract/errors/people.ts";
import { defaulted, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { closedPage, isHere } from "../pages/closed.ts";
import { firstButton, page } from "../pages/page.ts";
import { isVouchedElsewhere } from "../realm/addresses.ts";
import { hashOfKey } from "../secrets/random.ts";
import { speechOf } from "../speech/choose.ts";
import { type Html, markup } from "../speech/markup.ts";
import { invitationOf } from "./access.ts";
import { sendLink } from "./confirm-pages.ts";
import { showingOf } from "./confirm.ts";
import { elsewherePage, loginPage } from "./elsewhere.ts";
import { accountPage, addressPage, type Entered, made } from "./form.ts";
import { joinByInvitation, signUp } from "./join.ts";
import { PROOF_FIELD, proofField, takeProof } from "./proof.ts";

const GONE = 410;
const FORBIDDEN = 403;

const fields = {
  full_name: defaulted(text, ""),
  email: defaulted(text, ""),
  password: defaulted(text, ""),
};
const NOTHING: Entered = { full_name: "", email: "" };

export const showJoin = openEndpoint({
  summary: "The form to join by an invitation",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const invitation = invited(context.realm, key);
    if (!invitation) return linkEnded(context);
    return formPage(context, NOTHING, { invitation, key });
  },
});

export const join = openEndpoint({
  summary: "Join by an invitation",
  tag: "Pages",
  params: { key: text, ...fields },
  run: async (context, { key, password, ...entered }) => {
    const { realm } = context;
    const invitation = invited(realm, key);
    if (!invitation) return linkEnded(context);
    const wanted = { ...entered, email: invitation.email ?? entered.email };
    const hash = hashOfKey(key);
    try {
      const showing = showingOf(realm.read, invitation);
      if (showing === "none") return elsewherePage(context, key);
      if (showing === "letter") return await sendLink(context, wanted.email, hash);
      return await made(context, wanted, password, (tx, newcomer) =>
        joinByInvitation(tx, hash, newcomer),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the invitation may have ended.
      if (!invited(realm, key)) return linkEnded(context);
      return formPage(context, wanted, { invitation, key, refusal: error });
    }
  },
});

const next = defaulted(text, "");

/** `next` stays in the address, to which the form goes too. */
export const showSignUp = openEndpoint({
  summary: "The form to sign up",
  tag: "Pages",
  params: { next },
  run: (context) => instead(context) ?? signUpPage(context, NOTHING),
});

export const postSignUp = openEndpoint({
  summary: "Sign up",
  tag: "Pages",
  params: { ...fields, next, [PROOF_FIELD]: defaulted(text, "") },
  run: async (context, { password, altcha, next: onward, ...entered }) => {
    const { realm } = context;
    const other = instead(context);
    if (other) return other;
    try {
      const showing = showingOf(realm.read, undefined);
      if (showing === "none") return elsewherePage(context);
      if (!(await takeProof(realm, altcha))) throw proofMissing();
      if (showing === "letter") return await sendLink(context, entered.email, null, onward);
      return await made(context, entered, password, signUp, onward);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return signUpPage(context, entered, error);
    }
  },
});

/** Without an invitation, the form requires proof of work. */
async function signUpPage(context: Asked, entered: Entered, refusal?: Refusal): Promise<Response> {
  const proof = await proofField(context.realm, speechOf(context));
  return formPage(context, entered, { proof, ...(refusal && { refusal }) });
}

/** The page that is shown if people cannot join by themselves. */
function instead(context: Asked): Response | undefined {
  if (!isHere(context.realm)) return closedPage(context);
  return context.realm.read.settings.invite_required ? invitationPage(context) : undefined;
}

function invited(realm: Realm, key: string): Invitation | undefined {
  return isHere(realm) ? invitationOf(realm.read, hashOfKey(key)) : undefined;
}

type Asked = Pick<OpenContext, "realm" | "request">;

interface FormFraming {
  readonly invitation?: Invitation;
  readonly key?: string;
  readonly refusal?: Refusal;
  readonly proof?: Html;
}

function formPage(context: Asked, entered: Entered, { key, ...framing }: FormFraming): Response {
  const { read } = context.realm;
  const { invitation } = framing;
  const showing = showingOf(read, invitation);
  if (showing === "none") return elsewherePage(context, key);
  const login = isVouchedElsewhere(read) ? loginPage(key) : undefined;
  if (showing === "letter") return addressPage(context, entered.email, { ...framing, login });
  const email = invitation?.email;
  if (!email) return accountPage(context, entered, { ...framing, login });
  return accountPage(context, { ...entered, email }, { ...framing, login, isFixed: true });
}

/** Used, revoked, expired, or never given: who has no good link learns no more. */
function linkEnded(context: Asked): Response {
  const { say } = speechOf(context);
  const body = markup`<p>${say("invitation-used")}</p>
${firstButton("/login/", say("sign-in-instead"))}`;
  return page(context, say("link-ended"), body, GONE);
}

function invitationPage(context: Asked): Response {
  const { say } = speechOf(context);
  const body = markup`<p>${say("needs-invitation-means")}</p>
${firstButton("/login/", say("sign-in-instead"))}`;
  return page(context, say("needs-invitation"), body, FORBIDDEN);
}
