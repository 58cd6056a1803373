// The address of this tab: which view it shows, and where in it one stood.
import { computed, signal } from "@preact/signals";
import type { Left } from "./features/conversation/left.ts";
import { personOf } from "./features/people/state.ts";
import { known } from "./live.ts";
import { fragmentOf, isDialog, type Names, type View, viewOf } from "./views.ts";

/** State that is stored with a history entry. */
interface Remembered {
  left?: Left;
  /** In a list: the row that is chosen, and how far it is scrolled. */
  row?: string;
  /** Rows that stood beside it, the nearest first: one of them is chosen where it is gone. */
  near?: readonly string[];
  top?: number;
  /** For pages: the number of history entries above a view. */
  over?: number;
  /** For dialogs with an address: the number of history entries above the view or page below. */
  above?: number;
}

export const view = signal<View>(viewOf(location.hash));
let below: View = { kind: "home" };
/** The view or page on the sheet. Dialogs with an address lie above what was there before. */
export const onSheet = computed(() => (isDialog(view.value) ? below : (below = view.value)));
/** State of the current history entry. Undefined if it is new. */
export const remembered = signal<Remembered>(history.state ?? {});

/** Names of ids in addresses. */
export const names: Names = {
  channel: (stream_id) => known()?.channels.channels.get(stream_id)?.row.name,
  person: (user_id) => {
    const state = known();
    return state && personOf(state.people, user_id)?.full_name;
  },
};

export const addressOf = (to: View): string => fragmentOf(to, names) || "#";

/** Shows a view; as a new entry of the history, or in the place of the present one. */
export function go(to: View, { replace = false } = {}): void {
  const address = fragmentOf(to, names) || location.pathname;
  const { over, above } = (history.state ?? {}) as Remembered;
  if (replace) enter("replaceState", { over, above }, address);
  else if (address !== location.hash) enter("pushState", {}, address);
  shown();
}

/**
 * Makes an entry of the history, or changes the present one. Safari takes a hundred in ten seconds,
 * and whoever holds a key down asks for more: then only the address is another.
 */
export function enter(how: "pushState" | "replaceState", state: object, address?: string): void {
  try {
    history[how](state, "", address);
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error;
    if (address === undefined) return;
    const fragment = address.startsWith("#") ? address : "#";
    if (how === "pushState") location.hash = fragment;
    else location.replace(fragment);
  }
}

/** From a page that is a dialog to what it lies over; home where there is none. */
export function goBelow(): void {
  const { above } = (history.state ?? {}) as Remembered;
  if (above === undefined) go({ kind: "home" }, { replace: true });
  else history.go(-above);
}

/** Keeps where one stands with the entry, so that coming back leads there. */
export function remember(more: Remembered): void {
  enter("replaceState", { ...(history.state as Remembered | null), ...more });
}

let shownHash = location.hash;

function shown(): void {
  shownHash = location.hash;
  remembered.value = (history.state as Remembered | null) ?? {};
  view.value = viewOf(shownHash);
}

/** An entry of the same address is of something that lies over the view, which stays. */
const changed = () => location.hash !== shownHash && shown();
addEventListener("popstate", changed);
// Follows the other event, and the same address is not drawn twice.
addEventListener("hashchange", changed);
