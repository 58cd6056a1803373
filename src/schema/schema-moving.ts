// Tables of imports, which make them resumable, repeatable and reversible, and of exports.
import { table } from "../store/declare.ts";
import type { ImportRun, ImportedRow, PersonExport, RealmExport } from "./records-moving.ts";

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
  realm_exports: table<RealmExport>()({
    prefix: 202,
    key: ["export_id"],
    fields: [
      "export_id", "export_type", "acting_user_id", "export_time", "state", "key", "ended",
    ],
    indexes: {},
  }),
  person_exports: table<PersonExport>()({
    prefix: 203,
    key: ["user_id"],
    fields: ["user_id", "state", "requested", "key", "ended"],
    indexes: {},
  }),
};
