// Whether the rail is filtered, and by what.
import { signal } from "@preact/signals";

export const isFiltering = signal(false);
export const filtered = signal("");

/** The key that opens the filter. Known once late modules are loaded. */
export const goToKey = signal("");
