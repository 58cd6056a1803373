// Whether the rail is filtered, and by what.
import { signal } from "@preact/signals";

export const isFiltering = signal(false);
export const filtered = signal("");

/** What opens the search of places; known when what can wait has come. */
export const goToKey = signal("");
