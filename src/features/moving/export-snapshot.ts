// The folder of an export, and the copy of the database that the export reads.
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Reader, type Realm, schema } from "../../realm.ts";
import { openReading } from "../../store/copy/read-only.ts";
import { NoFreeSpace } from "../../store/copy/copy.ts";
import { systemErrorText } from "../../store/system/system-errors.ts";
import { MovingPostponed, MovingRefused } from "./errors.ts";

const SNAPSHOT = "export.mdb";

/** The folder must be new or empty. If `write` fails, everything that it created is deleted. */
export async function inNewFolder<T>(directory: string, write: () => Promise<T>): Promise<T> {
  const created = makeEmptyFolder(directory);
  try {
    return await write();
  } catch (error) {
    discard(directory, created);
    if (error instanceof NoFreeSpace) throw new MovingPostponed(error.message);
    const words = systemWords(error, directory);
    if (words === undefined) throw error;
    throw new MovingPostponed(`${words}. No part of the export was kept.`);
  }
}

/** Returns the topmost folder that was created; undefined if the folder existed. */
function makeEmptyFolder(directory: string): string | undefined {
  const remedy = "Give a new folder with --to.";
  try {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new MovingRefused(`${directory} is not a folder. ${remedy}`);
    }
    const created = mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK | constants.X_OK);
    if (readdirSync(directory).length === 0) return created;
  } catch (error) {
    const words = systemWords(error, directory);
    throw words === undefined ? error : new MovingRefused(words);
  }
  throw new MovingRefused(`${directory} is not empty. ${remedy}`);
}

/** The folder was empty, so all of its content belongs to the export. */
function discard(directory: string, created: string | undefined): void {
  try {
    for (const name of readdirSync(directory)) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
    if (created === undefined) return;
    for (let folder = directory; folder.length >= created.length; folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // The disk may fail altogether; the caller reports the first error.
  }
}

/** System errors of writes have no path, so the message contains that of the folder. */
function systemWords(error: unknown, directory: string): string | undefined {
  const { path = directory, code, syscall } = error as NodeJS.ErrnoException;
  return systemErrorText({ path, code, syscall, message: (error as Error).message });
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
