// Resolves addresses that name users and channels by words.
import { effect, untracked } from "@preact/signals";
import { foldedAddress } from "../../text/email-address.ts";
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import { go, view } from "../store/address.ts";
import { isStarted, getState } from "../store/store.ts";
import { folded } from "../matching.ts";
import { showToast } from "../ui/toast.tsx";
import type { View } from "../views.ts";
import { t } from "../words/words.ts";

const PEOPLE_OPERATORS = ["dm", "dm-including", "sender"];
/** Addresses in the web app manifest that open the composer. */
const OF_MANIFEST = ["share", "new"];

function resolveAddress(currentView: View): void {
  if (currentView.kind === "unknown" && !OF_MANIFEST.includes(currentView.fragment)) {
    showToast({ text: t("page-not-found") });
  }
  if (currentView.kind !== "messages") return;
  const terms = currentView.terms.map(byId);
  const isOther = terms.some((term, index) => term !== currentView.terms[index]);
  // Deferred until other listeners have handled the URL that is being replaced.
  if (isOther) queueMicrotask(() => go({ kind: "messages", terms }, { replace: true }));
}

function byId(term: NarrowTerm): NarrowTerm {
  const { operator, operand } = term;
  if (/^\d+(,\d+)*$/.test(operand)) return term;
  if (operator === "channel") return withIds(term, [channelByName(operand)]);
  return PEOPLE_OPERATORS.includes(operator)
    ? withIds(term, operand.split(",").map(personAt))
    : term;
}

function withIds(term: NarrowTerm, ids: (number | undefined)[]): NarrowTerm {
  return ids.includes(undefined) ? term : { ...term, operand: ids.join(",") };
}

/** Old URLs contain only the name, sometimes with dashes instead of spaces. */
function channelByName(operand: string): number | undefined {
  const slugOf = (name: string) => folded(name).replaceAll(" ", "-");
  for (const { row } of getState().channels.channels.values()) {
    if (slugOf(row.name) === slugOf(operand)) return row.stream_id;
  }
  return undefined;
}

function personAt(address: string): number | undefined {
  const { people } = getState();
  const target = foldedAddress(address);
  if (target === "me") return people.me;
  const isForeign = (email: string | null) => email !== null && foldedAddress(email) === target;
  for (const { user_id, email, delivery_email } of people.active.values()) {
    if (isForeign(email) || isForeign(delivery_email)) return user_id;
  }
  return undefined;
}

effect(() => {
  const currentView = view.value;
  if (isStarted.value) untracked(() => resolveAddress(currentView));
});
