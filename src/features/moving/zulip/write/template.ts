// The columns of a Zulip server's tables, taken from an export of that server.
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { openArchive } from "../../archive/archive.ts";
import { MovingRefused } from "../../errors.ts";
import { ZulipExport } from "../read/source.ts";
import type { OutRow, OutRows } from "./json-file.ts";

const STATUS = "migration_status.json";

export class Template {
  private constructor(
    private readonly directory: string,
    /** The first row of each table. */
    private readonly rows: ReadonlyMap<string, OutRow>,
  ) {}

  /** `directory` is the folder of an export that the destination server made. */
  static async read(directory: string): Promise<Template> {
    if (!existsSync(join(directory, STATUS))) {
      throw new MovingRefused(`${STATUS} is missing: give a folder that Zulip exported`, directory);
    }
    const archive = await openArchive(directory);
    try {
      const source = await ZulipExport.open(archive);
      const rows = new Map<string, OutRow>();
      for (const table of source.tables) {
        for await (const { row } of source.rows(table)) {
          rows.set(table, row);
          break;
        }
      }
      return new Template(directory, rows);
    } finally {
      await archive.close();
    }
  }

  /**
   * Yields the rows with exactly the template's columns; missing values are those of the template.
   * If the template has no row of the table, the rows stay unchanged.
   */
  async *shapeRows(table: string, rows: OutRows): AsyncIterable<OutRow> {
    const templateRow = this.rows.get(table);
    for await (const row of rows) {
      if (!templateRow) {
        yield row;
        continue;
      }
      const shaped: OutRow = {};
      for (const [column, value] of Object.entries(templateRow)) {
        shaped[column] = Object.hasOwn(row, column) ? row[column] : value;
      }
      yield shaped;
    }
  }

  copyTo(directory: string): void {
    copyFileSync(join(this.directory, STATUS), join(directory, STATUS));
  }
}
