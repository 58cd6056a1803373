// Records of imports from other servers and products.
import type { Seconds } from "./records.ts";

/** An import: one record per source, however often it is run. */
export interface ImportRun {
  import_id: number;
  /** The program that wrote the archive, such as `skein-jsonl`. */
  product: string;
  /** Identifies the archive, or the workspace that it was exported from. */
  source: string;
  /** The path of the archive in the newest run. */
  path: string;
  state: "running" | "done" | "undone";
  started: Seconds;
  finished: Seconds | null;
  /** The newest message before the import. */
  after_message_id: number;
  /** Rows written so far, by table. */
  counts: Record<string, number>;
}

/** A row that an import wrote, recorded in the same transaction. */
export interface ImportedRow {
  import_id: number;
  /** The position of its table in the order of an import; an undo uses the reverse order. */
  step: number;
  /** The key of the record in its source. */
  source_key: string;
  table: string;
  /** The key of the row. */
  row_key: (number | string)[];
  /** A checksum of the row as written, without fields that the server changes by itself. */
  checksum: number;
}

/** An export that an administrator requested. */
export interface RealmExport {
  export_id: number;
  export_type: "public" | "full_with_consent" | "full_without_consent";
  acting_user_id: number;
  export_time: Seconds;
  state: "requested" | "started" | "succeeded" | "failed" | "deleted";
  /** Part of its URL and the name of its file. */
  key: string;
  /** When it succeeded, failed or was deleted; null before. */
  ended: Seconds | null;
}

/** An export of a user's own data: the newest one that the user requested. */
export interface PersonExport {
  user_id: number;
  state: "requested" | "started" | "ready" | "failed";
  requested: Seconds;
  /** Part of the name of its file. */
  key: string;
  /** When it was ready or failed; null before. */
  ended: Seconds | null;
}
