// The pages on which people join: forms that work without scripts.
import { Refusal } from "../../contract/errors/general.ts";
import { proofMissing } from "../../contract/errors/people.ts";
import { defaulted, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { joinPath, queryOf } from "../pages/login-redirect.ts";
import { type Html, markup, page } from "../pages/page.ts";
import { isClosed as isRealmClosed } from "../realm/access.ts";
import { isVouchedElsewhere } from "../realm/addresses.ts";
import { hashOfKey } from "../secrets/random.ts";
import { invitationOf } from "./access.ts";
import { sendLink } from "./confirm-pages.ts";
import { showingOf } from "./confirm.ts";
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
  run: ({ realm }, { key }) => {
    const invitation = invited(realm, key);
    if (!invitation) return linkEnded();
    return formPage(realm, NOTHING, { invitation, key });
  },
});

export const join = openEndpoint({
  summary: "Join by an invitation",
  tag: "Pages",
  params: { key: text, ...fields },
  run: async (context, { key, password, ...entered }) => {
    const { realm } = context;
    const invitation = invited(realm, key);
    if (!invitation) return linkEnded();
    const wanted = { ...entered, email: invitation.email ?? entered.email };
    const hash = hashOfKey(key);
    try {
      const showing = showingOf(realm.read, invitation);
      if (showing === "none") return unconfirmedPage(realm, key);
      if (showing === "letter") return await sendLink(context, wanted.email, hash);
      return await made(context, wanted, password, (tx, newcomer) =>
        joinByInvitation(tx, hash, newcomer),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the invitation may have ended.
      if (!invited(realm, key)) return linkEnded();
      return formPage(realm, wanted, { invitation, key, refusal: error.message });
    }
  },
});

export const showSignUp = openEndpoint({
  summary: "The form to sign up",
  tag: "Pages",
  params: {},
  run: ({ realm }) => (isClosed(realm) ? closedPage() : signUpPage(realm, NOTHING)),
});

export const postSignUp = openEndpoint({
  summary: "Sign up",
  tag: "Pages",
  params: { ...fields, [PROOF_FIELD]: defaulted(text, "") },
  run: async (context, { password, altcha, ...entered }) => {
    const { realm } = context;
    if (isClosed(realm)) return closedPage();
    try {
      const showing = showingOf(realm.read, undefined);
      if (showing === "none") return unconfirmedPage(realm);
      if (!(await takeProof(realm, altcha))) throw proofMissing();
      if (showing === "letter") return await sendLink(context, entered.email, null);
      return await made(context, entered, password, signUp);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return signUpPage(realm, entered, error.message);
    }
  },
});

/** Whom nobody invited has a machine's work done first. */
async function signUpPage(realm: Realm, entered: Entered, refusal?: string): Promise<Response> {
  const proof = await proofField(realm);
  return formPage(realm, entered, { proof, ...(refusal !== undefined && { refusal }) });
}

const isClosed = (realm: Realm) => !isHere(realm) || realm.read.settings.invite_required;
const isHere = ({ read }: Realm) => read.realm.has(1) && !isRealmClosed(read);

function invited(realm: Realm, key: string): Invitation | undefined {
  return isHere(realm) ? invitationOf(realm.read, hashOfKey(key)) : undefined;
}

interface FormFraming {
  readonly invitation?: Invitation;
  readonly key?: string;
  readonly refusal?: string;
  readonly proof?: Html;
}

function formPage(realm: Realm, entered: Entered, { key, ...framing }: FormFraming): Response {
  const { invitation } = framing;
  const showing = showingOf(realm.read, invitation);
  if (showing === "none") return unconfirmedPage(realm, key);
  const login = isVouchedElsewhere(realm.read) ? loginPage(key) : undefined;
  if (showing === "letter") return addressPage(realm, entered.email, { ...framing, login });
  const email = invitation?.email;
  if (!email) return accountPage(realm, entered, { ...framing, login });
  return accountPage(realm, { ...entered, email }, { ...framing, login, isFixed: true });
}

/** Who comes back from there joins by the invitation. */
function loginPage(key: string | undefined): string {
  return `/login/${queryOf({ next: key && joinPath(key) })}`;
}

/** Used, revoked, expired, or never given: who has no good link learns no more. */
function linkEnded(): Response {
  const body = markup`<p>The invitation was used, taken back, or has expired. Ask whoever invited
you for another one.</p>
<a class="button" href="/login/">Sign in instead</a>`;
  return page("This link no longer works", body, GONE);
}

function closedPage(): Response {
  const body = markup`<p>To join, you need an invitation. Ask somebody who has an account
here.</p>
<a class="button" href="/login/">Sign in instead</a>`;
  return page("Joining needs an invitation", body, FORBIDDEN);
}

/** Who could say anything of their address gets no account by it. */
function unconfirmedPage({ read }: Realm, key?: string): Response {
  const { name } = read.settings;
  if (isVouchedElsewhere(read)) {
    const body = markup`<p>This server sends no mail, so it cannot see that an address is yours.
Come in by another server that knows you.</p>
<a class="button first" href="${loginPage(key)}">Sign in to ${name}</a>`;
    return page(`Sign in to join ${name}`, body, FORBIDDEN);
  }
  const body = markup`<p>${name} takes addresses of its own domains only, and this server sends no
mail by which you could show that one is yours. Ask an administrator of ${name} to invite
you by your address.</p>
<a class="button" href="/login/">Sign in instead</a>`;
  return page("Joining needs an administrator", body, FORBIDDEN);
}
