// The folder of a JSONL export: its description, which is written last, and its file names.
import { existsSync, readFileSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isFields } from "../../../text/untrusted-json.ts";
import { parsed } from "../json-lines.ts";
import { MovingRefused } from "../errors.ts";

export const FORMAT = "skein-jsonl";
export const FORMAT_VERSION = 1;
export const FORMAT_FILE = "format.json";
export const SETS_FILE = "sets.jsonl";
export const USERS_FILE = "users.jsonl";
export const FILES_FILE = "files.jsonl";
const FORMAT_BYTES_MAX = 1_048_576;

export interface FileFacts {
  readonly lines: number;
  /** SHA-256 of the file in hex. If absent, the file is not compared. */
  readonly sha256?: string;
}

export interface Format {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Identifies this export: an import of the same one resumes. */
  readonly id: string;
  readonly skein: string;
  /** Seconds since 1970. */
  readonly exported: number;
  readonly name: string;
  readonly url: string;
  /** The highest id of each sequence. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Descriptions of the files, by name. */
  readonly files: Readonly<Record<string, FileFacts>>;
  /** Paths of uploaded files whose bytes were missing. */
  readonly missing: readonly string[];
}

/** Whether a folder is a JSONL export, be it complete or not. */
export function isJsonlExport(path: string): boolean {
  return [FORMAT_FILE, USERS_FILE].some((name) => existsSync(join(path, name)));
}

/** Reads and checks the description of an export. */
export async function readFormat(directory: string): Promise<Format> {
  const path = join(directory, FORMAT_FILE);
  await checkIsFile(path, FORMAT_FILE);
  const bytes = readFileSync(path);
  if (bytes.length > FORMAT_BYTES_MAX) throw new MovingRefused("too large", FORMAT_FILE);
  const value = parsed(bytes, FORMAT_FILE);
  if (!isFields(value) || value["format"] !== FORMAT) {
    throw new MovingRefused(`not a description of a ${FORMAT} export`, FORMAT_FILE);
  }
  const { version, id, files, sequences, missing } = value;
  if (version !== FORMAT_VERSION) {
    const words = `format version ${String(version)} is not supported, only ${FORMAT_VERSION}`;
    throw new MovingRefused(`${words}. Update Skein.`, FORMAT_FILE);
  }
  if (typeof id !== "string" || !/^[\w-]{1,100}$/.test(id)) throw notAs("id", "a short text");
  if (!isFields(files) || !Object.values(files).every(isFileFacts)) {
    throw notAs("files", "an object of line counts and checksums");
  }
  if (!isFields(sequences) || !Object.values(sequences).every(isCount)) {
    throw notAs("sequences", "an object of whole numbers");
  }
  if (!Array.isArray(missing)) throw notAs("missing", "a list");
  // Every field that is used without a further check was validated above.
  return value as unknown as Format;
}

/** Rejects missing files, and links, which could lead out of the folder. */
export async function checkIsFile(path: string, name: string): Promise<number> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) {
    const isUnfinished = name === FORMAT_FILE;
    const reason = isUnfinished
      ? "missing: this is not a JSONL export, or it is incomplete"
      : "missing";
    throw new MovingRefused(reason, name);
  }
  if (!facts.isFile()) throw new MovingRefused("not a regular file", name);
  return facts.size;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isFileFacts(value: unknown): boolean {
  if (!isFields(value) || !isCount(value["lines"])) return false;
  return value["sha256"] === undefined || typeof value["sha256"] === "string";
}

function notAs(field: string, expected: string): MovingRefused {
  return new MovingRefused(`${field} is not ${expected}`, FORMAT_FILE);
}
