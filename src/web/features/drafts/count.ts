// How many drafts there are, for who shows their number before this browser's own are loaded.
import { signal } from "@preact/signals";

/** Includes drafts that only this browser has. Undefined until these are known. */
export const countDrafts = signal<(() => number) | undefined>(undefined);
