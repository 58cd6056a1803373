// The number of drafts, available before this browser's own drafts are loaded.
import { signal } from "@preact/signals";

/** Includes drafts that only this browser has. Undefined until these are known. */
export const countDrafts = signal<(() => number) | undefined>(undefined);
