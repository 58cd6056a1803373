// The page that a letter to a new address leads to.
import { Refusal } from "../../contract/errors/general.ts";
import { openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { markup, page } from "../pages/page.ts";
import { changeOf, confirmAddress } from "./address.ts";

/** Mail programs look at links by themselves, so looking changes nothing. */
export const showNewAddress = openEndpoint({
  summary: "The form to confirm a new address",
  tag: "Pages",
  params: { key: text },
  run: ({ realm }, { key }) => {
    const change = found(realm, key);
    return change ? confirmPage(realm, change) : endedPage();
  },
});

export const postNewAddress = openEndpoint({
  summary: "Confirm a new address",
  tag: "Pages",
  params: { key: text },
  run: async ({ realm }, { key }) => {
    const change = found(realm, key);
    if (!change) return endedPage();
    try {
      await realm.write((tx) => confirmAddress(tx, key));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return found(realm, key) ? confirmPage(realm, change, error) : endedPage();
    }
    const body = markup`<p>From now on you sign in as <code>${change.email}</code>.</p>
<a class="button first" href="/">Go on to the conversations</a>`;
    return page("Your address is changed", body);
  },
});

type Change = NonNullable<ReturnType<typeof changeOf>>;

const found = ({ read }: Realm, key: string) =>
  read.realm.has(1) ? changeOf(read, key) : undefined;

function confirmPage({ read }: Realm, { user, email }: Change, refusal?: Refusal): Response {
  const trouble = markup`<p class="refusal" role="alert">${refusal?.message ?? ""}</p>`;
  const body = markup`${refusal ? trouble : ""}
<p>The account of ${user.full_name} in ${read.settings.name} is to have the address
<code>${email}</code> in the place of <code>${user.delivery_email}</code>.</p>
<form method="post"><button type="submit">Confirm</button></form>`;
  return page("Confirm your new address", body, refusal?.status);
}

/** Used, expired, or never given: who has no good link learns no more. */
function endedPage(): Response {
  const body = markup`<p>The link was used, or it has expired. In your settings you can ask for
another one.</p>
<a class="button first" href="/#settings/account">Open the settings</a>`;
  return page("This link no longer works", body, GONE);
}

const GONE = 410;
