// The collections of a mongodump folder or archive file, read document by document.
import { type Damage, unlessDamaged } from "../archive/damage.ts";
import type { Archive, Span } from "../archive/entries.ts";
import { MovingRefused } from "../errors.ts";
import { checkLength, documentIn } from "./bson.ts";
import { ByteReader } from "../archive/byte-reader.ts";

const ARCHIVE_MAGIC = 0x8199_e26d;
const TERMINATOR = -1;
const COLLECTION = /(?:^|\/)([\w.-]+)\.bson$/;

export interface DumpDocument {
  readonly collection: string;
  readonly value: Record<string, unknown>;
  /** The collection and the number of the document, from 1. */
  readonly location: string;
  /** The location of a binary value of the document in the dump. */
  spanOf(value: Uint8Array): DumpSpan;
}

export interface DumpSpan extends Span {
  readonly entry: string;
}

/**
 * Yields all documents of the wanted collections, in no particular order. `damageOf` decides for
 * each collection whether it can be imported in part.
 */
export async function* documentsOf(
  archive: Archive,
  isWanted: (collection: string) => boolean,
  damageOf: (collection: string) => Damage,
): AsyncIterable<DumpDocument> {
  for (const entry of archive.sizes.keys()) {
    if (await isArchiveFile(archive, entry)) {
      yield* inArchiveFile(archive, entry, isWanted, damageOf);
    }
    const [, collection = ""] = COLLECTION.exec(entry) ?? [];
    if (collection === "" || !isWanted(collection)) continue;
    yield* inCollectionFile(archive, { entry, collection, counter: { count: 0 } }, damageOf);
  }
}

async function* inCollectionFile(
  archive: Archive,
  within: DumpLocation,
  damageOf: (collection: string) => Damage,
): AsyncIterable<DumpDocument> {
  const damage = damageOf(within.collection);
  const pieces = new ByteReader(archive.stream(within.entry), within.entry);
  try {
    while (!(await pieces.isAtEnd())) {
      const document = await documentAt(pieces, await pieces.int32(), within, damage);
      if (document) yield document;
    }
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    damage.rest(within.collection, error);
  }
}

/** Whether an entry looks like a MongoDB dump, by its name or its first bytes. */
export async function isDump(archive: Archive): Promise<boolean> {
  for (const entry of archive.sizes.keys()) {
    const [, collection] = COLLECTION.exec(entry) ?? [];
    if (collection === "rocketchat_message" || (await isArchiveFile(archive, entry))) return true;
  }
  return false;
}

/** Checks the first bytes only if the archive is a single file. */
async function isArchiveFile(archive: Archive, entry: string): Promise<boolean> {
  if (archive.sizes.size > 1 || (archive.sizes.get(entry) ?? 0) < 4) return false;
  const pieces = new ByteReader(archive.stream(entry, { from: 0, to: 4 }), entry);
  return (await pieces.int32()) >>> 0 === ARCHIVE_MAGIC;
}

/**
 * Reads an archive file: a magic number, a header and descriptions of the collections; then blocks
 * of documents, each with a header that names its collection. A header with EOF ends a collection.
 */
async function* inArchiveFile(
  archive: Archive,
  entry: string,
  isWanted: (collection: string) => boolean,
  damageOf: (collection: string) => Damage,
): AsyncIterable<DumpDocument> {
  const pieces = new ByteReader(archive.stream(entry), entry);
  await pieces.int32();
  for (let length = await pieces.int32(); length !== TERMINATOR; length = await pieces.int32()) {
    await pieces.skip(bodyOf(length, entry));
  }
  const open = new Set<string>();
  const counters = new Map<string, { count: number }>();
  while (!(await pieces.isAtEnd())) {
    const head = documentIn(await bytesAt(pieces, await pieces.int32(), entry), entry);
    const { db, collection, EOF } = head;
    if (typeof db !== "string" || typeof collection !== "string") {
      throw new MovingRefused("a block names no collection; the dump is damaged", entry);
    }
    const name = `${db}.${collection}`;
    if (EOF === true) open.delete(name);
    else open.add(name);
    const counter = counters.get(name) ?? { count: 0 };
    counters.set(name, counter);
    const within = { entry, collection, counter };
    for (let length = await pieces.int32(); length !== TERMINATOR; length = await pieces.int32()) {
      const isRead = isWanted(collection);
      if (!isRead) await pieces.skip(bodyOf(length, entry));
      const document = isRead && (await documentAt(pieces, length, within, damageOf(collection)));
      if (document) yield document;
    }
  }
  const [first] = open;
  if (first !== undefined) throw new MovingRefused(`ends early in ${first}: truncated?`, entry);
}

interface DumpLocation {
  readonly entry: string;
  readonly collection: string;
  readonly counter: { count: number };
}

/** undefined: the document is damaged, and `damage` has counted it. */
async function documentAt(
  pieces: ByteReader,
  length: number,
  { entry, collection, counter }: DumpLocation,
  damage: Damage,
): Promise<DumpDocument | undefined> {
  const location = `${collection}#${++counter.count}`;
  const start = pieces.position - 4;
  const bytes = await bytesAt(pieces, length, location);
  const value = await unlessDamaged(
    async () => documentIn(bytes, location),
    (error) => damage.record(location, error),
  );
  if (!value) return undefined;
  return {
    ...{ collection, location, value },
    spanOf(data) {
      const from = start + data.byteOffset - bytes.byteOffset;
      return { entry, from, to: from + data.length };
    },
  };
}

async function bytesAt(pieces: ByteReader, length: number, location: string): Promise<Buffer> {
  const bytes = Buffer.alloc(bodyOf(length, location) + 4);
  bytes.writeInt32LE(length, 0);
  (await pieces.take(length - 4)).copy(bytes, 4);
  return bytes;
}

function bodyOf(length: number, location: string): number {
  checkLength(length, location);
  return length - 4;
}
