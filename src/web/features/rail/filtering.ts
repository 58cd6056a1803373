// Whether the rail is filtered, and by what.
import { signal } from "@preact/signals";
import { openDrawer } from "./drawer.ts";

export const isFiltering = signal(false);
export const filtered = signal("");

export function startFilter(): void {
  filtered.value = "";
  isFiltering.value = true;
  if (getComputedStyle(document.querySelector(".rail")!).display === "none") {
    openDrawer();
  }
}

/** What opens the search of places; known when what can wait has come. */
export const goToKey = signal("");
