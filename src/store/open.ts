// Opening a data directory: the lock, the environment, the version that wrote it.
import { closeSync, mkdirSync, openSync, readSync } from "node:fs";
import { open, type RootDatabase } from "lmdb";
import { unmarkErased } from "./erase.ts";
import { keyEncoder, keyOf } from "./key.ts";
import { lockDirectory } from "./lock.ts";
import { migrate, type Migration } from "./migrate.ts";
import { type Schema, Store } from "./store.ts";

export interface OpenStore<S extends Schema> {
  store: Store<S>;
  /** Waits for what is being written, closes the files, frees the directory. */
  close(): Promise<void>;
}

/** Apart from every table: no table has the prefix 0. */
const VERSION_KEY = keyOf(0, ["version"]);
const READERS_MAX = 128;
/** At the beginning of every database file: where a number stands, and which. */
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;

export class NotADatabase extends Error {
  constructor(path: string) {
    super(`${path} is not a database of Skein`);
  }
}

/** Opens (and if it is new, makes) the data of a directory, migrated to this version. */
export async function openStore<S extends Schema>(
  directory: string,
  schema: S,
  migrations: readonly Migration[],
): Promise<OpenStore<S>> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const free = lockDirectory(directory);
  let db;
  try {
    db = environment(directory);
    migrate(db, VERSION_KEY, migrations);
    unmarkErased(directory);
    const store = new Store(db, schema);
    return { store, close: () => store.close().finally(free) };
  } catch (error) {
    await db?.close();
    free();
    throw error;
  }
}

/** The library would take anything for a database, and crash. An empty file is a new one. */
function checkIsDatabase(path: string): void {
  const head = Buffer.alloc(MAGIC_AT + 4);
  const file = openSync(path, "r");
  const length = readSync(file, head);
  closeSync(file);
  if (length > 0 && head.readUInt32LE(MAGIC_AT) !== MAGIC) throw new NotADatabase(path);
}

function environment(directory: string): RootDatabase<Buffer, string> {
  const path = `${directory}/data.mdb`;
  // The store would make them readable by all; a directory that was there before may be open.
  for (const file of [path, `${path}-lock`]) closeSync(openSync(file, "a", 0o600));
  checkIsDatabase(path);
  return open<Buffer, string>({
    path,
    noSubdir: true,
    keyEncoder,
    encoding: "binary",
    overlappingSync: false,
    // The store makes one commit at a time, and a batch that fails would leave a rejected promise
    // behind that nobody can handle.
    eventTurnBatching: false,
    // A second write begins what the first one would leave to a turn of the loop.
    txnStartThreshold: 0.5,
    maxReaders: READERS_MAX,
    noReadAhead: true,
  } as object as Parameters<typeof open>[0] & { path: string });
}
