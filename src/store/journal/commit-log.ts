// The commit log: a file that makes small commits durable with one write, where a transaction of
// the database writes several pages and waits for the disk twice.
import { randomBytes } from "node:crypto";
import { closeSync, fdatasyncSync, rmSync } from "node:fs";
import type { RootDatabase } from "lmdb";
import { fileIdentity } from "../system/file-identity.ts";
import { type JournalEntry, putEntry } from "./entries.ts";
import {
  createLogFile,
  EXTRA_BYTES,
  FILE_BYTES,
  ID_BYTES,
  LENGTH_BYTES,
  LOG_KEY,
  openLogFile,
  putRecord,
  readLog,
  writeAt,
} from "./log-file.ts";

const COMMITS_MAX = 256;
/** Larger commits cost less in a transaction of their own than in the log and a later one. */
const ENTRY_BYTES_MAX = 32 * 1_024;
/** Creating a log costs more than it saves for few commits. */
const TRANSACTIONS_BEFORE = 32;
/** After an error, the disk is not tried again for this time. */
const PAUSE_SECONDS = 60;

type Db = RootDatabase<Buffer, string>;

/**
 * The log continues the journal: it contains, in order, the commits after the last one in the
 * database. Every transaction of the database includes all of them, and then the log begins again,
 * so the database alone is always the state after one of the commits.
 */
export class CommitLog {
  /** The commits that only the log contains. */
  readonly commits: JournalEntry[] = [];
  /** The descriptor of the log. */
  private file: number | undefined;
  private exists = () => true;
  private creating: Promise<void> | undefined;
  /** Whether the database contains the id. */
  private isNamed = false;
  /** Whether the running transaction adds the id. */
  private isNaming = false;
  /** Whether the next transaction makes the database complete without the log. */
  private isFinishing = false;
  /** Whether the running transaction removes the id. */
  private isRemoving = false;
  private isEnded = false;
  /** Whether another process removed or replaced the file. */
  private isGone = false;
  /** The record that is being written. */
  private readonly record = Buffer.allocUnsafeSlow(ENTRY_BYTES_MAX + EXTRA_BYTES);
  /** Offset of the next record. */
  private offset = ID_BYTES;
  /** Whether a failed write may have left a record at the end. */
  private isDoubtful = false;
  private pause_seconds = 0;
  private transactions = 0;

  private constructor(
    private readonly path: string,
    private readonly id: Buffer,
  ) {}

  /**
   * Returns the log of a database: the one that continues it after a stop that was not clean, or a
   * new one, whose file is created later. Writes nothing, because the disk may be full.
   *
   * @throws LogDamaged
   */
  static open(db: Db, path: string): CommitLog {
    const found = readLog(db, path);
    if (!found) return new CommitLog(path, randomBytes(ID_BYTES));
    const log = new CommitLog(path, found.id);
    log.commits.push(...found.commits);
    log.offset = found.end;
    log.isNamed = true;
    log.use(openLogFile(path));
    // The last record may not have reached the disk yet, and a later one would not wait for it.
    fdatasyncSync(log.file!);
    return log;
  }

  private use(file: number): void {
    this.exists = fileIdentity(this.path);
    this.file = file;
  }

  accepts({ bytes: { length } }: JournalEntry): boolean {
    if (!this.isNamed || this.isFinishing || this.pause_seconds > 0) return false;
    if (length > ENTRY_BYTES_MAX || this.commits.length >= COMMITS_MAX) return false;
    return this.offset + length + EXTRA_BYTES <= FILE_BYTES;
  }

  /** Resolves when the commit is durable. After an error, the log may contain it or not. */
  async append(commit: JournalEntry): Promise<void> {
    const record = putRecord(this.record, this.id, commit);
    try {
      await this.writeAtEnd(record);
    } catch (error) {
      this.isDoubtful = true;
      this.pause_seconds = PAUSE_SECONDS;
      throw error;
    }
    this.offset += record.length;
    this.commits.push(commit);
  }

  /** Removes what a failed write may have left. Returns false if the disk rejects that, too. */
  async removeDoubtful(): Promise<boolean> {
    if (!this.isDoubtful) return true;
    try {
      await this.writeAtEnd(Buffer.alloc(LENGTH_BYTES));
    } catch {
      return false;
    }
    this.isDoubtful = false;
    return true;
  }

  /** The next transaction makes the database complete without the log, which then restarts. */
  finish(): void {
    this.isFinishing = true;
  }

  /** Like `finish`, but the log is not used again. */
  end(): void {
    this.isFinishing = this.isEnded = true;
  }

  /** Must be called within each transaction of the database. */
  putInto(db: Db): void {
    for (const commit of this.commits) putEntry(db, commit);
    const isReady = this.file !== undefined && !this.isEnded;
    this.isNaming = isReady && !this.isNamed && !this.isFinishing;
    if (this.isNaming) void db.put(LOG_KEY, this.id);
    this.isRemoving = this.isFinishing;
    if (this.isRemoving) void db.remove(LOG_KEY);
  }

  /** Must be called when that transaction is durable. */
  restart(): void {
    this.commits.length = 0;
    this.offset = ID_BYTES;
    this.isDoubtful = false;
    this.isNamed ||= this.isNaming;
    this.isNaming = false;
    if (this.isRemoving) this.beginOther();
    this.transactions++;
    if (this.transactions >= TRANSACTIONS_BEFORE && this.pause_seconds === 0) this.create();
  }

  private beginOther(): void {
    this.isFinishing = this.isRemoving = this.isNamed = false;
    if (!this.isGone) return;
    this.closeFile();
    this.isGone = false;
  }

  private create(): void {
    if (this.file !== undefined || this.isEnded) return;
    this.creating ??= createLogFile(this.path, this.id)
      .then((file) => this.use(file))
      .catch(() => void (this.pause_seconds = PAUSE_SECONDS))
      .finally(() => (this.creating = undefined));
  }

  /** Must be called every second. Returns whether the next transaction must run now. */
  tick(): boolean {
    if (this.pause_seconds > 0) this.pause_seconds--;
    if (this.file === undefined || this.isGone || this.exists()) return false;
    this.isGone = this.isFinishing = true;
    return this.isNamed;
  }

  /** Must be called after the database is closed. */
  async close(): Promise<void> {
    await this.creating;
    const isCreated = this.file !== undefined;
    this.closeFile();
    if (isCreated && !this.isNamed) rmSync(this.path, { force: true });
  }

  private closeFile(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private async writeAtEnd(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const rest = bytes.length - done;
      done += await writeAt(this.file!, bytes, done, rest, this.offset + done);
    }
  }
}
