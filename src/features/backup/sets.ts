// A backup set: the state at one moment, with the checksums of all its files; written last.
import { type Static, Type } from "typebox";
import { faultIn } from "../../server/parameters/json.ts";
import { type StoredObject, unpacked } from "./work/packing.ts";
import { isSetName } from "./rules.ts";
import { BackupDamaged, BackupFailed, type Target } from "./work/target.ts";

const SETS = "sets";
const FORM = 1;
const SET_BYTES_MAX = 256 * 1_048_576;

const bytes = Type.Integer({ minimum: 0 });
const stored = Type.Object({ name: Type.String(), size: bytes, sha256: Type.String() });
/** Maximum that a JavaScript date can hold. */
const SECONDS_MAX = 8_640_000_000_000;

const SET = Type.Object({
  /** Format version of the set. Newer ones are rejected. */
  form: Type.Literal(FORM),
  id: Type.String(),
  /** Seconds since 1970. */
  created: Type.Integer({ minimum: 0, maximum: SECONDS_MAX }),
  organization: Type.String(),
  is_encrypted: Type.Boolean(),
  /** Whether no file was damaged or missing. */
  is_whole: Type.Boolean(),
  database: stored,
  manifest: stored,
  /** Uploads, named by their content, so that sets can share them. */
  objects: Type.Array(stored),
});

const MANIFEST = Type.Object({
  name: Type.String(),
  /** Format of the data. Older versions of Skein cannot read it. */
  format: Type.Number(),
  counts: Type.Record(Type.String(), Type.Number()),
  files: Type.Array(
    Type.Object({
      place: Type.String(),
      size: bytes,
      sha256: Type.String(),
      object: Type.String(),
    }),
  ),
  /** Files that the data refers to and that were not found. */
  missing: Type.Array(Type.String()),
  damage: Type.Array(Type.String()),
  /** Configuration of the server without secrets; null if no server was running. */
  config: Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]),
  /** Descriptions of what a restored server needs besides the backup. */
  needs: Type.Array(Type.String()),
  /** Users whose accounts were erased by then: a restore of an older set erases them again. */
  erased: Type.Optional(Type.Array(Type.Integer())),
  /** The file with the key to encrypted secrets in the data; null if it is not included. */
  secrets: Type.Union([Type.Null(), Type.String()]),
});

export type BackupSet = Static<typeof SET>;
export type Manifest = Static<typeof MANIFEST>;

/** Writes the set, which makes the backup complete. */
export async function putSet(target: Target, set: BackupSet): Promise<void> {
  const text = JSON.stringify(set);
  const signedText = JSON.stringify({ set: text, sha256: sumOf(text) });
  await target.put(setPath(set.id), streamOfBytes(Buffer.from(`${signedText}\n`)));
}

/** Returns the names of all sets, oldest first. */
export async function setNames(target: Target): Promise<string[]> {
  const files = await target.list(SETS);
  const names = files.map((file) => file.slice(SETS.length + 1, -".json".length));
  return names.filter(isSetName).toSorted();
}

/** Throws an error if the set differs from what was written. */
export async function readSet(target: Target, id: string): Promise<BackupSet> {
  const label = `${setPath(id)} in ${target.name}`;
  const damagedError = () => new BackupDamaged(`${label} is damaged`);
  const bytes = await collected(target.read(setPath(id)));
  let parsedSet: { set?: unknown; sha256?: unknown };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    parsedSet = JSON.parse(text) as typeof parsedSet;
    // The text must be identical byte for byte, even if another one would mean the same.
    if (text !== `${JSON.stringify({ set: parsedSet.set, sha256: parsedSet.sha256 })}\n`)
      throw damagedError();
  } catch {
    throw damagedError();
  }
  if (typeof parsedSet.set !== "string" || parsedSet.sha256 !== sumOf(parsedSet.set))
    throw damagedError();
  const set = parsed(SET, parsedSet.set, label);
  if (set.id !== id) throw new BackupDamaged(`${label} is the set ${set.id}`);
  for (const folder of ["database", "manifest"] as const) {
    const { name } = set[folder];
    if (name === nameIn(folder, id, set.is_encrypted)) continue;
    throw new BackupDamaged(`${label} names ${JSON.stringify(name)} as its ${folder}`);
  }
  return set;
}

const FOLDERS = { database: "db", manifest: "manifests" } as const;

/** The name of a set's database or manifest. */
export function nameIn(folder: keyof typeof FOLDERS, id: string, is_encrypted: boolean): string {
  return `${FOLDERS[folder]}/${id}.zst${is_encrypted ? ".age" : ""}`;
}

export async function readManifest(
  target: Target,
  set: BackupSet,
  identity?: string,
): Promise<Manifest> {
  const bytes = await collected(unpacked(target, set.manifest, identity));
  return parsed(MANIFEST, new TextDecoder().decode(bytes), set.manifest.name);
}

export async function newestSet(target: Target): Promise<BackupSet> {
  const name = (await setNames(target)).at(-1);
  if (name === undefined) throw new BackupFailed(`there is no backup in ${target.name}`);
  return readSet(target, name);
}

export async function deleteSet(target: Target, id: string): Promise<void> {
  await target.delete(setPath(id));
}

/** Returns all files of a set, each once. */
export function storedIn({ database, manifest, objects }: BackupSet): StoredObject[] {
  return [database, manifest, ...objects];
}

export function bytesOf(set: BackupSet): number {
  return storedIn(set).reduce((sum, { size }) => sum + size, 0);
}

const setPath = (id: string) => `${SETS}/${id}.json`;
const sumOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

function parsed<S extends typeof SET | typeof MANIFEST>(schema: S, text: string, label: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupDamaged(`${label} is damaged`);
  }
  const fault = faultIn(schema, value, "it");
  if (fault === undefined) return value as Static<S>;
  throw new BackupFailed(`${label} was written by another version of Skein: ${fault}`);
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > SET_BYTES_MAX) throw new BackupFailed("the description of the backup is too large");
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

async function* streamOfBytes(bytes: Uint8Array) {
  yield bytes;
}
