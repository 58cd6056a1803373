// Opens a data directory: locks it, checks its format and opens the database.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { CommitLog } from "./journal/commit-log.ts";
import { mergeLog } from "./journal/merge-log.ts";
import { CLEAN, isClean, setMark } from "./structure/clean.ts";
import { StoreLost } from "./commits.ts";
import { copyDatabase, type Copying } from "./copy/pages.ts";
import type { Schema } from "./declare.ts";
import { isMarkedErased, unmarkErased } from "./erase.ts";
import { lockDirectory } from "./lock.ts";
import { dropReaders, environment, measure, type Measures } from "./environment.ts";
import { type Examined, examine } from "./structure/examine.ts";
import { migrate, type Migration, newestFormat, olderFormat } from "./format/migrate.ts";
import { prepareUpgrade, snapshotsIn, type Upgraded } from "./format/upgrade.ts";
import { checkIsWhole } from "./checksums/complete-file.ts";
import { hasSecret, recordLostSecret, secretOf } from "./secret.ts";
import { Store } from "./store.ts";
import { fileIdentity } from "./system/file-identity.ts";

export interface OpenStore<S extends Schema> {
  store: Store<S>;
  /** Copies the newest commit to an unused path while other work continues. */
  copyTo(path: string, copying?: Copying): Promise<void>;
  measure(): Measures;
  dropReaders(): number;
  /** Set if the data had an older format. */
  readonly upgraded?: Upgraded;
  /** Set after an unclean stop, or if the file was changed since the last one. */
  readonly examined?: Examined;
  /** Waits for pending writes, closes the files and unlocks the directory. */
  close(): Promise<void>;
}

const DATA = "data.mdb";
const LOG = `${DATA}-log`;
const REMOVED = `${DATA} no longer exists: was it moved or deleted? Nothing can be stored.`;
const TICK_MS = 1_000;
const UPLOADS = "uploads";
/** May exist before the organization, if the directory is its own file system. */
const FILE_SYSTEM_FOLDER = "lost+found";

/** The data file is missing, while other files show that there was one. */
export class DataMissing extends Error {
  constructor(directory: string) {
    const text = `${directory} contains files of an organization, but no database ${DATA}`;
    super(`${text}: restore a backup, or choose an empty directory`);
  }
}

/**
 * Opens the data of a directory, creates it if necessary, and migrates it to this version;
 * `openChecks`: before a migration, makes a snapshot and a dry run. `received`: the tables whose
 * changes are reported.
 */
export async function openStore<S extends Schema>(
  directory: string,
  schema: S,
  migrations: readonly Migration[],
  openChecks?: OpenChecks,
  received?: ReadonlySet<string>,
): Promise<OpenStore<S>> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(directory);
  let db;
  try {
    checkHasData(directory);
    const path = `${directory}/${DATA}`;
    const mark = `${directory}/${CLEAN}`;
    const examined = await examinedAt(path, mark, { schema, migrations, openChecks });
    // The library creates world-readable files, and an existing directory may be accessible.
    for (const file of [path, `${path}-lock`]) closeSync(openSync(file, "a", 0o600));
    db = environment(path);
    const logPath = `${directory}/${LOG}`;
    const older = olderFormat(db, migrations, snapshotsIn(directory).length > 0);
    // Migrations convert the rows of the database only.
    if (older !== undefined) mergeLog(db, logPath);
    const dryRunOptions = { schema, migrations, despite_damage: openChecks?.despite_damage };
    const upgraded =
      older === undefined || !openChecks
        ? undefined
        : await prepareUpgrade(db, directory, older, dryRunOptions);
    migrate(db, migrations);
    // From now on, a directory without a database has lost its data.
    if (!hasSecret(directory)) secretOf(directory);
    unmarkErased(directory);
    const store = new Store(db, schema, received, CommitLog.open(db, logPath));
    const stopTicking = startTicking(store, path);
    const opened = db;
    const copies = new Set<Promise<void>>();
    const copyTo = (path: string, copying?: Copying) => {
      const pin = () => store.complete(() => opened.useReadTransaction());
      const copy = copyDatabase(pin, `${directory}/${DATA}`, path, copying);
      copies.add(copy);
      return copy.finally(() => copies.delete(copy));
    };
    const close = async () => {
      stopTicking();
      // Copies still use pages of the database that is being closed.
      await Promise.allSettled(copies);
      // Every start reports damage until doctor has repaired it.
      const isSound = !examined || examined.damage.length === 0;
      const markClosed = (isClosed: boolean) => setMark(path, mark, isClosed && isSound);
      return store.close().then(markClosed).finally(unlock);
    };
    const params = { measure: () => measure(opened), dropReaders: () => dropReaders(opened) };
    const opening = { ...(upgraded && { upgraded }), ...(examined && { examined }) };
    return { store, copyTo, ...params, close, ...opening };
  } catch (error) {
    await db?.close();
    unlock();
    throw error;
  }
}

/** Checks every second that the file exists and that commits are not late. */
function startTicking<S extends Schema>(store: Store<S>, path: string): () => void {
  const exists = fileIdentity(path);
  const ticking = setInterval(() => {
    if (!exists()) store.lose(new StoreLost(REMOVED));
    store.tick();
  }, TICK_MS);
  ticking.unref();
  return () => clearInterval(ticking);
}

interface OpenChecks {
  readonly despite_damage?: boolean | undefined;
  /** Compares the rows of a closed file and returns messages about faults. */
  readonly compare?: ((path: string) => Promise<string[]>) | undefined;
}

interface StartOptions {
  readonly schema: Schema;
  readonly migrations: readonly Migration[];
  readonly openChecks: OpenChecks | undefined;
}

async function examinedAt(
  path: string,
  mark: string,
  { schema, migrations, openChecks }: StartOptions,
) {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size === 0 || isClean(path, mark)) return undefined;
  checkIsWhole(path);
  return examine(path, { schema, format: newestFormat(migrations), compare: openChecks?.compare });
}

function checkHasData(directory: string): void {
  const { size } = statSync(`${directory}/${DATA}`, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > 0) return recordLostSecret(directory);
  if (isMarkedErased(directory)) return;
  const uploads = `${directory}/${UPLOADS}`;
  const uploaded = existsSync(uploads) ? readdirSync(uploads) : [];
  const hasUploads = uploaded.some((name) => name !== FILE_SYSTEM_FOLDER);
  if (hasSecret(directory) || hasUploads) throw new DataMissing(directory);
}
