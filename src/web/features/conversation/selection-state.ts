// The selected message of the open view, and whether keyboard shortcuts apply to it.
import { getState } from "../../store/store.ts";
import type { Message } from "../../contract/message.ts";
import { current } from "./current-state.ts";

/** Whether shortcuts for messages apply: the focus is not in another part of the page. */
export function isInFeed(): boolean {
  const { activeElement } = document;
  if (!current.peek()?.shownFeed()) return false;
  if (!activeElement || activeElement === document.body) return true;
  return activeElement.closest(".feed") !== null || activeElement.id === "main";
}

/** Whether the focus is on a row or nothing, so that keys do not press a button. */
export function isFocusOnRow(): boolean {
  const { activeElement } = document;
  return !activeElement?.matches("a, button, summary, input, textarea, select, [role=button]");
}

/** The message whose row has the focus, or would get it. */
export function selectedMessage(): Message | undefined {
  const id = current.peek()?.shownFeed()?.roving.id;
  return id === undefined ? undefined : getState().messages.byId.get(id);
}

export function selectedRow(): HTMLElement | undefined {
  const feed = current.peek()?.shownFeed();
  const id = feed?.roving.id;
  return id === undefined ? undefined : feed?.rowOf(id);
}
