// Reads all files of backup sets and reports what is missing or damaged.
import { isDatabaseStart } from "../../store/structure/meta.ts";
import { unverifiedSet } from "./open-set.ts";
import { type BackupSet, readManifest, readSet, setNames, storedIn } from "./sets.ts";
import { damageOf, unpacked } from "./work/packing.ts";
import { BackupFailed, type Target } from "./work/target.ts";

export interface VerifiedSet {
  readonly id: string;
  readonly faults: readonly string[];
  /**
   * The parts of the set that can be restored: everything, all but some files (--keep-going), or
   * nothing.
   */
  readonly restores: "everything" | "the rest" | "nothing";
}

interface VerifyContext {
  /** Id of the set. Defaults to all sets. */
  readonly id?: string | undefined;
  /** Private key. If absent, encrypted files are only compared with their checksums. */
  readonly identity?: string | undefined;
}

/** Verifies all sets, or one. Files that several sets share are read once. */
export async function verifySets(
  target: Target,
  { id, identity }: VerifyContext = {},
): Promise<VerifiedSet[]> {
  const names = await setNames(target);
  if (id !== undefined && !names.includes(id)) {
    throw new BackupFailed(`there is no set ${id} in ${target.name}`);
  }
  const results = new Map<string, string | undefined>();
  const verified: VerifiedSet[] = [];
  for (const name of id === undefined ? names : [id]) {
    verified.push(await verifySet(target, name, results, identity));
  }
  return verified;
}

async function verifySet(
  target: Target,
  id: string,
  results: Map<string, string | undefined>,
  identity: string | undefined,
): Promise<VerifiedSet> {
  const read = await readSet(target, id).catch(wordsOf);
  const faults = typeof read === "string" ? [read] : [];
  const set = typeof read === "string" ? await unverifiedSet(target, id) : read;
  if (!set) return { id, faults, restores: "nothing" };
  let isNeeded = false;
  for (const storedObject of storedIn(set)) {
    const objectKey = `${storedObject.name} ${storedObject.sha256} ${storedObject.size}`;
    if (!results.has(objectKey)) {
      results.set(
        objectKey,
        (await damageOf(target, storedObject)) ??
          (await mismatchOf(target, set, storedObject, identity)),
      );
    }
    const fault = results.get(objectKey);
    if (fault === undefined) continue;
    faults.push(fault);
    if (storedObject === set.database) isNeeded = true;
  }
  const restores = isNeeded ? "nothing" : faults.length > 0 ? "the rest" : "everything";
  return { id, faults, restores };
}

/** Reports contents that match their checksum but are invalid. */
async function mismatchOf(
  target: Target,
  set: BackupSet,
  storedObject: BackupSet["database"],
  identity: string | undefined,
): Promise<string | undefined> {
  if (set.is_encrypted && identity === undefined) return undefined;
  const key = set.is_encrypted ? identity : undefined;
  try {
    if (storedObject === set.database) return await mismatchOfDatabase(target, set, key);
    if (storedObject === set.manifest) return await misfitOfManifest(target, set, key);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}

async function mismatchOfDatabase(target: Target, set: BackupSet, key: string | undefined) {
  const { database, organization } = set;
  // A set without its description has no checksums, so only decoding the whole database shows
  // damage.
  const isCompared = organization !== "";
  let isDatabase: boolean | undefined;
  for await (const piece of unpacked(target, database, key)) {
    isDatabase ??= isDatabaseStart(piece);
    if (isCompared) break;
  }
  return isDatabase ? undefined : `${database.name} is not a database`;
}

async function misfitOfManifest(target: Target, set: BackupSet, key: string | undefined) {
  const { files } = await readManifest(target, set, key);
  // A set without its description lists no files.
  if (set.objects.length === 0) return undefined;
  const storedNames = new Set(set.objects.map(({ name }) => name));
  const unnamed = files.find(({ object }) => !storedNames.has(object));
  return unnamed && `${set.manifest.name} lists ${unnamed.object}, which is not in the set`;
}

function wordsOf(error: unknown): string {
  if (error instanceof BackupFailed) return error.message;
  throw error;
}
