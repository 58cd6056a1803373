// Stores edits in progress on disk, beside the drafts.
import type { StoredDraftRow } from "../../sync/personal-database.ts";

export interface StoredEdit extends StoredDraftRow {
  readonly message_id: number;
  /** The text when the edit started. */
  readonly before: string;
  /** Hash of the server's text at the start, if the browser can compute it. */
  readonly sha256: string | undefined;
}

const PREFIX = "edit ";

export const editKey = (message_id: number): string => PREFIX + message_id;

/** An edit is stored beside the drafts, but belongs to an existing message. */
export const isEdit = (row: StoredDraftRow): row is StoredEdit => row.place.startsWith(PREFIX);
