// Restores a set into an empty directory; the data appears there only when it is complete.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { schema } from "../../realm.ts";
import { NoFreeSpace } from "../../store/copy/copy.ts";
import { openReading } from "../../store/copy/read-only.ts";
import { syncNow } from "../../store/system/durable.ts";
import { type Walked, walkDatabase } from "../../store/copy/walk.ts";
import { writeDurably } from "../../store/system/durable.ts";
import type { Blobs } from "../files/blob-store.ts";
import { Measure, unpacked, unsealed } from "./work/packing.ts";
import type { OpenedSet } from "./open-set.ts";
import { bytesOf, type Manifest } from "./sets.ts";
import { type ReferencedPath, referencedPaths } from "./work/file-paths.ts";
import { BackupDamaged, BackupFailed, type Pieces, type Target } from "./work/target.ts";

const BUILDING = "restoring";
const DATA = "data.mdb";
/** In the order of creation: without the last one, the directory is not a data directory. */
const PARTS = ["uploads", "secrets", DATA];
/**
 * Entries that the directory may contain before the restore: from the file system, temporary files
 * of the unit, or data that was moved aside.
 */
export const IGNORED_ENTRIES = /^(lost\+found|tmp|before-restore-.*)$/;

interface RestoreOptions extends OpenedSet {
  readonly target: Target;
  readonly identity?: string | undefined;
  /** Restores the rest where files of the set are damaged or missing. */
  readonly keep_going?: boolean;
}

interface RestoreResult {
  readonly walkResult: Walked;
  /** Number of restored files. */
  readonly files: number;
  /** The paths of files that were not restored. */
  readonly lost: readonly string[];
}

type File = Manifest["files"][number];

/** Deletes the remains of an interrupted restore, and returns the directory to build in. */
export function prepareRestore(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = readdirSync(directory).filter((name) => !IGNORED_ENTRIES.test(name));
  const isUnfinished = names.includes(BUILDING) && !names.includes(DATA);
  const unexpected = names.filter((name) => name !== BUILDING && !PARTS.includes(name));
  if (names.length > 0 && (!isUnfinished || unexpected.length > 0)) {
    throw new BackupFailed(
      `${directory} is not empty: a backup can only be restored into a new directory. ` +
        "To restore into the directory of the service, use: sudo skein restore --service",
    );
  }
  for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
  const building = join(directory, BUILDING);
  mkdirSync(building, { mode: 0o700 });
  return building;
}

/**
 * Writes the complete set into `building` and verifies every file. `blobsOf` opens the files of the
 * organization with this id. Deletes `building` if it fails.
 */
export async function restoreInto(
  building: string,
  blobsOf: (organization: string) => Blobs,
  restoring: RestoreOptions,
): Promise<RestoreResult> {
  try {
    return await writeSet(building, blobsOf, restoring);
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    throw error;
  }
}

async function writeSet(
  building: string,
  blobsOf: (organization: string) => Blobs,
  restoring: RestoreOptions,
): Promise<RestoreResult> {
  const { set, manifest, is_recovered } = restoring;
  checkRoomFor(building, bytesOf(set));
  const path = join(building, DATA);
  await restoreDatabase(path, restoring);
  const walkResult = await walkDatabase(path, schema);
  if (!is_recovered) checkCounts(walkResult, manifest);
  const organizationNamed =
    is_recovered || set.organization === "" ? await namedIn(path) : undefined;
  const blobs = blobsOf(set.organization || (organizationNamed?.organization ?? ""));
  const { files, unlisted } =
    is_recovered && organizationNamed
      ? filesOf(organizationNamed.places, manifest)
      : { ...manifest, unlisted: [] };
  const lostFiles = [...unlisted, ...(await restoreFiles(blobs, restoring, files))];
  if (manifest.secrets !== null) {
    writeFileSync(join(building, "secrets"), manifest.secrets, { mode: 0o600 });
    syncNow(join(building, "secrets"));
  }
  return { walkResult, files: files.length + unlisted.length - lostFiles.length, lost: lostFiles };
}

