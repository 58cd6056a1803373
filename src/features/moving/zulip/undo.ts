// Undoes the import of a Zulip export if the organization has not been used since.
import type { Realm, Writer } from "../../../realm.ts";
import type { ImportedRow, ImportRun } from "../../../schema/records-moving.ts";
import { tables } from "../../../schema/schema.ts";
import { chunkOf } from "../../../store/bitmap/bitmap.ts";
import type { TableReader } from "../../../store/declare.ts";
import { blobsOf } from "../../files/blobs.ts";
import { referencedPaths } from "../../backup/work/file-paths.ts";
import { checksumOf, dropRow, keyOfRow, type Row, type TableName, tableOf } from "../write-row.ts";
import { setLines } from "../jsonl/id-sets.ts";
import { clearDerived, marksOf } from "../jsonl/undo.ts";
import { type MovingReport, Reporting } from "../report.ts";
import { finishRun } from "../import-runs.ts";
import { ZULIP } from "./read/source.ts";

const ROWS_AT_ONCE = 200;
/** Rows that belong to messages and are deleted with them. */
const MESSAGE_TABLES = [
  "topics",
  "topic_renames",
  "conversations",
  "attachment_uses",
  "backdated_times",
  "moved_messages",
  "archive",
] as const satisfies TableName[];

/**
 * Deletes everything that the import wrote. If there are later changes, deletes nothing and reports
 * them.
 */
export async function undoZulip(realm: Realm, run: ImportRun): Promise<MovingReport> {
  const reporting = new Reporting(ZULIP, run.path);
  reporting.report.import_id = run.import_id;
  await usesSince(realm, run, reporting);
  if (reporting.hasFaults) return reporting.end("refused");
  for (const path of new Set([...referencedPaths(realm.read)].map(({ path }) => path))) {
    await blobsOf(realm).delete(path);
  }
  await clearSets(realm);
  await deleteRows(realm, run, reporting);
  await realm.write((tx) => tx.mail_progress.delete(1));
  await clearDerived(realm);
  await finishRun(realm, run.import_id, "undone");
  return reporting.end("undone");
}

async function usesSince({ read }: Realm, run: ImportRun, reporting: Reporting): Promise<void> {
  const counts = new Map<TableName, number>();
  for await (const { table, row_key, checksum } of marksOf(read.imported, run.import_id)) {
    if (!isTable(table)) continue;
    counts.set(table, (counts.get(table) ?? 0) + 1);
    // Looks up a table by its name; the type of its rows is unknown.
    const row = (read[table] as unknown as TableReader<Row>).get(...row_key);
    const name = `${table} ${row_key.join(" ")}`;
    if (!row) reporting.fault(`${name} was deleted since the import`);
    else if (table !== "group_graph" && checksumOf(table, row) !== checksum) {
      reporting.fault(`${name} was changed since the import`);
    }
  }
  for (const [table, count] of counts) {
    const addedCount = read[table].count() - count;
    if (addedCount > 0)
      reporting.fault(`${table} has ${addedCount} rows that were written since the import`);
  }
  for (const table of ["sessions", "passwords", "api_keys", "drafts", "invitations"] as const) {
    const count = read[table].count();
    if (count > 0) reporting.fault(`${table} has ${count} rows that were written since the import`);
  }
}

/** Deletes the remaining id sets of users. */
async function clearSets(realm: Realm): Promise<void> {
  for (;;) {
    const lines = [...firstOf(setLines(realm.read), ROWS_AT_ONCE)];
    if (lines.length === 0) return;
    await realm.write((tx) => {
      for (const { set, key, ids } of lines) tx[set].set(key, chunkOf(ids[0]![0]), undefined);
    });
  }
}

async function deleteRows(realm: Realm, run: ImportRun, reporting: Reporting): Promise<void> {
  const { import_id } = run;
  const range = { from: [import_id], to: [import_id + 1], reverse: true, limit: ROWS_AT_ONCE };
  for (;;) {
    const marks = [...realm.read.imported.range(range)];
    if (marks.length === 0) break;
    await realm.write((tx) => {
      for (const mark of marks) deleteRow(tx, mark);
    });
    for (const { table } of marks) reporting.countWritten(table);
  }
  for (const table of MESSAGE_TABLES) {
    for (;;) {
      const rows = [...realm.read[table].range({ limit: ROWS_AT_ONCE })] as unknown as Row[];
      if (rows.length === 0) break;
      await realm.write((tx) => {
        for (const row of rows) dropRow(tx, table, keyOfRow(table, row), row);
      });
    }
  }
}

function deleteRow(tx: Writer, { import_id, step, source_key, table, row_key }: ImportedRow): void {
  tx.imported.delete(import_id, step, source_key);
  if (!isTable(table)) return;
  const row = tableOf(tx, table).get(...row_key);
  if (row) dropRow(tx, table, row_key, row);
}

/** Flags and images have marks but no rows of their own. */
const isTable = (name: string): name is TableName => Object.hasOwn(tables, name);

function* firstOf<T>(values: Iterable<T>, countMax: number): Iterable<T> {
  let count = 0;
  for (const value of values) {
    if (count++ === countMax) return;
    yield value;
  }
}
