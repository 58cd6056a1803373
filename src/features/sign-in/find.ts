// Where people who do not know where they have accounts ask to be told by mail.
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
import { markup, page } from "../pages/page.ts";
import { isEmail } from "../rights/rules.ts";
import { checkRoot } from "./go.ts";

export const ADDRESSES_MAX = 10;
export const FINDS_BY_ADDRESS = { calls: 3, seconds: 3_600 };
export const FINDS_BY_NETWORK = { calls: 20, seconds: DAY_SECONDS };

const limits = perRealm(({ clock }) => ({
  byAddress: new Limiter(clock, FINDS_BY_ADDRESS),
  byNetwork: new Limiter(clock, FINDS_BY_NETWORK),
}));

type FindContext = Pick<HostContext, "hosts" | "address">;

export const showFind = openEndpoint({
  summary: "The form to find one's organizations",
  tag: "Pages",
  params: {},
  run: showForm,
  withoutRealm(context) {
    checkRoot(context);
    return showForm(context);
  },
});

export const postFind = openEndpoint({
  summary: "Have one's organizations sent by mail",
  tag: "Pages",
  params: { emails: defaulted(text, "") },
  run: find,
  withoutRealm(context, given) {
    checkRoot(context);
    return find(context, given);
  },
});

function showForm({ hosts }: FindContext): Response {
  return hosts.realms.some(canMail) ? formPage("") : noMailPage();
}

/** Whether anybody has the address is seen later: who asks learns nothing, not even by the time. */
async function find({ hosts, address }: FindContext, given: { emails: string }): Promise<Response> {
  const realms = hosts.realms.filter(canMail);
  if (realms.length === 0) return noMailPage();
  const emails = given.emails.split(/[\s,;]+/).filter((email) => email !== "");
  try {
    if (emails.length === 0 || !emails.every(isEmail)) throw emailNotAnAddress();
    if (emails.length > ADDRESSES_MAX) throw addressesTooMany(ADDRESSES_MAX);
    for (const realm of realms) checkRate(realm, address, emails);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return formPage(given.emails, error);
  }
  const ask = (realm: Realm) =>
    realm.write((tx) => {
      for (const email of new Set(emails)) mail(tx, { about: "account found", email });
    });
  await Promise.all(realms.map(ask));
  const body = markup`<p>Each organization in which ${emails.join(", ")} has an account sends a
letter there that says where it is. Look among the unwanted mail too, if none comes.</p>`;
  return page("Look into your mail", body);
}

const canMail = ({ read, config }: Realm) => read.realm.has(1) && config.mail !== undefined;

function checkRate(realm: Realm, address: string, emails: readonly string[]): void {
  const { byAddress, byNetwork } = limits(realm);
  const all = [
    byNetwork.take(networkOf(address)),
    ...emails.map((email) => byAddress.take(foldedAddress(email))),
  ];
  if (realm.config.rate_limits && all.some(({ allowed }) => !allowed)) throw tooManyMails();
}

function formPage(emails: string, refusal?: Refusal): Response {
  const trouble = refusal
    ? markup`<p class="refusal" role="alert">${refusal.message}</p>`
    : markup``;
  const body = markup`${trouble}<p>Say the address with which you may have signed in here, and you
get a letter from each organization in which it has an account.</p>
<form method="post" action="/accounts/find/">
<label for="emails">Your e-mail addresses</label>
<input id="emails" name="emails" required autocomplete="email" value="${emails}">
<button type="submit">Tell me by mail</button>
</form>`;
  return page("Find your accounts", body, refusal?.status);
}

function noMailPage(): Response {
  const body = markup`<p>This server sends no mail, so it cannot tell you. Ask whoever runs
it.</p>`;
  return page("Find your accounts", body);
}
