// Undoes the import of a JSONL export if the organization has not been used since.
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { Realm, Writer } from "../../../realm.ts";
import type { ImportedRow, ImportRun } from "../../../schema/records-moving.ts";
import type { BitmapReader, TableReader } from "../../../store/declare.ts";
import { blobsOf } from "../../files/blobs.ts";
import { REALM_ID } from "../../realm/rules.ts";
import { checksumOf, dropRow, type Row, type TableName, tableOf } from "../write-row.ts";
import { type MovingReport, Reporting } from "../report.ts";
import { finishRun } from "../import-runs.ts";
import { FILES_STEP, SETS_STEP } from "./archive.ts";
import { FORMAT } from "./format.ts";
import { EXPORTED_TABLES, type ExportedSet, type ExportedTable } from "./shapes-rules.ts";

const ROWS_AT_ONCE = 200;
const CLEARED_AT_ONCE = 5_000;
/** The server writes these without user actions. */
const SERVER_TABLES: ReadonlySet<ExportedTable> = new Set(["due", "presences", "group_graph"]);

/**
 * Deletes everything that the import wrote. If there are later changes, deletes nothing and reports
 * them.
 */
export async function undoJsonl(realm: Realm, run: ImportRun): Promise<MovingReport> {
  const reporting = new Reporting(FORMAT, run.path);
  reporting.report.import_id = run.import_id;
  await usesSince(realm, run, reporting);
  if (reporting.hasFaults) return reporting.end("refused");
  await deleteRows(realm, run, reporting);
  await clearDerived(realm);
  await finishRun(realm, run.import_id, "undone");
  return reporting.end("undone");
}

async function usesSince({ read }: Realm, run: ImportRun, reporting: Reporting): Promise<void> {
  const remaining: Record<string, number> = {};
  for await (const mark of marksOf(read.imported, run.import_id)) {
    if (mark.step === FILES_STEP) continue;
    remaining[mark.table] = (remaining[mark.table] ?? 0) + 1;
    if (mark.step === SETS_STEP || SERVER_TABLES.has(mark.table as ExportedTable)) continue;
    const name = `${mark.table} ${mark.row_key.join(" ")}`;
    const row = (read[mark.table as TableName] as unknown as TableReader<Row>).get(...mark.row_key);
    if (!row) reporting.fault(`${name} was deleted since the import`);
    else if (checksumOf(mark.table, row) !== mark.checksum) {
      reporting.fault(`${name} was changed since the import`);
    }
  }
  for (const table of EXPORTED_TABLES) {
    if (SERVER_TABLES.has(table)) continue;
    const addedCount = read[table].count() - (remaining[table] ?? 0);
    if (addedCount > 0)
      reporting.fault(`${table} has ${addedCount} rows that were written after the import`);
  }
  const sessions = read.sessions.count();
  if (sessions > 0) reporting.fault(`${sessions} users have signed in since the import`);
}

async function deleteRows(realm: Realm, run: ImportRun, reporting: Reporting): Promise<void> {
  const { import_id } = run;
  const range = { from: [import_id], to: [import_id + 1], reverse: true, limit: ROWS_AT_ONCE };
  for (;;) {
    const marks = [...realm.read.imported.range(range)];
    if (marks.length === 0) return;
    for (const { table, row_key } of marks) {
      if (table === "files") await blobsOf(realm).delete(String(row_key[0]));
    }
    await realm.write((tx) => {
      for (const mark of marks) deleteRow(tx, mark);
    });
    for (const { table } of marks) reporting.countWritten(table);
  }
}

function deleteRow(tx: Writer, { import_id, step, source_key, table, row_key }: ImportedRow): void {
  tx.imported.delete(import_id, step, source_key);
  if (step === FILES_STEP) return;
  if (step === SETS_STEP) {
    const key = row_key.slice(0, -1);
    return tx[table as ExportedSet].set(key, Number(row_key.at(-1)), undefined);
  }
  const row = tableOf(tx, table as TableName).get(...row_key);
  if (row) dropRow(tx, table as TableName, row_key, row);
}

/** Derived sets are cleared as a whole, since no row is left. */
export async function clearDerived(realm: Realm): Promise<void> {
  await realm.write((tx) => {
    tx.upload_space.delete(REALM_ID);
    tx.mail_progress.delete(REALM_ID);
    for (const { at, job_id } of [...tx.due.range()]) tx.due.delete(at, job_id);
    for (const { level, number } of [...tx.search_segments.range()]) {
      tx.search_segments.delete(level, number);
    }
    for (const { id } of [...tx.search_fresh.range()]) tx.search_fresh.delete(id);
    for (const { user_id } of [...tx.presences.range()]) tx.presences.delete(user_id);
    for (const { realm_id } of [...tx.group_graph.range()]) tx.group_graph.delete(realm_id);
    for (const n of chunksOf(tx.topic_parts, "")) tx.topic_parts.set([""], n, undefined);
    for (const n of chunksOf(tx.search_gone, 0)) tx.search_gone.set([0], n, undefined);
  });
  const limit = CLEARED_AT_ONCE;
  for (const table of ["search_pages", "search_words", "search_parts"] as const) {
    while ((await realm.write((tx) => tx[table].clear({ limit }))) === limit);
  }
}

const chunksOf = (bitmap: BitmapReader, key: number | string) => [...bitmap.chunks([key])];

/** Reads in batches, so that no snapshot is held for long. */
export async function* marksOf(
  imported: TableReader<ImportedRow>,
  import_id: number,
): AsyncIterable<ImportedRow> {
  let from: (number | string)[] = [import_id];
  for (;;) {
    const batch = [...imported.range({ from, to: [import_id + 1], limit: ROWS_AT_ONCE })];
    yield* batch;
    const last = batch.at(-1);
    if (!last || batch.length < ROWS_AT_ONCE) return;
    // Continues after the last one.
    from = [import_id, last.step, `${last.source_key}\u0001`];
    await yieldToEventLoop();
  }
}
