// Writes a JSON object of lists to a file, row by row.
import { closeSync, openSync, writeSync } from "node:fs";
import { yieldToEventLoop } from "../../../../async/yield.ts";
import { syncNow } from "../../../../store/system/durable.ts";

const WRITE_LENGTH = 256 * 1024;
const ROWS_AT_ONCE = 200;
const OWNER_ONLY = 0o600;

export type OutRow = Record<string, unknown>;
export type OutRows = Iterable<OutRow> | AsyncIterable<OutRow>;

export class JsonFile {
  private readonly file: number;
  private text = "";
  private hasFields = false;

  constructor(private readonly path: string) {
    this.file = openSync(path, "wx", OWNER_ONLY);
  }

  /** Returns the number of rows. */
  async table(name: string, rows: OutRows): Promise<number> {
    this.field(name);
    return this.list(rows);
  }

  value(name: string, value: unknown): void {
    this.field(name);
    this.text += JSON.stringify(value);
  }

  /** Writes a file that is a list instead of an object. */
  async list(rows: OutRows): Promise<number> {
    let count = 0;
    this.text += "[";
    for await (const row of rows) {
      this.text += `${count === 0 ? "" : ","}\n${JSON.stringify(row)}`;
      if (++count % ROWS_AT_ONCE === 0) await yieldToEventLoop();
      if (this.text.length > WRITE_LENGTH) this.flush();
    }
    this.text += "]";
    return count;
  }

  /** Flushes the file to disk. */
  close(): void {
    if (this.hasFields) this.text += "}\n";
    this.flush();
    closeSync(this.file);
    syncNow(this.path);
  }

  /** Called after an error; the file is incomplete. */
  abandon(): void {
    closeSync(this.file);
  }

  private field(name: string): void {
    this.text += `${this.hasFields ? "," : "{"}\n${JSON.stringify(name)}: `;
    this.hasFields = true;
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    for (let offset = 0; offset < bytes.length;) offset += writeSync(this.file, bytes, offset);
    this.text = "";
  }
}
