// Stores backups in a directory, for example on another disk or a network share.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { checkFreeSpace } from "../../store/copy/copy.ts";
import { DirectoryInUse, lockDirectory } from "../../store/lock.ts";
import { makeFolder, syncFolder, writeDurably } from "../../store/system/durable.ts";
import { checkMounted, placeFailed } from "./check-location.ts";
import { BackupDamaged, BackupFailed, checkName, type Pieces, type Target } from "./work/target.ts";

const FOLDER_MODE = 0o700;
const PART = ".part";
const SETS = "sets";
/** A file that every data directory has, and no backup directory. */
const DATABASE = "data.mdb";
const CONTENT = ["db", "files", "manifests", SETS, "lock"];

export class DirectoryTarget implements Target {
  readonly is_elsewhere = false;

  constructor(readonly name: string) {}

  checkRoom(bytes: number): void {
    this.make();
    checkFreeSpace(this.name, bytes);
  }

  async put(name: string, pieces: Pieces): Promise<void> {
    const path = this.pathOf(name);
    const part = `${path}${PART}`;
    await makeFolder(dirname(path));
    try {
      await writeDurably(part, "w", pieces);
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async *read(name: string): Pieces {
    if ((await this.sizeOf(name)) === undefined) {
      throw new BackupDamaged(`${name} is missing in ${this.name}`);
    }
    try {
      yield* Bun.file(this.pathOf(name)).stream();
    } catch (error) {
      const text = `${name} in ${this.name} cannot be read: ${(error as Error).message}`;
      throw new BackupDamaged(text, { cause: error });
    }
  }

  async sizeOf(name: string): Promise<number | undefined> {
    const facts = await stat(this.pathOf(name)).catch(orEmpty);
    return facts?.isFile() ? facts.size : undefined;
  }

  async list(folder: string, before_ms = Infinity): Promise<string[]> {
    const folderPath = this.pathOf(folder);
    const names = (await readdir(folderPath).catch(orEmpty).catch(unread(this.name))) ?? [];
    const older: string[] = [];
    for (const name of names) {
      const facts = await stat(join(folderPath, name)).catch(orEmpty);
      if (facts?.isFile() && facts.mtimeMs < before_ms) older.push(`${folder}/${name}`);
    }
    return older.toSorted();
  }

  async delete(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** If no backup was stored, unlocking deletes the directory that this call created. */
  lock(): () => void {
    const created = this.make();
    const free = this.lockNow();
    return () => {
      if (created !== undefined) this.discardUnused(created);
      free();
    };
  }

  private lockNow(): () => void {
    if (existsSync(join(this.name, DATABASE))) {
      throw new BackupFailed(`${this.name} is a data directory: choose another directory`);
    }
    try {
      return lockDirectory(this.name);
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw placeFailed(this.name, error);
      throw new BackupFailed(`another backup is running in ${this.name}: process ${error.pid}`);
    }
  }

  /** Returns the topmost folder that was created; undefined if the directory existed. */
  private make(): string | undefined {
    checkMounted(this.name);
    try {
      const directory = resolve(this.name);
      const created = mkdirSync(directory, { recursive: true, mode: FOLDER_MODE });
      if (created !== undefined) chmodSync(directory, FOLDER_MODE);
      return created;
    } catch (error) {
      throw placeFailed(this.name, error);
    }
  }

  /** Keeps files that are not of a backup, and the folders that contain them. */
  private discardUnused(created: string): void {
    const directory = resolve(this.name);
    const sets = join(directory, SETS);
    try {
      if (existsSync(sets) && readdirSync(sets).length > 0) return;
      for (const name of CONTENT) {
        rmSync(join(directory, name), { recursive: true, force: true });
      }
      for (let at = directory; at.length >= created.length; at = dirname(at)) rmdirSync(at);
    } catch {
      // The error of the backup itself is reported instead.
    }
  }

  private pathOf(name: string): string {
    return join(this.name, checkName(name));
  }
}

/** Lists sets that cannot be read, because the disk fails or another account owns them. */
const unread =
  (name: string) =>
  (error: unknown): never => {
    const { message } = error as Error;
    throw new BackupFailed(`${name} cannot be read: ${message}`, { cause: error });
  };

function orEmpty(error: unknown): undefined {
  if ((error as { code?: string }).code !== "ENOENT") throw error;
}
