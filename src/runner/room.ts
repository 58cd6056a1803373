// What a start has to write, on a disk that is full: reading waits for none of it.
import type { Realm } from "../realm.ts";
import { CommitFailed, StoreLost } from "../store/commits.ts";

const AGAIN_MS = 10_000;

/**
 * Writes it now, or when there is room again. Resolves after the first try.
 * @throws what is not a refusal by the disk, and what no later try can mend.
 */
export async function whenThereIsRoom(
  realm: Realm,
  write: (realm: Realm) => Promise<void>,
  report: (what: string, error: unknown) => void,
): Promise<void> {
  const failed = (error: unknown) => report("writing what a start writes", error);
  try {
    await write(realm);
  } catch (error) {
    if (!(error instanceof CommitFailed) || error instanceof StoreLost) throw error;
    failed(error);
    const again = () => !realm.hub.isStopping && whenThereIsRoom(realm, write, report);
    setTimeout(() => void Promise.resolve(again()).catch(failed), AGAIN_MS).unref();
  }
}
