// Pages that confirm an email address before sign-up: after the link is sent, and behind the link.
import { Refusal } from "../../contract/errors/general.ts";
import { emailNotAnAddress, tooManyMails } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { defaulted, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import { perRealm, type Realm, type Writer } from "../../realm.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { redirect } from "../pages/login-redirect.ts";
import { firstButton, page } from "../pages/page.ts";
import { checkAddress } from "../realm/addresses.ts";
import { EMAIL, methodNamed } from "../realm/methods-wire.ts";
import { isEmail } from "../rights/rules.ts";
import { encryptedKey } from "../secrets/encrypted.ts";
import { browserTranslator, translatorOf } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import { requestSignUp, type Confirmed, confirmedBy, joinConfirmed } from "./confirm.ts";
import { otherSignUpPage } from "./external-sign-up.ts";
import { accountPage, checkSignUps, type EnteredFields, createAccount } from "./form.ts";
import type { NewMember } from "./join.ts";

export const EMAILS_BY_ADDRESS = [
  { calls: 2, seconds: 3_600 },
  { calls: 5, seconds: DAY_SECONDS },
] as const;
/** Enough for everyone in an office to join at once. */
const EMAILS_BY_NETWORK = { calls: 200, seconds: DAY_SECONDS };

const limits = perRealm(({ clock }) => ({
  byAddress: EMAILS_BY_ADDRESS.map((rule) => new Limiter(clock, rule)),
  byNetwork: new Limiter(clock, EMAILS_BY_NETWORK),
}));

const CONFIRMED_PAGE = "/accounts/register/";
const REMOVED = 410;

/** The client's URLs are shorter; visitors' input is stored for a day. */
const NEXT_LENGTH_MAX = 1000;

/**
 * Sends the link and redirects to the page that confirms this. `hash`: that of the invitation's
 * key.
 */
export async function sendLink(
  context: OpenContext,
  value: string,
  hash: string | null,
  next = "",
): Promise<Response> {
  const { realm } = context;
  const email = value.trim();
  checkSignUps(context);
  if (!isEmail(email)) throw emailNotAnAddress();
  checkAddress(realm.read, email);
  checkEmailRate(context, foldedAddress(email));

  const key = encryptedKey(realm);
  const language = browserTranslator(context.request)?.language;
  const params = {
    email,
    invitation: hash,
    ...(language && { language }),
    ...(next !== "" && next.length <= NEXT_LENGTH_MAX && { next }),
  };
  await realm.write((tx) => requestSignUp(tx, key, params));
  return redirect("/accounts/send_confirm/", []);
}

/** Counted per typed address, whether or not it has an account, which the limit must not reveal. */
function checkEmailRate({ realm, address }: OpenContext, email: string): void {
  const { byAddress, byNetwork } = limits(realm);
  const attempts = [
    byNetwork.take(networkOf(address)),
    ...byAddress.map((limiter) => limiter.take(email)),
  ];
  const limitedAttempt = attempts.find(({ allowed }) => !allowed);
  if (limitedAttempt && realm.config.rate_limits) throw tooManyMails(limitedAttempt.retry_after);
}

export const showSent = openEndpoint({
  summary: "Confirm that an email was sent",
  tag: "Pages",
  params: {},
  run: (context) => {
    const { translate } = translatorOf(context);
    const body = markup`<p>${translate("sign-up-link-sent")}</p>
${firstButton("/login/", translate("back-to-sign-in"))}`;
    return page(context, translate("check-email"), body);
  },
});

/** Mail programs open links automatically, so opening one changes nothing. */
export const showConfirmed = openEndpoint({
  summary: "Show the form to join with a confirmed address",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const confirmation = confirmationByKey(context.realm, key);
    if (!confirmation) return invalidLinkPage(context);
    if (!allowsPasswords(context.realm)) return otherSignUpPage(context);
    return confirmedPage(context, key, confirmation, { full_name: "", email: confirmation.email });
  },
});

export const postConfirmed = openEndpoint({
  summary: "Join with a confirmed address",
  tag: "Pages",
  params: { key: text, full_name: defaulted(text, ""), password: defaulted(text, "") },
  run: async (context, { key, full_name, password }) => {
    const { realm } = context;
    const confirmation = confirmationByKey(realm, key);
    if (!confirmation) return invalidLinkPage(context);
    if (!allowsPasswords(realm)) return otherSignUpPage(context);
    const entered = { full_name, email: confirmation.email };
    try {
      const create = (tx: Writer, newMember: NewMember) => joinConfirmed(tx, key, newMember);
      return await createAccount(context, entered, password, create, confirmation.next);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the link may have been used.
      const current = confirmationByKey(realm, key);
      return current
        ? confirmedPage(context, key, current, entered, error)
        : invalidLinkPage(context);
    }
  },
});

const confirmationByKey = ({ read }: Realm, key: string): Confirmed | undefined =>
  read.realm.has(1) ? confirmedBy(read, key) : undefined;

/** Sign-in with email may have been disabled since the link was requested. */
const allowsPasswords = ({ read }: Realm) => methodNamed(read, EMAIL) !== undefined;

function confirmedPage(
  context: OpenContext,
  key: string,
  { invitation }: Confirmed,
  entered: EnteredFields,
  refusal?: Refusal,
): Response {
  const next = { action: CONFIRMED_PAGE, key };
  return accountPage(context, entered, { invitation, isFixed: true, next, refusal });
}

/** The same for used, expired and unknown links, to reveal nothing. */
function invalidLinkPage(context: OpenContext): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("joining-link-used")}</p>
${firstButton("/login/", translate("sign-in-instead"))}`;
  return page(context, translate("link-expired"), body, REMOVED);
}
