// The page that a letter to a new address leads to.
import { Refusal } from "../../contract/errors/general.ts";
import { type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { firstButton, page } from "../pages/page.ts";
import { withTrouble } from "../pages/trouble.ts";
import { speechOf, speechTo } from "../speech/choose.ts";
import { markup } from "../speech/markup.ts";
import { changeOf, confirmAddress } from "./address.ts";

/** Mail programs look at links by themselves, so looking changes nothing. */
export const showNewAddress = openEndpoint({
  summary: "The form to confirm a new address",
  tag: "Pages",
  params: { key: text },
  run: (context, { key }) => {
    const change = found(context.realm, key);
    return change ? confirmPage(context, change) : endedPage(context);
  },
});

export const postNewAddress = openEndpoint({
  summary: "Confirm a new address",
  tag: "Pages",
  params: { key: text },
  run: async (context, { key }) => {
    const { realm, request } = context;
    const change = found(realm, key);
    if (!change) return endedPage(context);
    try {
      await realm.write((tx) => confirmAddress(tx, key));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return found(realm, key) ? confirmPage(context, change, error) : endedPage(context);
    }
    const { user } = change;
    const { say, tell } = speechTo(user);
    const email = markup`<code>${change.email}</code>`;
    const body = markup`<p>${tell("address-changed-means", { email })}</p>
${firstButton("/", say("to-conversations"))}`;
    return page({ realm, request, user }, say("address-changed"), body);
  },
});

type Change = NonNullable<ReturnType<typeof changeOf>>;
type Asked = Pick<OpenContext, "realm" | "request">;

const found = ({ read }: Realm, key: string) =>
  read.realm.has(1) ? changeOf(read, key) : undefined;

function confirmPage(
  { realm, request }: Asked,
  { user, email }: Change,
  refusal?: Refusal,
): Response {
  const speech = speechTo(user);
  const { say, tell } = speech;
  const words = tell("address-is-to-be", {
    who: markup`<bdi>${user.full_name}</bdi>`,
    name: realm.read.settings.name,
    email: markup`<code>${email}</code>`,
    former: markup`<code>${user.delivery_email}</code>`,
  });
  const body = markup`<p>${words}</p>
<form method="post"><button type="submit">${say("confirm")}</button></form>`;
  return page(
    { realm, request, user },
    say("confirm-address"),
    withTrouble(speech, refusal, body),
    refusal?.status,
  );
}

/** Used, expired, or never given: who has no good link learns no more. */
function endedPage(asked: Asked): Response {
  const { say } = speechOf(asked);
  const body = markup`<p>${say("address-link-used")}</p>
${firstButton("/#settings/account", say("open-settings"))}`;
  return page(asked, say("link-ended"), body, GONE);
}

const GONE = 410;
