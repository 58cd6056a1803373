// Lets one import at a time run in an organization.
import type { Realm } from "../../realm.ts";
import { MovingPostponed } from "./errors.ts";
import { endProgress } from "./import-progress.ts";

/** Organizations into which a server imports right now, or of which it undoes an import. */
const importing = new WeakSet<Realm>();

export const isImporting = (realm: Realm) => importing.has(realm);

export async function exclusively<T>(realm: Realm, work: () => Promise<T>): Promise<T> {
  if (importing.has(realm)) throw new MovingPostponed(IMPORT_RUNNING);
  importing.add(realm);
  try {
    return await work();
  } finally {
    importing.delete(realm);
    endProgress();
  }
}

const IMPORT_RUNNING = "Another import is running. Wait until it is complete: skein import status";
