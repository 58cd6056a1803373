// Deletes sets that the retention rules do not keep, and files that no set refers to.
import { DAY_SECONDS } from "../../contract/units.ts";
import { type BackupRetention, retainedSets } from "./rules.ts";
import { type BackupSet, deleteSet, readSet, setNames, storedIn } from "./sets.ts";
import { BackupFailed, type Target } from "./work/target.ts";

interface Pruned {
  readonly kept: readonly string[];
  readonly deleted: readonly string[];
  /** Files that no set refers to any more. */
  readonly files: number;
  /** Sets that cannot be read. While there are any, no file is deleted. */
  readonly unreadable: readonly string[];
}

/** A running backup has stored files that no set refers to yet. */
const UNNAMED_SECONDS = DAY_SECONDS;
const SHARDS = 256;

/**
 * `now`: seconds since 1970. Deletes sets before files, so that no remaining set lacks its files.
 */
export async function pruneSets(
  target: Target,
  retentionRule: BackupRetention,
  now: number,
): Promise<Pruned> {
  const releaseLock = target.lock();
  try {
    const sets: BackupSet[] = [];
    const unreadable: string[] = [];
    for (const id of await setNames(target)) {
      const set = await readSet(target, id).catch(orEmpty);
      if (set) sets.push(set);
      else unreadable.push(id);
    }
    const retained = retainedSets(sets, retentionRule);
    const expiredSets = sets.filter(({ id }) => !retained.has(id));
    for (const { id } of expiredSets) await deleteSet(target, id);
    const remainingSets = sets.filter(({ id }) => retained.has(id));
    const before = (now - UNNAMED_SECONDS) * 1000;
    const files = unreadable.length > 0 ? 0 : await sweepFiles(target, remainingSets, before);
    return {
      kept: [...retained].toSorted(),
      deleted: expiredSets.map(({ id }) => id),
      files,
      unreadable,
    };
  } finally {
    releaseLock();
  }
}

async function sweepFiles(target: Target, sets: readonly BackupSet[], before_ms: number) {
  const storedNames = new Set(sets.flatMap((set) => storedIn(set).map(({ name }) => name)));
  const shards = Array.from({ length: SHARDS }, (_, index) => index.toString(16).padStart(2, "0"));
  let count = 0;
  for (const folder of ["db", "manifests", ...shards.map((shard) => `files/${shard}`)]) {
    for (const name of await target.list(folder, before_ms)) {
      if (storedNames.has(name)) continue;
      await target.delete(name);
      count++;
    }
  }
  return count;
}

function orEmpty(error: unknown): undefined {
  if (!(error instanceof BackupFailed)) throw error;
}
