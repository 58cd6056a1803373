// A user's unsent content, in a database that is not dropped with the cache.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Priority } from "../api/ask.ts";
import type { Params, Request } from "../api/http.ts";
import type { Deed } from "../snapshot.ts";
import type { Change } from "./doings/heard.ts";
import type { Outgoing } from "./outbox.ts";
import type { Rows } from "./rows.ts";

export interface KeptDraft {
  /** Key of the conversation, or of the composer. */
  readonly place: string;
  readonly text: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly changed: number;
  readonly [field: string]: unknown;
}

/** A file that is being uploaded, kept so that a reload does not begin anew. */
export interface KeptFile {
  /** The key by which the waiting text refers to it. */
  readonly key: string;
  readonly file: Blob;
  readonly name: string;
  /** The upload's path on the server. Undefined before it was created. */
  readonly path: string | undefined;
  /** When it was made, in milliseconds since 1970. */
  readonly made: number;
}

/** A request, as the calls in `api/calls.ts` describe it. */
export interface Wanted {
  readonly method: Request["method"];
  readonly path: string;
  readonly params: Params;
  readonly priority: Priority;
}

export interface Doing extends Wanted {
  readonly key: string;
  /** When it was done, in milliseconds since 1970. */
  readonly made: number;
  readonly order: number;
  /** The events that the server will tell of it, and those that take them back. */
  readonly foretold: readonly Deed[];
  readonly inverse: readonly Deed[];
  /**
   * Changes that are certain once the server has answered, though their events are still to come.
   */
  readonly done?: readonly Deed[];
  readonly change?: Change;
  /** Milliseconds: until then it can be taken back, and nobody is told. */
  readonly not_before?: number;
  readonly was_tried: boolean;
  /** A text that was refused stays, with the server's words, until the person says what then. */
  readonly state: "waiting" | "refused";
  readonly code?: string;
  readonly words?: string;
}

export type More = Partial<Pick<Doing, "change" | "done" | "not_before">>;

export interface Refusal {
  readonly doing: Doing;
  readonly code: string;
  /** The server's; empty where it was not asked, as the messages are elsewhere by now. */
  readonly words: string;
}

interface Layout extends DBSchema {
  files: { key: string; value: KeptFile };
  drafts: { key: string; value: KeptDraft };
  outbox: { key: string; value: Outgoing };
  doings: { key: string; value: Doing };
}

/** A later version adds a step to `upgrade`, and takes along what is there. */
const LAYOUT_VERSION = 3;

export interface Kept {
  readonly drafts: Rows<KeptDraft>;
  readonly outbox: Rows<Outgoing>;
  readonly doings: Rows<Doing>;
  readonly files: Rows<KeptFile>;
  /** False: what is written is lost with the tab, which the person should know. */
  readonly isOnDisk: boolean;
  /** The session is over: from now on nothing is read or written, and nothing opens it again. */
  close(): void;
}

export async function openKept(user_id: number): Promise<Kept> {
  const open = () => openDisk(user_id);
  try {
    const disk = new Disk(open, await open());
    return {
      drafts: onDisk(disk, "drafts"),
      outbox: onDisk(disk, "outbox"),
      doings: onDisk(disk, "doings"),
      files: onDisk(disk, "files"),
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

type Opened = IDBPDatabase<Layout>;

const openDisk = (user_id: number): Promise<Opened> =>
  openDB<Layout>(`skein-kept-${user_id}`, LAYOUT_VERSION, {
    upgrade(made, before) {
      if (before < 1) {
        made.createObjectStore("drafts", { keyPath: "place" });
        made.createObjectStore("outbox", { keyPath: "local_id" });
      }
      if (before < 2) made.createObjectStore("files", { keyPath: "key" });
      if (before < 3) made.createObjectStore("doings", { keyPath: "key" });
    },
    // A tab of a later version waits for this one to let go.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });

/** How browsers say that they have closed it, as they do to a page that was long out of sight. */
const CLOSED = ["InvalidStateError", "UnknownError"];

class Disk {
  private isClosed = false;

  constructor(
    private readonly open: () => Promise<Opened>,
    private db: Opened,
  ) {}

  close(): void {
    this.isClosed = true;
    this.db.close();
  }

  /** If the browser has closed the database, it is opened again. Gives `none` after `close`. */
  async use<T>(act: (db: Opened) => Promise<T>, none: T): Promise<T> {
    if (this.isClosed) return none;
    try {
      return await act(this.db);
    } catch (error) {
      if (this.isClosed) return none;
      if (!CLOSED.includes((error as Error).name)) throw error;
    }
    const db = await this.open();
    if (this.isClosed) {
      db.close();
      return none;
    }
    this.db = db;
    return act(db);
  }
}

function onDisk<Name extends "drafts" | "outbox" | "doings" | "files">(
  disk: Disk,
  name: Name,
): Rows<Layout[Name]["value"]> {
  type Row = Layout[Name]["value"];
  const exchange = (row: Row) =>
    disk.use<Row | undefined>(async (db) => {
      const tx = db.transaction(name, "readwrite", { durability: "strict" });
      const before = tx.store.get(row[tx.store.keyPath as keyof typeof row] as string);
      const put = tx.store.put(row);
      // A page that leaves does not wait for the answers.
      tx.commit();
      const [there] = await Promise.all([before, put, tx.done]);
      return there;
    }, undefined);
  const remove = async (db: Opened, key: string, isIt?: (row: Row) => boolean) => {
    if (!isIt) return db.delete(name, key);
    const tx = db.transaction(name, "readwrite");
    const row = await tx.store.get(key);
    if (row && isIt(row)) await tx.store.delete(key);
    return tx.done;
  };
  return {
    all: () => disk.use<Row[]>((db) => db.getAll(name), []),
    has: (key) => disk.use(async (db) => (await db.getKey(name, key)) !== undefined, false),
    exchange,
    put: async (row) => void (await exchange(row)),
    delete: (key, isIt) =>
      disk.use<void>((db) => remove(db, key, isIt), undefined).catch(() => undefined),
  };
}

function inMemory<Key extends string, T extends Record<Key, string>>(key: Key): Rows<T> {
  const rows = new Map<string, T>();
  const put = async (row: T) => void rows.set(row[key], row);
  return {
    all: async () => [...rows.values()],
    has: async (key) => rows.has(key),
    async exchange(row) {
      const there = rows.get(row[key]);
      await put(row);
      return there;
    },
    put,
    async delete(key, isIt) {
      const row = rows.get(key);
      if (row && isIt?.(row) !== false) rows.delete(key);
    },
  };
}
