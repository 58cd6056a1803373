// Emails users the list of their organizations on this server.
import { Refusal } from "../../contract/errors/general.ts";
import { emailNotAnAddress, tooManyMails } from "../../contract/errors/people.ts";
import { addressesTooMany } from "../../contract/errors/realm.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { defaulted, type HostContext, openEndpoint, text } from "../../endpoint.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { networkOf } from "../../server/context.ts";
import { Limiter } from "../../server/limit.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { mail } from "../mail/actions.ts";
import { button, firstButton, page } from "../pages/page.ts";
import { withError } from "../pages/form-errors.ts";
import { isEmail } from "../rights/rules.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import { checkRoot } from "./choose-organization.ts";

export const ADDRESSES_MAX = 10;
export const FINDS_BY_ADDRESS = { calls: 3, seconds: 3_600 };
const FINDS_BY_NETWORK = { calls: 20, seconds: DAY_SECONDS };

const limits = perRealm(({ clock }) => ({
  byAddress: new Limiter(clock, FINDS_BY_ADDRESS),
  byNetwork: new Limiter(clock, FINDS_BY_NETWORK),
}));

type FindContext = Pick<HostContext, "hosts" | "address" | "request">;

export const showFind = openEndpoint({
  summary: "Show the form to find your organizations",
  tag: "Pages",
  params: {},
  run: showForm,
  withoutRealm(context) {
    checkRoot(context);
    return showForm(context);
  },
});

export const postFind = openEndpoint({
  summary: "Request a list of your organizations by email",
  tag: "Pages",
  params: { emails: defaulted(text, "") },
  run: find,
  withoutRealm(context, input) {
    checkRoot(context);
    return find(context, input);
  },
});

function showForm(context: FindContext): Response {
  return context.hosts.realms.some(canMail) ? formPage(context, "") : noMailPage(context);
}

/**
 * A job checks later whether an account has the address, so that the response time reveals nothing.
 */
async function find(context: FindContext, input: { emails: string }): Promise<Response> {
  const { hosts, address } = context;
  const realms = hosts.realms.filter(canMail);
  if (realms.length === 0) return noMailPage(context);
  const emails = input.emails.split(/[\s,;]+/).filter((email) => email !== "");
  try {
    if (emails.length === 0 || !emails.every(isEmail)) throw emailNotAnAddress();
    if (emails.length > ADDRESSES_MAX) throw addressesTooMany(ADDRESSES_MAX);
    for (const realm of realms) checkRate(realm, address, emails);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return formPage(context, input.emails, error);
  }
  const request = (realm: Realm) =>
    realm.write((tx) => {
      for (const email of new Set(emails)) mail(tx, { about: "account found", email });
    });
  await Promise.all(realms.map(request));
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("accounts-emailed", { addresses: emails.join(", ") })}</p>
${firstButton("/accounts/go/", translate("back-to-sign-in"))}`;
  return page(showsForm(context), translate("check-email"), body);
}

/** Hides the request's organization, so that the pages do not reveal it. */
const showsForm = ({ request }: FindContext) => ({ request });

const canMail = ({ read, config }: Realm) => read.realm.has(1) && config.mail !== undefined;

function checkRate(realm: Realm, address: string, emails: readonly string[]): void {
  const { byAddress, byNetwork } = limits(realm);
  const all = [
    byNetwork.take(networkOf(address)),
    ...emails.map((email) => byAddress.take(foldedAddress(email))),
  ];
  if (realm.config.rate_limits && all.some(({ allowed }) => !allowed)) throw tooManyMails();
}

function formPage(context: FindContext, emails: string, refusal?: Refusal): Response {
  const translator = translatorOf(context);
  const { translate } = translator;
  const body = markup`<p>${translate("find-means")}</p>
<form method="post" action="/accounts/find/">
<label for="emails">${translate("your-addresses")}</label>
<input id="emails" name="emails" required autocomplete="email" value="${emails}"
  autofocus>
<button type="submit">${translate("email-me")}</button>
</form>
${button("/accounts/go/", translate("back-to-sign-in"))}`;
  return page(
    showsForm(context),
    translate("find-accounts"),
    withError(translator, refusal, body),
    refusal?.status,
  );
}

function noMailPage(context: FindContext): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("no-mail-ask-operator")}</p>
${firstButton("/accounts/go/", translate("back-to-sign-in"))}`;
  return page(showsForm(context), translate("find-accounts"), body);
}
