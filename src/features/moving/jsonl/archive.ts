// Reads a JSONL export in the order of an import, and validates every record with its position.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Reader, Writer } from "../../../realm.ts";
import type { BitmapWriter } from "../../../store/declare.ts";
import { isFields } from "../../../text/untrusted-json.ts";
import { type Item, keyOfRow, putRow } from "../write-row.ts";
import { jsonLines, type Line } from "../json-lines.ts";
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import { checkIsFile, type Format, FILES_FILE, readFormat, SETS_FILE } from "./format.ts";
import { FLAG_MAX, type SetLine } from "./id-sets.ts";
import { EXPORTED_SETS, EXPORTED_TABLES, type ExportedTable } from "./shapes-rules.ts";
import { References } from "./references.ts";
import { checkRow, chunkIn, rowOf } from "./values.ts";

/** Files come first, so that no row refers to missing bytes; sets come last. */
export const FILES_STEP = 0;
export const SETS_STEP = 1_000;

/** Maximum length of a text in the key of a row. */
const KEY_MAX = 400;

const STORED_PATH =
  /^(files|thumbnails|transcoded|moving|pictures)(\/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,4}$/;

export interface FileLine {
  readonly place: string;
  readonly size: number;
  readonly sha256: string;
  /** Path of the file with the bytes. */
  readonly path: string;
}

export class JsonlArchive {
  private constructor(
    readonly directory: string,
    readonly format: Format,
  ) {}

  static async open(directory: string): Promise<JsonlArchive> {
    return new JsonlArchive(directory, await readFormat(directory));
  }

  /** `reporting` counts the files and collects invalid ones. */
  async *files(reporting?: Reporting): AsyncIterable<FileLine> {
    for await (const { value, location: line } of this.lines(FILES_FILE)) {
      const { place, size, sha256 } = isFields(value) ? value : {};
      if (typeof place !== "string" || !STORED_PATH.test(place)) {
        throw new MovingRefused("the path in place is not valid", line);
      }
      if (!Number.isSafeInteger(size) || !/^[0-9a-f]{64}$/.test(String(sha256))) {
        throw new MovingRefused("size or sha256 is missing", line);
      }
      const path = join(this.directory, "files", place);
      const file = await checkIsFile(path, `files/${place}`);
      if (file !== size) {
        throw new MovingRefused(`has ${file} bytes instead of ${String(size)}`, `files/${place}`);
      }
      reporting?.countFound("files");
      yield { place, size: file, sha256: String(sha256), path };
    }
  }

  async *items(secret: Opening, reporting?: Reporting): AsyncIterable<Item> {
    const references = reporting && new References(this.format.sequences);
    for (const table of EXPORTED_TABLES) {
      for await (const line of this.lines(`${table}.jsonl`)) {
        reporting?.countFound(table);
        references?.check(table, line);
        const item = itemOf(secret, table, line);
        if (table === "messages") reporting?.time(timeOf(line));
        yield item;
      }
      if (table === "users") references?.checkOwners();
    }
    for await (const line of this.lines(SETS_FILE)) {
      reporting?.countFound("sets");
      yield setItem(line);
    }
  }

  /** Names in the folder that an import does not use. */
  unexpectedFiles(): string[] {
    const expectedFiles = new Set([...Object.keys(this.format.files), "format.json", "files"]);
    return readdirSync(this.directory).filter((name) => !expectedFiles.has(name));
  }

  private async *lines(name: string): AsyncIterable<Line> {
    const facts = this.format.files[name];
    // An older version of Skein, or another program, may write fewer tables.
    if (!facts) return;
    const path = join(this.directory, name);
    await checkIsFile(path, name);
    const hash = new Bun.CryptoHasher("sha256");
    let count = 0;
    for await (const line of jsonLines(path, name, (bytes) => hash.update(bytes))) {
      count += 1;
      yield line;
    }
    if (count !== facts.lines) {
      throw new MovingRefused(`has ${count} lines instead of ${facts.lines}: truncated?`, name);
    }
    if (facts.sha256 !== undefined && facts.sha256 !== hash.digest("hex")) {
      const remedy = "If you changed it on purpose, remove its sha256 from format.json.";
      throw new MovingRefused(`its checksum differs from format.json. ${remedy}`, name);
    }
  }
}

type Opening = () => Reader["secret"];

function itemOf(secret: Opening, table: ExportedTable, line: Line): Item {
  const json = checkRow(table, line.value, line.location);
  const row_key = keyOfRow(table, json);
  const isTooLong = row_key.some((part) => typeof part === "string" && part.length > KEY_MAX);
  if (isTooLong) throw new MovingRefused(`its key is longer than ${KEY_MAX}`, line.location);
  return {
    step: EXPORTED_TABLES.indexOf(table) + 1,
    source_key: row_key.join(" "),
    bytes: line.bytes,
    write(tx) {
      const checksum = putRow(tx, table, rowOf(secret(), table, json, line.location));
      return { table, row_key, checksum };
    },
  };
}

function setItem({ value, bytes: size, location }: Line): Item {
  const { set, key, ids } = isFields(value) ? (value as Partial<SetLine>) : {};
  if (!set || !EXPORTED_SETS.includes(set)) throw new MovingRefused("unknown set", location);
  const isKey = Array.isArray(key) && key.length === (set === "flags" ? 2 : 1);
  if (!isKey || !key.every((part) => Number.isSafeInteger(part) && part >= 0)) {
    throw new MovingRefused("key is not a list of ids", location);
  }
  if (set === "flags" && (key[1]! < 1 || key[1]! > FLAG_MAX)) {
    throw new MovingRefused(`unknown flag ${key[1]}`, location);
  }
  const { chunk, bytes } = chunkIn(ids, location);
  const row_key = [...key, chunk];
  return {
    step: SETS_STEP,
    source_key: `${set} ${row_key.join(" ")}`,
    bytes: size,
    write(tx: Writer) {
      const bitmap: BitmapWriter = tx[set];
      bitmap.set(key, chunk, bytes);
      return { table: set, row_key, checksum: Bun.hash.crc32(bytes) };
    },
  };
}

function timeOf({ value }: Line): number {
  return Number((value as { timestamp: number }).timestamp);
}
