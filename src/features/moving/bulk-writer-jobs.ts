// The bulk writer: writes many rows of an archive per transaction, and each row only once.
import type { Realm, Writer } from "../../realm.ts";
import type { ImportRun } from "../../schema/records-moving.ts";
import { mergeIndex, mergeIndexInSteps } from "../search/jobs.ts";
import type { Item } from "./write-row.ts";

const BATCH_ROWS_MAX = 500;
/** Requests of a running server wait for one batch at most, so batches are smaller there. */
const SERVING_ROWS_MAX = 25;
const BATCH_BYTES_MAX = 4 * 1_048_576;

/** Writes items in the order in which they are added, and skips those that were imported before. */
export class BulkWriter {
  private batch: Item[] = [];
  private bytes = 0;

  constructor(
    private readonly realm: Realm,
    private readonly import_id: number,
    private readonly onWritten: (table: string) => void,
    readonly isServing = false,
  ) {}

  async add(item: Item): Promise<void> {
    this.batch.push(item);
    this.bytes += item.bytes;
    const rowsMax = this.isServing ? SERVING_ROWS_MAX : BATCH_ROWS_MAX;
    if (this.batch.length >= rowsMax || this.bytes >= BATCH_BYTES_MAX) await this.flush();
  }

  async flush(): Promise<void> {
    const { batch, import_id, realm, isServing } = this;
    if (batch.length === 0) return;
    this.batch = [];
    this.bytes = 0;
    const body = (tx: Writer) => writeBatch(tx, import_id, batch);
    const result = await (isServing ? realm.writeStep(body) : realm.write(body));
    for (const table of result) this.onWritten(table);
    await (isServing ? mergeIndexInSteps(realm) : mergeIndex(realm));
  }
}

function writeBatch(tx: Writer, import_id: number, batch: readonly Item[]): string[] {
  const run = tx.imports.get(import_id)!;
  const counts = { ...run.counts };
  const writtenKeys: string[] = [];
  for (const { step, source_key, write } of batch) {
    if (tx.imported.has(import_id, step, source_key)) continue;
    const row = write(tx);
    tx.imported.put({ import_id, step, source_key, ...row });
    counts[row.table] = (counts[row.table] ?? 0) + 1;
    writtenKeys.push(row.table);
  }
  if (writtenKeys.length > 0) tx.imports.put({ ...run, counts } satisfies ImportRun);
  return writtenKeys;
}
