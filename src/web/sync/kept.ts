// What a person wrote and has not sent: a database of its own that nothing drops.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Doing } from "./doings.ts";
import type { Outgoing } from "./outbox.ts";
import type { Rows } from "./rows.ts";

export interface KeptDraft {
  /** Of the conversation, or what the composer calls it. */
  readonly place: string;
  readonly text: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly changed: number;
  readonly [field: string]: unknown;
}

/** A file that is being uploaded, kept so that a reload does not begin anew. */
export interface KeptFile {
  /** As the text that waits for it names it. */
  readonly key: string;
  readonly file: Blob;
  readonly name: string;
  /** Where the server takes it; undefined until it was asked. */
  readonly path: string | undefined;
  /** When it was made, in milliseconds since 1970. */
  readonly made: number;
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
}

export async function openKept(user_id: number): Promise<Kept> {
  try {
    const db = await openDB<Layout>(`skein-kept-${user_id}`, LAYOUT_VERSION, {
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
    return {
      drafts: onDisk(db, "drafts"),
      outbox: onDisk(db, "outbox"),
      doings: onDisk(db, "doings"),
      files: onDisk(db, "files"),
      isOnDisk: true,
    };
  } catch {
    return {
      drafts: inMemory(({ place }) => place),
      outbox: inMemory(({ local_id }) => local_id),
      doings: inMemory(({ key }) => key),
      files: inMemory(({ key }) => key),
      isOnDisk: false,
    };
  }
}

function onDisk<Name extends "drafts" | "outbox" | "doings" | "files">(
  db: IDBPDatabase<Layout>,
  name: Name,
): Rows<Layout[Name]["value"]> {
  return {
    all: () => db.getAll(name),
    has: async (key) => (await db.getKey(name, key)) !== undefined,
    async exchange(row) {
      const tx = db.transaction(name, "readwrite", { durability: "strict" });
      const before = tx.store.get(row[tx.store.keyPath as keyof typeof row] as string);
      const put = tx.store.put(row);
      // A page that leaves does not wait for the answers.
      tx.commit();
      const [there] = await Promise.all([before, put, tx.done]);
      return there;
    },
    async put(row) {
      const tx = db.transaction(name, "readwrite", { durability: "strict" });
      const put = tx.store.put(row);
      // A page that leaves does not wait for the answer.
      tx.commit();
      await Promise.all([put, tx.done]);
    },
    delete: (key) => db.delete(name, key),
  };
}

function inMemory<T>(keyOf: (row: T) => string): Rows<T> {
  const rows = new Map<string, T>();
  return {
    all: async () => [...rows.values()],
    has: async (key) => rows.has(key),
    async exchange(row) {
      const there = rows.get(keyOf(row));
      rows.set(keyOf(row), row);
      return there;
    },
    put: async (row) => void rows.set(keyOf(row), row),
    delete: async (key) => void rows.delete(key),
  };
}
