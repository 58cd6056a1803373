// Writes of the server's start that must wait while the disk is full.
import type { Realm } from "../realm.ts";
import { CommitFailed, StoreLost } from "../store/commits.ts";

const RETRY_MS = 10_000;

/**
 * Writes now, or later when the disk has space again. Resolves after the first attempt.
 * @throws errors other than a full disk, which a later attempt cannot fix
 */
export async function whenDiskHasSpace(
  realm: Realm,
  write: (realm: Realm) => Promise<void>,
  report: (label: string, error: unknown) => void,
): Promise<void> {
  const failed = (error: unknown) => report("writing what a start writes", error);
  try {
    await write(realm);
  } catch (error) {
    if (!(error instanceof CommitFailed) || error instanceof StoreLost) throw error;
    failed(error);
    const retry = () => !realm.hub.isStopping && whenDiskHasSpace(realm, write, report);
    setTimeout(() => void Promise.resolve(retry()).catch(failed), RETRY_MS).unref();
  }
}
