// Stores edits in progress on disk, beside the drafts.
import type { KeptDraft } from "../../sync/kept.ts";

export interface KeptEdit extends KeptDraft {
  readonly message_id: number;
  /** The text at the start. */
  readonly before: string;
  /** Of the server's text at the start, if the browser can compute it. */
  readonly sha256: string | undefined;
}

const PREFIX = "edit ";

export const editKey = (message_id: number): string => PREFIX + message_id;

/** Not one of the drafts, which are messages that do not exist yet. */
export const isEdit = (row: KeptDraft): row is KeptEdit => row.place.startsWith(PREFIX);
