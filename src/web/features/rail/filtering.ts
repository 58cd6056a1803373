// Whether the rail is filtered, and by what.
import { signal } from "@preact/signals";
import { openDrawer } from "./drawer.ts";

export const isFiltering = signal(false);
export const filtered = signal("");

export function startFilter(): void {
  filtered.value = "";
  isFiltering.value = true;
  // One that is open already is not drawn anew, which would give it the focus.
  document.querySelector<HTMLElement>(".rail-top input")?.focus();
  if (getComputedStyle(document.querySelector(".rail")!).display === "none") {
    openDrawer();
  }
}

/** What opens the search of places; known when what can wait has come. */
export const goToKey = signal("");
