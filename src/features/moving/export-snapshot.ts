// Reads an organization from a copy of its database, so that long exports do not hold up writes.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Reader, type Realm, schema } from "../../realm.ts";
import { openReading } from "../../store/copy/read-only.ts";
import { MovingRefused } from "./errors.ts";

const SNAPSHOT = "export.mdb";

/** Creates the folder of an export, which must be new or empty. */
export function makeEmptyFolder(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).length === 0) return;
  throw new MovingRefused(`${directory} is not empty. Give a new folder with --to.`);
}

/** The copy is stored in `directory`, and deleted afterwards. */
export async function withSnapshot<T>(
  realm: Realm,
  directory: string,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const path = join(directory, SNAPSHOT);
  await realm.copyTo(path);
  const copy = openReading(path, schema);
  try {
    const { config, read } = realm;
    const facts = { settings: read.settings, now: read.now, config, last: copy.last };
    // The tables of a copy are those of a Reader.
    return await work(Object.assign(copy.tables, facts) as unknown as Reader);
  } finally {
    await copy.close();
    rmSync(path, { force: true });
  }
}
