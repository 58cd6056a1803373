// Tables of imports, which make them resumable, repeatable and reversible.
import { table } from "../store/declare.ts";
import type { ImportRun, ImportedRow } from "./records-moving.ts";

// prettier-ignore
export const movingTables = {
  imports: table<ImportRun>()({
    prefix: 200,
    key: ["import_id"],
    fields: [
      "import_id", "product", "source", "path", "state", "started", "finished", "after_message_id",
      "counts",
    ],
    indexes: {},
  }),
  imported: table<ImportedRow>()({
    prefix: 201,
    key: ["import_id", "step", "source_key"],
    fields: ["import_id", "step", "source_key", "table", "row_key", "checksum"],
    indexes: {},
  }),
};
