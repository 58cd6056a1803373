// The URL of this tab: the view it shows, and the position in it.
import { computed, signal } from "@preact/signals";
import { enter, currentEntry, enterView, readEntry } from "../ui/history-entry.ts";
import { personOf } from "../features/people/state.ts";
import { maybeState } from "./store.ts";
import { fragmentOf, isDialog, type Names, type View, viewOf } from "../views.ts";

export const view = signal<View>(viewOf(location.hash));
let below: View = { kind: "home" };
/** The view or page on the sheet. Dialogs with an address lie above what was there before. */
export const sheetView = computed(() => (isDialog(view.value) ? below : (below = view.value)));

/** Names of ids in addresses. */
const names: Names = {
  channel: (stream_id) => maybeState()?.channels.channels.get(stream_id)?.row.name,
  person: (user_id) => {
    const state = maybeState();
    return state && personOf(state.people, user_id)?.full_name;
  },
};

export const addressOf = (to: View): string => fragmentOf(to, names) || "#";

/** Shows a view, as a new history entry or by replacing the current one. */
export function go(to: View, { replace = false } = {}): void {
  const address = fragmentOf(to, names) || location.pathname;
  const { over, above } = currentEntry();
  if (replace) enter("replaceState", { over, above }, address);
  else if (address !== location.hash) enterView(address, isDialog(to));
  recordShownHash();
}

/** Follows a link to another fragment. */
export function follow(fragment: string): void {
  enterView(fragment, isDialog(viewOf(fragment)));
  recordShownHash();
}

/** Closes a dialog with its own URL; goes home if there is nothing below. */
export function goToViewBelow(): void {
  const { above } = currentEntry();
  if (above === undefined) go({ kind: "home" }, { replace: true });
  else history.go(-above);
}

let shownHash = location.hash;

function recordShownHash(): void {
  shownHash = location.hash;
  readEntry();
  view.value = viewOf(shownHash);
}

/** A history entry with the same URL belongs to a layer above the view, which stays. */
const changed = () => location.hash !== shownHash && recordShownHash();
addEventListener("popstate", changed);
// Handled like the other event. If both fire, the second one changes nothing.
addEventListener("hashchange", changed);
