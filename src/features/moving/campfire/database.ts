// Campfire's database: a copy that is opened read-only, and rows of its tables.
import { Database } from "bun:sqlite";
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Archive } from "../archive/entries.ts";
import { temporaryDirectory, noSpaceError } from "../archive/temporary.ts";
import { MovingRefused } from "../errors.ts";

const MAGIC = "SQLite format 3\0";
const NAME = /\.(?:sqlite3?|db)$/;
/** A database without these tables belongs to another program. */
const TABLES = ["users", "rooms", "memberships", "messages", "action_text_rich_texts"];
/** The Slack importer explains how to convert such a file. */
const SLACKDUMP = "slackdump.sqlite";
const ROW_BYTES_MAX = 16 * 1_048_576;

type Row = Record<string, unknown>;

export class CampfireDatabase {
  private constructor(
    private readonly database: Database,
    readonly entry: string,
    private readonly tables: ReadonlySet<string>,
  ) {}

  /** undefined: no entry is a database with Campfire's tables. */
  static async find(archive: Archive): Promise<CampfireDatabase | undefined> {
    const names = [...archive.sizes.keys()].filter((name) => {
      return NAME.test(name) || archive.sizes.size === 1;
    });
    // The folder also contains databases of caches and jobs, so the primary one is tried first.
    names.sort((a, b) => Number(b.includes("production.")) - Number(a.includes("production.")));
    for (const name of names) {
      if (!(await isSqlite(archive, name))) continue;
      const database = await CampfireDatabase.open(archive, name);
      if (database) return database;
      if (archive.sizes.size === 1 && name !== SLACKDUMP) {
        throw new MovingRefused(`Not a Campfire database: it lacks one of ${TABLES.join(", ")}`);
      }
    }
    return undefined;
  }

  private static async open(
    archive: Archive,
    entry: string,
  ): Promise<CampfireDatabase | undefined> {
    const folder = await mkdtemp(join(temporaryDirectory(), "skein-import-"));
    const path = join(folder, "copy.sqlite3");
    let database: Database | undefined;
    try {
      await copy(archive, entry, path);
      // The write-ahead log may contain newer rows.
      if (archive.sizes.has(`${entry}-wal`)) await copy(archive, `${entry}-wal`, `${path}-wal`);
      database = new Database(path, { readonly: true });
      database.run("PRAGMA trusted_schema = OFF");
      database.run("PRAGMA cell_size_check = ON");
      const tables = database
        .query("SELECT name FROM sqlite_master WHERE type = 'table'")
        .all()
        .map((row) => String((row as Row)["name"]));
      if (TABLES.every((table) => tables.includes(table))) {
        return new CampfireDatabase(database, entry, new Set(tables));
      }
      database.close();
      return undefined;
    } catch (error) {
      database?.close();
      throw errorOfDamage(error, entry);
    } finally {
      // The open database can still read its deleted files.
      await rm(folder, { recursive: true, force: true });
    }
  }

  has(table: string): boolean {
    return this.tables.has(table);
  }

  /** Rows as SQLite finds them, one in memory at a time. */
  *rows(sql: string, ...values: (string | number)[]): Iterable<Row> {
    try {
      for (const row of this.database.query(sql).iterate(...values)) yield row as Row;
    } catch (error) {
      throw errorOfDamage(error, this.entry);
    }
  }

  close(): void {
    this.database.close();
  }
}

async function isSqlite(archive: Archive, name: string): Promise<boolean> {
  let head = "";
  for await (const piece of archive.stream(name, { from: 0, to: MAGIC.length })) {
    head += Buffer.from(piece).toString("latin1");
  }
  return head === MAGIC;
}

async function copy(archive: Archive, entry: string, path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const piece of archive.stream(entry)) await file.writeFile(piece);
  } catch (error) {
    throw noSpaceError(error, entry);
  } finally {
    await file.close();
  }
}

function errorOfDamage(error: unknown, entry: string): unknown {
  if (!(error instanceof Error) || error.name !== "SQLiteError") return error;
  return new MovingRefused(`not a whole SQLite database (${error.message})`, entry);
}

/** Returns the text of a column; undefined for other types and for texts above the limit. */
export const textIn = (row: Row, column: string): string | undefined => {
  const value = row[column];
  return typeof value === "string" && value.length <= ROW_BYTES_MAX
    ? value.toWellFormed().replaceAll("\0", "")
    : undefined;
};

export const numberIn = (row: Row, column: string): number | undefined => {
  const value = row[column];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

/** Returns milliseconds. Rails writes UTC without a time zone. */
export const timeIn = (row: Row, column: string): number => {
  const [, day = "", time = ""] =
    /^(\d{4}-\d\d-\d\d)[ T]([\d:.]{8,15})/.exec(textIn(row, column) ?? "") ?? [];
  return Date.parse(`${day}T${time}Z`);
};
