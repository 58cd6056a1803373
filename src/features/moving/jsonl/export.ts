// Exports an organization as JSON lines from a copy of the database, while the server is in use.
import { openSync, closeSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { yieldToEventLoop } from "../../../async/yield.ts";
import { VERSION } from "../../../contract/version.ts";
import { type Reader, type Realm, schema } from "../../../realm.ts";
import { SEQUENCES } from "../../../schema/schema.ts";
import { openReading } from "../../../store/copy/read-only.ts";
import { syncNow } from "../../../store/system/durable.ts";
import { referencedPaths } from "../../backup/work/file-paths.ts";
import { BULK_SUBSCRIBE } from "../../channels/subscriptions/bulk-parts.ts";
import { blobsOf } from "../../files/blobs.ts";
import { FULL_MEMBERSHIP } from "../../groups/full-members.ts";
import { RESUME_MOVE } from "../../messages/move/move.ts";
import { REMIND } from "../../reminders/actions.ts";
import { SEND_SCHEDULED } from "../../scheduled/actions.ts";
import { END_STATUS } from "../../status/actions.ts";
import type { Row } from "../write-row.ts";
import { type MovingReport, Reporting } from "../report.ts";
import { inNewFolder } from "../export-snapshot.ts";
import { writeBytes } from "../write-bytes.ts";
import { FILES_FILE, type FileFacts, FORMAT, FORMAT_FILE, FORMAT_VERSION } from "./format.ts";
import { type Format, SETS_FILE } from "./format.ts";
import { setLines } from "./id-sets.ts";
import { EXPORTED_TABLES, type ExportedTable } from "./shapes-rules.ts";
import { jsonOf } from "./values.ts";

/** Lines written before other work can run. */
const LINES_AT_ONCE = 200;
const WRITE_BYTES = 256 * 1024;
const SNAPSHOT = "export.mdb";
/** Jobs that belong to exported rows; the new server creates all others itself. */
const EXPORTED_JOBS: ReadonlySet<string> = new Set([
  BULK_SUBSCRIBE,
  END_STATUS,
  FULL_MEMBERSHIP,
  REMIND,
  RESUME_MOVE,
  SEND_SCHEDULED,
]);
const OWNER_ONLY = 0o600;

/** Exports everything except the tables in `LEFT_OUT`. The folder must be new or empty. */
export function exportJsonl(realm: Realm, directory: string): Promise<MovingReport> {
  return inNewFolder(directory, () => writeExport(realm, directory));
}

async function writeExport(realm: Realm, directory: string): Promise<MovingReport> {
  const reporting = new Reporting(FORMAT, directory);
  const path = join(directory, SNAPSHOT);
  await realm.copyTo(path);
  const copy = openReading(path, schema);
  try {
    // A Reader except for the settings and the clock, which come from the realm.
    const tables = copy.tables as unknown as Reader;
    const exporting = new Exporting(realm, tables, directory, reporting);
    await exporting.rows();
    await exporting.sets();
    await exporting.uploads();
    const sequences = SEQUENCES.map((name) => [name, copy.last(name)]);
    exporting.finish(Object.fromEntries(sequences));
  } finally {
    await copy.close();
    rmSync(path, { force: true });
  }
  return reporting.end("exported");
}

class Exporting {
  private readonly files: Record<string, FileFacts> = {};
  private readonly missing: string[] = [];

  constructor(
    private readonly realm: Realm,
    private readonly tables: Reader,
    private readonly directory: string,
    private readonly reporting: Reporting,
  ) {}

  async rows(): Promise<void> {
    for (const table of EXPORTED_TABLES) {
      await this.write(`${table}.jsonl`, table, this.rowsOf(table));
    }
  }

  async sets(): Promise<void> {
    await this.write(SETS_FILE, "sets", setLines(this.tables));
  }

  /** Skips bytes that the new server can generate again. */
  async uploads(): Promise<void> {
    const blobs = blobsOf(this.realm);
    const lines: object[] = [];
    const places = new Map(
      [...referencedPaths(this.tables)].map((reference) => [reference.path, reference]),
    );
    for (const { path, is_derived } of places.values()) {
      const blob = await blobs.find(path);
      if (blob) lines.push(await this.copyFile(path, await blob.body()));
      else if (!is_derived) {
        this.missing.push(path);
        this.reporting.lost("The bytes of an uploaded file are missing.", path);
      }
    }
    await this.write(FILES_FILE, "files", lines);
  }

  finish(sequences: Record<string, number>): void {
    const { realm, directory, files, missing } = this;
    const format: Format = {
      format: FORMAT,
      version: FORMAT_VERSION,
      id: crypto.randomUUID(),
      skein: VERSION,
      exported: realm.read.now,
      name: realm.read.settings.name,
      url: realm.config.url,
      ...{ sequences, files, missing },
    };
    const draft = join(directory, `${FORMAT_FILE}.new`);
    const file = openSync(draft, "wx", OWNER_ONLY);
    writeSync(file, `${JSON.stringify(format, null, 2)}\n`);
    closeSync(file);
    syncNow(draft);
    renameSync(draft, join(directory, FORMAT_FILE));
    syncNow(directory);
  }

  private *rowsOf(table: ExportedTable): Iterable<Row> {
    // The table's name determines the type of the rows.
    const rows = this.tables[table].range() as Iterable<unknown> as Iterable<Row>;
    for (const row of rows) {
      if (table === "due" && !EXPORTED_JOBS.has(String(row["kind"]))) continue;
      const json = jsonOf(this.realm.read.secret, table, row);
      if (table === "totps" && json["sealed"] === null) {
        const kind = "The secret of an authenticator app cannot be decrypted: set it up again.";
        this.reporting.lost(kind, `user ${String(row["user_id"])}`);
      } else yield json;
      if (table === "messages") this.reporting.time(Number(row["timestamp"]));
    }
  }

  private async write(name: string, kind: string, lines: Iterable<object>): Promise<void> {
    const file = openSync(join(this.directory, name), "wx", OWNER_ONLY);
    const hash = new Bun.CryptoHasher("sha256");
    let count = 0;
    let text = "";
    const flush = () => {
      const bytes = Buffer.from(text);
      hash.update(bytes);
      for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
      text = "";
    };
    try {
      for (const line of lines) {
        text += `${JSON.stringify(line)}\n`;
        count += 1;
        if (text.length > WRITE_BYTES) flush();
        if (count % LINES_AT_ONCE === 0) await yieldToEventLoop();
      }
      flush();
    } finally {
      closeSync(file);
    }
    syncNow(join(this.directory, name));
    this.files[name] = { lines: count, sha256: hash.digest("hex") };
    if (count > 0) this.reporting.countFound(kind, count);
    this.reporting.countWritten(kind, count);
  }

  private async copyFile(place: string, body: Blob | Uint8Array | ReadableStream) {
    const path = join(this.directory, "files", place);
    const hash = new Bun.CryptoHasher("sha256");
    const size = await writeBytes(path, body, (piece) => void hash.update(piece));
    syncNow(path);
    return { place, size, sha256: hash.digest("hex") };
  }
}
