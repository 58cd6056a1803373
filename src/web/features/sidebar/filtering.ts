// Whether the sidebar is filtered, and the filter text.
import { signal } from "@preact/signals";

export const isFiltering = signal(false);
export const filtered = signal("");

/** The key that opens the filter. Known once late modules are loaded. */
export const goToKey = signal("");
