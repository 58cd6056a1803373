// Uploaded files of a Zulip export, each with its record.
import type { Realm, Writer } from "../../../realm.ts";
import { keepBytes } from "../../files/save.ts";
import { shownName, UNKNOWN_TYPE } from "../../files/rules.ts";
import { DAMAGED_FILE, storeDraft } from "../archive/store-file.ts";
import { type Item, putRow, type Row } from "../write-row.ts";
import type { Reporting } from "../report.ts";
import { pathHere } from "./read/file-paths.ts";
import { idIn, int, seconds, text } from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";
import { stepOf } from "./steps.ts";

/** Stores the bytes before the record, so that no record lacks its bytes. */
export async function* fileItems(
  realm: Realm,
  import_id: number,
  source: ZulipExport,
  users: { has(user_id: number): boolean },
  reporting: Reporting,
): AsyncIterable<Item> {
  const entries = await movedEntries(source);
  for await (const { row, location } of source.attachments()) {
    const [id, user_id] = [idIn(row), int(row, "owner") ?? 0];
    const path_id = text(row, "path_id") ?? "";
    const path = pathHere(path_id);
    const entry = entries.get(path_id) ?? source.entryOf("uploads", path_id);
    if (id === undefined || path === undefined || entry === undefined || !users.has(user_id)) {
      reporting.lost("The bytes or the owner of an uploaded file are missing.", location);
      continue;
    }
    if (realm.read.imported.has(import_id, stepOf("attachments"), String(id))) continue;
    const name = shownName(text(row, "file_name") ?? path.split("/").at(-1)!);
    if (!(await storeDraft(realm, path, source.archive.stream(entry)))) {
      reporting.lost(DAMAGED_FILE, location);
      continue;
    }
    const content_type = text(row, "content_type") ?? UNKNOWN_TYPE;
    const storedFile = await keepBytes(realm, { path_id: path, name, content_type });
    const create_time = seconds(row, "create_time") ?? realm.read.now;
    yield {
      step: stepOf("attachments"),
      source_key: String(id),
      bytes: 500,
      write(tx: Writer) {
        const file: Row = { id, user_id, ...storedFile, create_time, unused_since: tx.now };
        return { table: "attachments", row_key: [id], checksum: putRow(tx, "attachments", file) };
      },
    };
  }
}

/** Entries of files that have a different path in the archive than in their URL, by the latter. */
async function movedEntries(source: ZulipExport): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  for await (const { row, entry } of source.records("uploads")) {
    const path_id = text(row, "s3_path") ?? "";
    if (entry && source.entryOf("uploads", path_id) !== entry) entries.set(path_id, entry);
  }
  return entries;
}
