// Reads all that sets consist of, and says what is missing or damaged.
import { faultOf } from "./work/packing.ts";
import { type BackupSet, readSet, setNames, storedIn } from "./sets.ts";
import { BackupFailed, type Target } from "./work/target.ts";

export interface Verified {
  readonly id: string;
  /** undefined: it cannot be read itself. */
  readonly set: BackupSet | undefined;
  readonly faults: readonly string[];
  /**
   * What a restore of this set gives: everything, all but some files (with --keep-going), or
   * nothing.
   */
  readonly restores: "everything" | "the rest" | "nothing";
}

/** All sets, or one. What several have in common is read once. */
export async function verifySets(target: Target, id?: string): Promise<Verified[]> {
  const names = await setNames(target);
  if (id !== undefined && !names.includes(id)) {
    throw new BackupFailed(`there is no set ${id} in ${target.name}`);
  }
  const known = new Map<string, string | undefined>();
  const verified: Verified[] = [];
  for (const name of id === undefined ? names : [id]) {
    verified.push(await verifySet(target, name, known));
  }
  return verified;
}

async function verifySet(
  target: Target,
  id: string,
  known: Map<string, string | undefined>,
): Promise<Verified> {
  const set = await readSet(target, id).catch(wordsOf);
  const unread = { id, set: undefined, restores: "nothing" } as const;
  if (typeof set === "string") return { ...unread, faults: [set] };
  if (set.id !== id) return { ...unread, faults: [`it is the set ${set.id}`] };
  const faults: string[] = [];
  let isNeeded = false;
  for (const stored of storedIn(set)) {
    const of = `${stored.name} ${stored.sha256} ${stored.size}`;
    if (!known.has(of)) known.set(of, await faultOf(target, stored));
    const fault = known.get(of);
    if (fault === undefined) continue;
    faults.push(fault);
    if (stored === set.database || stored === set.manifest) isNeeded = true;
  }
  const restores = isNeeded ? "nothing" : faults.length > 0 ? "the rest" : "everything";
  return { id, set, faults, restores };
}

function wordsOf(error: unknown): string {
  if (error instanceof BackupFailed) return error.message;
  throw error;
}
