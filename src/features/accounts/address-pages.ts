// The page behind the link in an email that confirms a new address.
import { Refusal } from "../../contract/errors/general.ts";
import { type PageRequest, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { firstButton, page } from "../pages/page.ts";
import { withError } from "../pages/form-errors.ts";
import { translatorOf, userTranslator } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import { changeOf, confirmAddress } from "./address.ts";

/** Mail programs open links automatically, so opening one changes nothing. */
export const showNewAddress = openEndpoint({
  summary: "Show the form that confirms a new email address",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const change = changeByKey(context.realm, key);
    return change ? confirmPage(context, change) : endedPage(context);
  },
});

export const postNewAddress = openEndpoint({
  summary: "Confirm a new email address",
  tag: "Pages",
  params: { key: text },
  run: async (context, { key }) => {
    const { realm, request } = context;
    const change = changeByKey(realm, key);
    if (!change) return endedPage(context);
    try {
      await realm.write((tx) => confirmAddress(tx, key));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return changeByKey(realm, key) ? confirmPage(context, change, error) : endedPage(context);
    }
    const { user } = change;
    const { translate, translateHtml } = userTranslator(user);
    const email = markup`<code>${change.email}</code>`;
    const body = markup`<p>${translateHtml("address-changed-means", { email })}</p>
${firstButton("/", translate("open-skein"))}`;
    return page({ realm, request, user }, translate("address-changed"), body);
  },
});

type Change = NonNullable<ReturnType<typeof changeOf>>;
const changeByKey = ({ read }: Realm, key: string) =>
  read.realm.has(1) ? changeOf(read, key) : undefined;

function confirmPage(
  { realm, request }: PageRequest,
  { user, email }: Change,
  refusal?: Refusal,
): Response {
  const translator = userTranslator(user);
  const { translate, translateHtml } = translator;
  const words = translateHtml("address-change-confirm", {
    who: markup`<bdi>${user.full_name}</bdi>`,
    name: realm.read.settings.name,
    email: markup`<code>${email}</code>`,
    former: markup`<code>${user.delivery_email}</code>`,
  });
  const body = markup`<p>${words}</p>
<form method="post"><button type="submit">${translate("confirm")}</button></form>`;
  return page(
    { realm, request, user },
    translate("confirm-address"),
    withError(translator, refusal, body),
    refusal?.status,
  );
}

/** The same for used, expired and unknown links, to reveal nothing. */
function endedPage(pageRequest: PageRequest): Response {
  const { translate } = translatorOf(pageRequest);
  const body = markup`<p>${translate("address-link-used")}</p>
${firstButton("/#settings/account", translate("open-settings"))}`;
  return page(pageRequest, translate("link-expired"), body, REMOVED);
}

const REMOVED = 410;
