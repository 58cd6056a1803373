// Exports that administrators requested, as clients receive them.
import type { PlainEvent } from "../../../contract/events.ts";
import type { Reader } from "../../../realm.ts";
import type { RealmExport } from "../../../schema/records-moving.ts";

/** Returns the exports in order of creation. */
export function exportObjects(reader: Reader) {
  const rows = [...reader.realm_exports.range()].sort((a, b) => a.export_id - b.export_id);
  return rows.map((row) => exportObject(reader, row));
}

export const exportsChanged = (reader: Reader): PlainEvent => ({
  type: "realm_export",
  exports: exportObjects(reader),
});

function exportObject(reader: Reader, row: RealmExport) {
  const { export_id: id, export_type, acting_user_id, export_time, state, ended } = row;
  const isDone = state === "succeeded";
  return {
    ...{ id, acting_user_id, export_time, export_type },
    export_url: isDone ? `${reader.config.url}${exportPath(row)}` : null,
    deleted_timestamp: state === "deleted" ? ended : null,
    failed_timestamp: state === "failed" ? ended : null,
    pending: state === "requested" || state === "started",
    export_from_prior_server: false,
  };
}

/** The key cannot be guessed, and the file is sent only to the administrator who requested it. */
const exportPath = ({ key, export_id }: Pick<RealmExport, "key" | "export_id">) =>
  `/exports/${key}/${exportFile(export_id)}`;

export const exportFile = (export_id: number) => `zulip-export-${export_id}.tar.gz`;
