// Pins the current view to the sidebar under a custom name, and renames or unpins it.
import { addressOf } from "../../store/address.ts";
import { addView, changeView, dropView } from "../../api/view-calls.ts";
import { setTerms } from "../../store/narrow.ts";
import { sync } from "../../sync/session.ts";
import { maybeState, getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { askText } from "../../ui/text-prompt.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { MessagesView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { nameOf } from "../page/selectors.ts";
import type { NavigationView } from "../personal/state.ts";
import { isSearchView } from "../search/result-selectors.ts";
import { operandOf } from "../search/selectors.ts";
import { VIEW_NAME_LENGTH_MAX } from "../../../features/navigation/rules.ts";

/** Fragment as the server stores it, without the position in the view. */
const fragmentOfView = ({ kind, terms }: MessagesView): string =>
  addressOf({ kind, terms: setTerms(terms) }).slice(1);

/** Only named views are the user's own. The others are always in the sidebar. */
export function findPinnedView(view: MessagesView): NavigationView | undefined {
  const pinnedView = maybeState()?.personal.views.get(fragmentOfView(view));
  return pinnedView?.name && pinnedView.is_pinned ? pinnedView : undefined;
}

/** With the name that the user enters. */
export function pin(view: MessagesView): void {
  const { terms } = view;
  const value = isSearchView(terms)
    ? terms.map((term) => operandOf(term)).join(" ")
    : nameOf(view, getState());
  askName(value, (name) => void add({ fragment: fragmentOfView(view), is_pinned: true, name }));
}

export function rename({ fragment, name: value }: NavigationView): void {
  askName(value ?? "", (name) => void succeeds(changeView(sync, { fragment, name })));
}

export async function unpin(view: NavigationView): Promise<void> {
  const { fragment } = view;
  if (!(await succeeds(dropView(sync, { fragment })))) return;
  showToast({ text: t("view-unpinned"), undo: () => void add(view) });
}

async function add(view: NavigationView): Promise<void> {
  const { fragment, is_pinned, name } = view;
  // An existing view that is not displayed was hidden by another client.
  const isSaved = getState().personal.views.has(fragment);
  const saved = { fragment, is_pinned, name: name ?? "" };
  if (!(await succeeds((isSaved ? changeView : addView)(sync, saved)))) return;
  showToast({ text: t("view-pinned"), undo: () => void unpin(view) });
}

function askName(value: string, take: (name: string) => void): void {
  const prompt = { title: t("pin-view"), label: t("pin-view-name") };
  const truncate = (name: string) => name.slice(0, VIEW_NAME_LENGTH_MAX);
  askText({ ...prompt, value: truncate(value) }, (name) => take(truncate(name)));
}

/** The event displays it here and on all other devices. */
async function succeeds(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    showRefusal(error);
    return false;
  }
}
