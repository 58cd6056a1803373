// Records of imports from other servers and products.
import type { Seconds } from "./records.ts";

/** An import: one for each source, however often it is run. */
export interface ImportRun {
  import_id: number;
  /** The program that wrote the archive, such as `skein-jsonl`. */
  product: string;
  /** Identifies the archive or the workspace it came from. */
  source: string;
  /** The path that was given to the newest run. */
  path: string;
  state: "running" | "done" | "undone";
  started: Seconds;
  finished: Seconds | null;
  /** The newest message before the import. */
  after_message_id: number;
  /** Rows written so far, by table. */
  counts: Record<string, number>;
}

/** A row that an import wrote, in the transaction that wrote it. */
export interface ImportedRow {
  import_id: number;
  /** The place of its table in the order of an import; an undo goes the other way. */
  step: number;
  /** The key of the record in its source. */
  source_key: string;
  table: string;
  /** The key of the row. */
  row_key: (number | string)[];
  /** A checksum of the row as it was written, without the fields that change by themselves. */
  checksum: number;
}
