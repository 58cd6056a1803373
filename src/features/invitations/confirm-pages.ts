// The pages between an address and an account: the link is on its way, and what it leads to.
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
import { sealedKey } from "../secrets/sealed.ts";
import { browsersOf, speechOf } from "../speech/choose.ts";
import { markup } from "../speech/markup.ts";
import { askToSignUp, type Confirmed, confirmedBy, joinConfirmed } from "./confirm.ts";
import { elsewherePage } from "./elsewhere.ts";
import { accountPage, checkSignUps, type Entered, made } from "./form.ts";
import type { Newcomer } from "./join.ts";

export const LETTERS_BY_ADDRESS = [
  { calls: 2, seconds: 3_600 },
  { calls: 5, seconds: DAY_SECONDS },
] as const;
/** An office may join at once. */
export const LETTERS_BY_NETWORK = { calls: 200, seconds: DAY_SECONDS };

const limits = perRealm(({ clock }) => ({
  byAddress: LETTERS_BY_ADDRESS.map((rule) => new Limiter(clock, rule)),
  byNetwork: new Limiter(clock, LETTERS_BY_NETWORK),
}));

const CONFIRMED_PAGE = "/accounts/register/";
const GONE = 410;

/** An address of the client is shorter; what strangers say is kept for a day. */
const NEXT_LENGTH_MAX = 1000;

/** Sends the link, and goes on to the page that says so. `hash`: of the invitation's key. */
export async function sendLink(
  context: OpenContext,
  given: string,
  hash: string | null,
  next = "",
): Promise<Response> {
  const { realm } = context;
  const email = given.trim();
  checkSignUps(context);
  if (!isEmail(email)) throw emailNotAnAddress();
  checkAddress(realm.read, email);
  checkLetters(context, foldedAddress(email));

  const key = sealedKey(realm);
  const language = browsersOf(context.request)?.language;
  const asked = {
    email,
    invitation: hash,
    ...(language && { language }),
    ...(next !== "" && next.length <= NEXT_LENGTH_MAX && { next }),
  };
  await realm.write((tx) => askToSignUp(tx, key, asked));
  return redirect("/accounts/send_confirm/", []);
}

/** Counted per typed address, whether or not it has an account, which the limit must not reveal. */
function checkLetters({ realm, address }: OpenContext, email: string): void {
  const { byAddress, byNetwork } = limits(realm);
  const standings = [
    byNetwork.take(networkOf(address)),
    ...byAddress.map((limiter) => limiter.take(email)),
  ];
  const late = standings.find(({ allowed }) => !allowed);
  if (late && realm.config.rate_limits) throw tooManyMails(late.retry_after);
}

export const showSent = openEndpoint({
  summary: "Says that a letter is on its way",
  tag: "Pages",
  params: {},
  run: (context) => {
    const { say } = speechOf(context);
    const body = markup`<p>${say("link-on-its-way")}</p>
${firstButton("/login/", say("to-sign-in"))}`;
    return page(context, say("look-into-mail"), body);
  },
});

/** Mail programs look at links by themselves, so looking changes nothing. */
export const showConfirmed = openEndpoint({
  summary: "The form of who confirmed an address",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const confirmed = found(context.realm, key);
    if (!confirmed) return linkEnded(context);
    if (!keepsPasswords(context.realm)) return elsewherePage(context);
    return confirmedPage(context, key, confirmed, { full_name: "", email: confirmed.email });
  },
});

export const postConfirmed = openEndpoint({
  summary: "Join with a confirmed address",
  tag: "Pages",
  params: { key: text, full_name: defaulted(text, ""), password: defaulted(text, "") },
  run: async (context, { key, full_name, password }) => {
    const { realm } = context;
    const confirmed = found(realm, key);
    if (!confirmed) return linkEnded(context);
    if (!keepsPasswords(realm)) return elsewherePage(context);
    const entered = { full_name, email: confirmed.email };
    try {
      const create = (tx: Writer, newcomer: Newcomer) => joinConfirmed(tx, key, newcomer);
      return await made(context, entered, password, create, confirmed.next);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // While the password was hashed, the link may have been used.
      const still = found(realm, key);
      return still ? confirmedPage(context, key, still, entered, error) : linkEnded(context);
    }
  },
});

const found = ({ read }: Realm, key: string): Confirmed | undefined =>
  read.realm.has(1) ? confirmedBy(read, key) : undefined;

/** It may have been switched off since the link was asked for. */
const keepsPasswords = ({ read }: Realm) => methodNamed(read, EMAIL) !== undefined;

function confirmedPage(
  context: OpenContext,
  key: string,
  { invitation }: Confirmed,
  entered: Entered,
  refusal?: Refusal,
): Response {
  const onward = { action: CONFIRMED_PAGE, key };
  return accountPage(context, entered, { invitation, isFixed: true, onward, refusal });
}

/** Used, expired, or never given: who has no good link learns no more. */
function linkEnded(context: OpenContext): Response {
  const { say } = speechOf(context);
  const body = markup`<p>${say("joining-link-used")}</p>
${firstButton("/login/", say("sign-in-instead"))}`;
  return page(context, say("link-ended"), body, GONE);
}
