// Opens a set for a restore, and recovers what its damaged files no longer describe.
import { createdOf, isSetName } from "./rules.ts";
import { type BackupSet, type Manifest, nameIn, readManifest, readSet, setNames } from "./sets.ts";
import { measureOf, type StoredObject } from "./work/packing.ts";
import { BackupDamaged, BackupFailed, type Target } from "./work/target.ts";

export interface OpenedSet {
  readonly set: BackupSet;
  readonly manifest: Manifest;
  /** The files in the backup directory or bucket that the set may use, by name. */
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** Whether the manifest is damaged and `manifest` was rebuilt from those of other sets. */
  readonly is_recovered: boolean;
  /** Messages about the damaged descriptions. */
  readonly faults: readonly string[];
}

interface OpenAttempt {
  /** Defaults to the newest set. */
  readonly id?: string | undefined;
  readonly identity?: string | undefined;
  /** Recovers damaged descriptions. Otherwise they are an error. */
  readonly keep_going?: boolean;
}

const REMEDY = "skein restore --keep-going restores what the other files still contain";

export async function openSet(target: Target, opening: OpenAttempt): Promise<OpenedSet> {
  const faults: string[] = [];
  const recover =
    (couldBeKey: boolean) =>
    (error: unknown): undefined => {
      if (!(error instanceof BackupFailed)) throw error;
      const isDamage = error instanceof BackupDamaged;
      if (!opening.keep_going) throw isDamage ? withRemedy(error) : error;
      if (!isDamage && couldBeKey) throw error;
      faults.push(error.message);
    };
  const id = await idOf(target, opening);
  const read = await readSet(target, id).catch(recover(false));
  const set = read ?? (await unverifiedSet(target, id));
  if (!set) throw new BackupFailed(`there is no set ${id} in ${target.name}`);
  if (set.is_encrypted && opening.identity === undefined) {
    throw new BackupFailed(
      `${set.id} is encrypted: pass the file of the private key with --identity`,
    );
  }
  const identity = set.is_encrypted ? opening.identity : undefined;
  // If the manifest is damaged, a wrong key causes the same error as the damage.
  const couldBeKey = set.is_encrypted && read !== undefined;
  const manifest = await readManifest(target, set, identity).catch(recover(couldBeKey));
  const own = new Map(set.objects.map((object) => [object.name, object]));
  if (read && manifest) return { set, manifest, objects: own, is_recovered: false, faults };
  const others = await otherSetsOf(target, set, opening.identity);
  const objects = new Map([...others.objects, ...own]);
  if (manifest) await addCurrentFile(target, set, manifest, objects);
  return {
    set: { ...set, organization: others.organization },
    manifest: manifest ?? others.manifest,
    objects,
    is_recovered: manifest === undefined,
    faults,
  };
}

const withRemedy = ({ message }: BackupDamaged) => new BackupDamaged(`${message}; ${REMEDY}`);

/** When recovering, this may be the name of a set without a description. */
async function idOf(target: Target, { id, keep_going }: OpenAttempt): Promise<string> {
  const names = await setNames(target);
  const name = id ?? names.at(-1);
  if (name === undefined) throw new BackupFailed(`there is no backup in ${target.name}`);
  if (keep_going || names.includes(name)) return name;
  throw new BackupFailed(`there is no set ${name} in ${target.name}`);
}

/**
 * Returns a set whose description is missing, from the files that exist. Their checksums are
 * unknown.
 */
export async function unverifiedSet(target: Target, id: string): Promise<BackupSet | undefined> {
  if (!isSetName(id)) return undefined;
  for (const is_encrypted of [false, true]) {
    const [database, manifest] = [
      await currentFile(target, nameIn("database", id, is_encrypted)),
      await currentFile(target, nameIn("manifest", id, is_encrypted)),
    ];
    if (database.size === 0) continue;
    const created = createdOf(id);
    const fields = {
      form: 1,
      id,
      created,
      organization: "",
      is_encrypted,
      is_whole: false,
    } as const;
    return { ...fields, database, manifest, objects: [] };
  }
  return undefined;
}

/** Treats a missing file as empty. */
async function currentFile(target: Target, name: string): Promise<StoredObject> {
  const exists = (await target.sizeOf(name)) !== undefined;
  return { name, ...(exists ? await measureOf(target, name) : { size: 0, sha256: "" }) };
}

async function addCurrentFile(
  target: Target,
  { is_encrypted }: BackupSet,
  { files }: Manifest,
  objects: Map<string, StoredObject>,
): Promise<void> {
  for (const { object: name, size, sha256 } of files) {
    if (objects.has(name)) continue;
    objects.set(name, is_encrypted ? await currentFile(target, name) : { name, size, sha256 });
  }
}

const NO_MANIFEST_DATA = { name: "", config: null, needs: [], secrets: null };

interface OtherSets {
  readonly organization: string;
  /** Lists the files of all other sets. All other values are from the set closest in time. */
  readonly manifest: Manifest;
  readonly objects: ReadonlyMap<string, StoredObject>;
}

async function otherSetsOf(target: Target, set: BackupSet, identity?: string): Promise<OtherSets> {
  const files = new Map<string, Manifest["files"][number]>();
  const objects = new Map<string, StoredObject>();
  let { organization } = set;
  let bestMatch: Manifest | undefined;
  for (const id of await otherSetsByTime(target, set)) {
    const other = await readSet(target, id).catch(orEmpty);
    if (!other) continue;
    organization ||= other.organization;
    if (other.organization !== organization) continue;
    for (const object of other.objects) {
      if (!objects.has(object.name)) objects.set(object.name, object);
    }
    const key = other.is_encrypted ? identity : undefined;
    const manifest = await readManifest(target, other, key).catch(orEmpty);
    if (!manifest) continue;
    bestMatch ??= manifest;
    for (const file of manifest.files) if (!files.has(file.place)) files.set(file.place, file);
  }
  const { name, config, needs, secrets } = bestMatch ?? NO_MANIFEST_DATA;
  const description = { name, config, needs, secrets, files: [...files.values()] };
  const manifest = { ...description, format: 0, counts: {}, missing: [], damage: [] };
  return { organization, manifest, objects };
}

async function otherSetsByTime(target: Target, { id: own, created }: BackupSet): Promise<string[]> {
  const distance = (id: string) => Math.abs(createdOf(id) - created);
  const others = (await setNames(target)).filter((id) => id !== own);
  return others.toSorted((a, b) => distance(a) - distance(b));
}

function orEmpty(error: unknown): undefined {
  if (!(error instanceof BackupFailed)) throw error;
}
