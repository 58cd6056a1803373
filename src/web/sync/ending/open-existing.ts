// Opens a database to read or clear it, whichever version it has.
import { type IDBPDatabase, openDB } from "idb";
import { closeForUpgrade } from "../databases.ts";

/** undefined if there is none. Does not create it, because it would lack its object stores. */
export async function openExisting(name: string): Promise<IDBPDatabase | undefined> {
  try {
    return await openDB(name, undefined, {
      upgrade(_made, _before, _version, tx) {
        tx.done.catch(() => undefined);
        tx.abort();
      },
      blocking: closeForUpgrade,
    });
  } catch (error) {
    if ((error as Error).name === "AbortError") return undefined;
    throw error;
  }
}
