// A user's unsent content, in a database that is not dropped with the cache.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { PendingChange, PendingMessage } from "./mutations/types.ts";
import { closeForUpgrade } from "./databases.ts";
import type { ConversationRef } from "../views.ts";
import type { Rows } from "./rows.ts";

export interface StoredDraftRow {
  /** Key of the conversation, or of the composer. */
  readonly place: string;
  readonly text: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly changed: number;
  /** Undefined while the user has not chosen a recipient. */
  readonly to?: ConversationRef | undefined;
  /** Its id on the server, if it was saved there. */
  readonly draft_id?: number | undefined;
  /** The text on the server. */
  readonly synced?: string | undefined;
  /** The last text that was sent to the server, perhaps without a response. */
  readonly tried?: string | undefined;
}

/** A file that is being uploaded, stored so that a reload can resume it. */
export interface StoredFile {
  /** The key in the text's placeholder. */
  readonly key: string;
  readonly file: Blob;
  readonly name: string;
  /** The upload's path on the server. Undefined before it was created. */
  readonly path: string | undefined;
  /** When it was created, in milliseconds since 1970. */
  readonly made: number;
}

interface PersonalLayout extends DBSchema {
  files: { key: string; value: StoredFile };
  drafts: { key: string; value: StoredDraftRow };
  outbox: { key: string; value: PendingMessage };
  doings: { key: string; value: PendingChange };
}

/** A later version adds a step to `upgrade`, which keeps existing data. */
const LAYOUT_VERSION = 3;

export interface PersonalRows {
  readonly drafts: Rows<StoredDraftRow>;
  readonly outbox: Rows<PendingMessage>;
  readonly doings: Rows<PendingChange>;
  readonly files: Rows<StoredFile>;
  /** False if data is lost with the tab, which the user should know. */
  readonly isOnDisk: boolean;
  /** The session has ended: nothing is read or written any more. */
  close(): void;
}

export async function openPersonalRows(user_id: number): Promise<PersonalRows> {
  const open = () => openDisk(user_id);
  try {
    const disk = new DatabaseHandle(open, await open());
    return {
      drafts: openOnDisk(disk, "drafts"),
      outbox: openOnDisk(disk, "outbox"),
      doings: openOnDisk(disk, "doings"),
      files: openOnDisk(disk, "files"),
      isOnDisk: true,
      close: () => disk.close(),
    };
  } catch {
    return {
      drafts: inMemory("place"),
      outbox: inMemory("local_id"),
      doings: inMemory("key"),
      files: inMemory("key"),
      isOnDisk: false,
      close: () => undefined,
    };
  }
}

type PersonalDatabase = IDBPDatabase<PersonalLayout>;

const openDisk = (user_id: number): Promise<PersonalDatabase> =>
  openDB<PersonalLayout>(`skein-kept-${user_id}`, LAYOUT_VERSION, {
    upgrade(created, before) {
      if (before < 1) {
        created.createObjectStore("drafts", { keyPath: "place" });
        created.createObjectStore("outbox", { keyPath: "local_id" });
      }
      if (before < 2) created.createObjectStore("files", { keyPath: "key" });
      if (before < 3) created.createObjectStore("doings", { keyPath: "key" });
    },
    // A tab with a later version waits until this one closes its connection.
    blocking: closeForUpgrade,
  });

/** Errors of browsers that have closed the database, as they do for pages in the background. */
const CLOSED_ERRORS = ["InvalidStateError", "UnknownError"];

class DatabaseHandle {
  private isClosed = false;

  constructor(
    private readonly open: () => Promise<PersonalDatabase>,
    private db: PersonalDatabase,
  ) {}

  close(): void {
    this.isClosed = true;
    this.db.close();
  }

  /** Opens the database again if the browser has closed it. Returns `none` after `close`. */
  async use<T>(action: (db: PersonalDatabase) => Promise<T>, fallback: T): Promise<T> {
    if (this.isClosed) return fallback;
    try {
      return await action(this.db);
    } catch (error) {
      if (this.isClosed) return fallback;
      if (!CLOSED_ERRORS.includes((error as Error).name)) throw error;
    }
    const db = await this.open();
    if (this.isClosed) {
      db.close();
      return fallback;
    }
    this.db = db;
    return action(db);
  }
}

function openOnDisk<Name extends "drafts" | "outbox" | "doings" | "files">(
  disk: DatabaseHandle,
  name: Name,
): Rows<PersonalLayout[Name]["value"]> {
  type Row = PersonalLayout[Name]["value"];
  const keyIn = (row: Row, keyPath: unknown) => row[keyPath as keyof typeof row] as string;
  const exchange = (row: Row) =>
    disk.use<Row | undefined>(async (db) => {
      const tx = db.transaction(name, "readwrite", { durability: "strict" });
      const before = tx.store.get(keyIn(row, tx.store.keyPath));
      const put = tx.store.put(row);
      // A page that closes does not wait for the results.
      tx.commit();
      const [stored] = await Promise.all([before, put, tx.done]);
      return stored;
    }, undefined);
  const update = async (db: PersonalDatabase, row: Row) => {
    const tx = db.transaction(name, "readwrite", { durability: "strict" });
    if ((await tx.store.getKey(keyIn(row, tx.store.keyPath))) !== undefined)
      await tx.store.put(row);
    return tx.done;
  };
  const remove = async (db: PersonalDatabase, key: string, matches?: (row: Row) => boolean) => {
    if (!matches) return db.delete(name, key);
    const tx = db.transaction(name, "readwrite");
    const row = await tx.store.get(key);
    if (row && matches(row)) await tx.store.delete(key);
    return tx.done;
  };
  return {
    all: () => disk.use<Row[]>((db) => db.getAll(name), []),
    has: (key) => disk.use(async (db) => (await db.getKey(name, key)) !== undefined, false),
    update: (row) => disk.use<void>((db) => update(db, row), undefined),
    exchange,
    put: async (row) => void (await exchange(row)),
    delete: (key, matches) =>
      disk.use<void>((db) => remove(db, key, matches), undefined).catch(() => undefined),
  };
}

function inMemory<Key extends string, T extends Record<Key, string>>(key: Key): Rows<T> {
  const rows = new Map<string, T>();
  const put = async (row: T) => void rows.set(row[key], row);
  return {
    all: async () => [...rows.values()],
    has: async (key) => rows.has(key),
    update: async (row) => void (rows.has(row[key]) && rows.set(row[key], row)),
    async exchange(row) {
      const stored = rows.get(row[key]);
      await put(row);
      return stored;
    },
    put,
    async delete(key, matches) {
      const row = rows.get(key);
      if (row && matches?.(row) !== false) rows.delete(key);
    },
  };
}
