// How many drafts there are, for who shows their number before this browser's own are loaded.
import { signal } from "@preact/signals";

/** With those that this browser alone has; undefined until it is known which these are. */
export const countDrafts = signal<(() => number) | undefined>(undefined);
