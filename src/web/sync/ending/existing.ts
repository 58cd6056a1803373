// Opens a database to read or clear it, whichever version it has.
import { type IDBPDatabase, openDB } from "idb";

/** Undefined if there is none: it is not created, as it would lack its stores for ever. */
export async function openExisting(name: string): Promise<IDBPDatabase | undefined> {
  try {
    return await openDB(name, undefined, {
      upgrade(_made, _before, _version, tx) {
        tx.done.catch(() => undefined);
        tx.abort();
      },
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
  } catch (error) {
    if ((error as Error).name === "AbortError") return undefined;
    throw error;
  }
}
