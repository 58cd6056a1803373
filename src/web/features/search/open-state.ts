// Whether a search was started; its field then replaces the bar above the previous view.
import { effect, signal } from "@preact/signals";
import { view } from "../../store/address.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { takeCapturedText } from "../../ui/buffer-typing.ts";

/** The initial terms of the field; undefined if there is no search. */
export const searching = signal<readonly NarrowTerm[] | undefined>(undefined);

// If the user leaves the view, a search that was not submitted ends.
effect(() => {
  void view.value;
  searching.value = undefined;
  takeCapturedText();
});
