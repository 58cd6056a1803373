// What one is still writing in the place of a message, on the disk beside the drafts.
import type { KeptDraft } from "../../sync/kept.ts";

export interface KeptEdit extends KeptDraft {
  readonly message_id: number;
  /** What one began from. */
  readonly before: string;
  /** Of what the server had then, where the browser makes one. */
  readonly sha256: string | undefined;
}

const PREFIX = "edit ";

export const editKey = (message_id: number): string => PREFIX + message_id;

/** Not one of the drafts, which are messages that do not exist yet. */
export const isEdit = (row: KeptDraft): row is KeptEdit => row.place.startsWith(PREFIX);