async function restoreDatabase(
  path: string,
  { target, set, identity }: RestoreOptions,
): Promise<void> {
  try {
    await writeDurably(path, "w", unpacked(target, set.database, identity));
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    const remedy = "this set cannot be restored; to find another one: skein backup verify";
    throw new BackupDamaged(`${error.message}; ${remedy}`, { cause: error });
  }
}

async function namedIn(path: string) {
  const { tables, close } = openReading(path, schema);
  try {
    const organization = tables.realm.get(1)?.realm_uuid ?? "";
    return { organization, places: [...referencedPaths(tables)] };
  } finally {
    await close();
  }
}

/**
 * For a set whose list of files is damaged: the files of its data that other sets list, and the
 * paths of the rest.
 */
function filesOf(namedPlaces: readonly ReferencedPath[], { files }: Manifest) {
  const filesByPlace = new Map(files.map((file) => [file.place, file]));
  const isUnlisted = ({ path, is_derived }: ReferencedPath) =>
    !is_derived && !filesByPlace.has(path);
  return {
    files: namedPlaces.flatMap(({ path }) => filesByPlace.get(path) ?? []),
    unlisted: namedPlaces.filter(isUnlisted).map(({ path }) => path),
  };
}

async function restoreFiles(
  blobs: Blobs,
  { target, objects, identity, keep_going = false }: RestoreOptions,
  files: readonly File[],
): Promise<string[]> {
  const lostFiles: string[] = [];
  for (const file of files) {
    try {
      const object = objects.get(file.object);
      if (!object) throw new BackupFailed(`the backup does not list ${file.object}`);
      await restoreFile(blobs, file, unsealed(target, object, identity));
    } catch (error) {
      if (!(error instanceof BackupFailed)) throw error;
      if (!keep_going) {
        const remedy =
          "the data is intact: skein restore --keep-going restores it without the damaged files";
        throw new BackupFailed(`${error.message}; ${remedy}`);
      }
      await blobs.drop(draftOf(file));
      lostFiles.push(file.place);
    }
  }
  return lostFiles;
}

/** Moves the parts into place. Afterwards, the directory is a data directory. */
export function completeRestore(directory: string): void {
  const building = join(directory, BUILDING);
  for (const name of PARTS) {
    if (!existsSync(join(building, name))) continue;
    renameSync(join(building, name), join(directory, name));
  }
  syncNow(directory);
  rmSync(building, { recursive: true, force: true });
}

async function restoreFile(
  blobs: Blobs,
  { place: path, object, ...stored }: File,
  pieces: Pieces,
): Promise<void> {
  const measure = new Measure();
  const draft = draftOf(stored);
  await blobs.drop(draft);
  await blobs.append(draft, measure.measured(pieces));
  const { size, sha256 } = measure.result();
  if (size !== stored.size || sha256 !== stored.sha256) {
    throw new BackupFailed(`${object} does not have the content that the backup lists`);
  }
  await blobs.store(draft, path);
}

const draftOf = ({ sha256 }: { sha256: string }) => `restored-${sha256}`;

/**
 * Even with correct checksums, the copied data must match the counts from the time of the backup.
 */
function checkCounts({ format, counts, damage }: Walked, manifest: Manifest): void {
  const tables = new Set([...Object.keys(counts), ...Object.keys(manifest.counts)]);
  const other = [...tables].filter((name) => counts[name] !== manifest.counts[name]);
  const [first] = damage.filter((text) => !manifest.damage.includes(text));
  if (first !== undefined) throw new BackupFailed(`the restored data is damaged: ${first}`);
  if (format !== manifest.format || other.length > 0) {
    throw new BackupFailed(`the restored data differs from the backup: ${other.join(", ")}`);
  }
}

function checkRoomFor(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < bytes) throw new NoFreeSpace(directory, bytes, bavail * bsize);
}
