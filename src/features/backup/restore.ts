// Brings a set back into a directory that holds nothing, where it appears when all of it is there.
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
import { NoRoom } from "../../store/copy/copy.ts";
import { syncNow } from "../../store/system/durable.ts";
import { type Walked, walkDatabase } from "../../store/copy/walk.ts";
import { writeDurably } from "../../store/system/durable.ts";
import type { Blobs } from "../files/kept.ts";
import { Measure, unpacked, unsealed } from "./work/packing.ts";
import { type BackupSet, bytesOf, type Manifest } from "./sets.ts";
import { BackupFailed, type Pieces, type Target } from "./work/target.ts";

const BUILDING = "restoring";
const DATA = "data.mdb";
/** In the order in which they appear: without the last one, it is no data directory. */
const PARTS = ["uploads", "secrets", DATA];
/** May be in the directory: of a disk, of the unit's temporary files, what was moved aside. */
export const KEPT_BESIDE = /^(lost\+found|tmp|before-restore-.*)$/;

export interface Restoring {
  readonly target: Target;
  readonly set: BackupSet;
  readonly manifest: Manifest;
  readonly identity?: string | undefined;
  /** Restores the rest where files of the set are damaged or missing. */
  readonly keep_going?: boolean;
}

export interface Restored {
  readonly walked: Walked;
  /** The places of files that the set does not give any more. */
  readonly lost: readonly string[];
}

/** Deletes what an interrupted restore left, and returns the directory in which to build. */
export function beginRestore(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = readdirSync(directory).filter((name) => !KEPT_BESIDE.test(name));
  const isUnfinished = names.includes(BUILDING) && !names.includes(DATA);
  const strange = names.filter((name) => name !== BUILDING && !PARTS.includes(name));
  if (names.length > 0 && (!isUnfinished || strange.length > 0)) {
    throw new BackupFailed(
      `${directory} is not empty: a backup is restored into a new directory. ` +
        "To restore into the service's own, which is moved aside: sudo skein restore --service",
    );
  }
  for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
  const building = join(directory, BUILDING);
  mkdirSync(building, { mode: 0o700 });
  return building;
}

/** Writes all of a set into `building`; nothing of it is believed before it was compared. */
export async function restoreInto(
  building: string,
  blobs: Blobs,
  restoring: Restoring,
): Promise<Restored> {
  const { target, set, manifest, identity } = restoring;
  checkRoomFor(building, bytesOf(set));
  const path = join(building, DATA);
  await writeDurably(path, "w", unpacked(target, set.database, identity));
  const walked = await walkDatabase(path, schema);
  checkCounts(walked, manifest);
  const lost = await restoreFiles(blobs, restoring);
  if (manifest.secrets !== null) {
    writeFileSync(join(building, "secrets"), manifest.secrets, { mode: 0o600 });
    syncNow(join(building, "secrets"));
  }
  return { walked, lost };
}

async function restoreFiles(blobs: Blobs, restoring: Restoring): Promise<string[]> {
  const { target, set, manifest, identity, keep_going = false } = restoring;
  const objects = new Map(set.objects.map((object) => [object.name, object]));
  const lost: string[] = [];
  for (const file of manifest.files) {
    try {
      const object = objects.get(file.object);
      if (!object) throw new BackupFailed(`the set does not name ${file.object}`);
      await restoreFile(blobs, file, unsealed(target, object, identity));
    } catch (error) {
      if (!(error instanceof BackupFailed)) throw error;
      if (!keep_going) {
        const remedy = "the data is whole: skein restore --keep-going restores all but such files";
        throw new BackupFailed(`${error.message}; ${remedy}`);
      }
      await blobs.drop(draftOf(file));
      lost.push(file.place);
    }
  }
  return lost;
}

/** From now on it is a data directory. */
export function endRestore(directory: string): void {
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
  { place, object, ...kept }: Manifest["files"][number],
  pieces: Pieces,
): Promise<void> {
  const measure = new Measure();
  const draft = draftOf(kept);
  await blobs.drop(draft);
  await blobs.append(draft, measure.through(pieces));
  const { size, sha256 } = measure.taken();
  if (size !== kept.size || sha256 !== kept.sha256) {
    throw new BackupFailed(`${object} does not hold what the set says`);
  }
  await blobs.keep(draft, place);
}

const draftOf = ({ sha256 }: { sha256: string }) => `restored-${sha256}`;

/** Also where the checksums are right: what was copied is what was counted then. */
function checkCounts({ format, counts, damage }: Walked, manifest: Manifest): void {
  const tables = new Set([...Object.keys(counts), ...Object.keys(manifest.counts)]);
  const other = [...tables].filter((name) => counts[name] !== manifest.counts[name]);
  const [first] = damage.filter((words) => !manifest.damage.includes(words));
  if (first !== undefined) throw new BackupFailed(`the restored data is damaged: ${first}`);
  if (format !== manifest.format || other.length > 0) {
    throw new BackupFailed(`the restored data is not what was kept: ${other.join(", ")}`);
  }
}

function checkRoomFor(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < bytes) throw new NoRoom(directory, bytes, bavail * bsize);
}
