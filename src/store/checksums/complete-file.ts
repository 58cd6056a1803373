// Checks whether a database file is complete, before it is opened.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Header of every page: its type, and the end of its list of nodes. */
const HEAD_BYTES = 24;
const KIND_AT = 18;
const LIST_END_AT = 20;
const BRANCH = 1;
const LEAF = 2;
/**
 * Offset of the magic number in each of the first two pages. The page size, which is in the first
 * page, determines where the second page starts.
 */
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const PAGE_BYTES_AT = 48;
const ROOTS_AT = [88, 136];
const LAST_PAGE_AT = 144;
const COMMIT_AT = 152;
const META_BYTES = 168;
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n;
/** A node: length or page, flags, key length, key, value. */
const NODE_HEAD_BYTES = 8;
const BIG_DATA_FLAG = 1;
const PAGE_NUMBER_BYTES = 8;

/** A copy whose pages were read at different times is damaged like any other file. */
export const NOT_OPENED_HINT =
  "It was not opened. Restore the newest backup into a new directory: skein restore. " +
  "A file that was copied while a server was running also looks like this: " +
  "only skein backup can copy the data of a running server";

export class NotADatabase extends Error {
  constructor(path: string) {
    super(`${path} is not a database of Skein`);
  }
}

export class DatabaseCut extends Error {
  constructor(path: string) {
    super(`${path} is truncated, or only a part of it was copied. ${NOT_OPENED_HINT}`);
  }
}

/**
 * @throws if the file is not a database or is truncated. An empty file is a new database. The
 * library maps the file into memory, and a process that reads past the end of a mapped file is
 * killed.
 */
export function checkIsWhole(path: string): void {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size === 0) return;
    const first = readAt(file, 0, META_BYTES);
    if (first.length >= MAGIC_AT + 4 && first.readUInt32LE(MAGIC_AT) !== MAGIC) {
      throw new NotADatabase(path);
    }
    if (!isComplete(file, size, first)) throw new DatabaseCut(path);
  } finally {
    closeSync(file);
  }
}

function isComplete(file: number, size: number, first: Buffer): boolean {
  if (first.length < META_BYTES) return false;
  const pageBytes = first.readUInt32LE(PAGE_BYTES_AT);
  const second = readAt(file, pageBytes, META_BYTES);
  if (second.length < META_BYTES) return false;
  const meta = newerOf(first, second);
  const pages = Math.floor(size / pageBytes);
  if (pages > meta.readBigUInt64LE(LAST_PAGE_AT)) return true;
  // Pages at the end that were freed before they were ever written may be missing.
  return ROOTS_AT.every((offset) =>
    isTreeWithin(file, pageBytes, pages, meta.readBigUInt64LE(offset)),
  );
}

function newerOf(first: Buffer, second: Buffer): Buffer {
  const isFirst = first.readBigUInt64LE(COMMIT_AT) > second.readBigUInt64LE(COMMIT_AT);
  return isFirst ? first : second;
}

interface Extent {
  /** The first two pages: those of the latest commit and of the previous one. */
  readonly head: Buffer;
  /** Size of the file up to the last page of the latest commit. */
  readonly bytes: number;
}

/** For a database in use: a commit may change the first pages while they are read. */
export function extentOf(file: number): Extent {
  const pageBytes = readAt(file, 0, META_BYTES).readUInt32LE(PAGE_BYTES_AT);
  for (;;) {
    const [head, again] = [readAt(file, 0, 2 * pageBytes), readAt(file, 0, 2 * pageBytes)];
    if (!head.equals(again)) continue;
    const meta = newerOf(head.subarray(0, META_BYTES), head.subarray(pageBytes));
    const used = Number(meta.readBigUInt64LE(LAST_PAGE_AT)) + 1;
    const pageCount = Math.floor(fstatSync(file).size / pageBytes);
    return { head, bytes: Math.min(used, pageCount) * pageBytes };
  }
}

/** Whether all pages of a tree, and of the trees that it refers to, are within the file. */
function isTreeWithin(file: number, pageBytes: number, pages: number, root: bigint): boolean {
  const queue = root === NO_PAGE ? [] : [Number(root)];
  for (let offset = queue.pop(); offset !== undefined; offset = queue.pop()) {
    if (offset >= pages) return false;
    const page = readAt(file, offset * pageBytes, pageBytes);
    const kind = page.readUInt16LE(KIND_AT);
    for (const node of nodesOf(page)) {
      // Damage within a page is not the end of the file; opening the database reports it.
      if (node + NODE_HEAD_BYTES > page.length) continue;
      const [low, high, flags, keyBytes] = [0, 2, 4, 6].map((nth) =>
        page.readUInt16LE(node + nth),
      ) as [number, number, number, number];
      const length = low + high * 2 ** 16;
      if (kind & BRANCH) queue.push(length + flags * 2 ** 32);
      if (!(kind & LEAF) || !(flags & BIG_DATA_FLAG)) continue;
      const valueAt = node + NODE_HEAD_BYTES + keyBytes;
      if (valueAt + PAGE_NUMBER_BYTES > page.length) continue;
      const from = Number(page.readBigUInt64LE(valueAt));
      if (from + Math.ceil((HEAD_BYTES + length) / pageBytes) > pages) return false;
    }
  }
  return true;
}

function nodesOf(page: Buffer): number[] {
  const fitting = (page.length - HEAD_BYTES) >>> 1;
  const count = Math.min(page.readUInt16LE(LIST_END_AT) >>> 1, fitting);
  return Array.from({ length: count }, (_, nth) => {
    return HEAD_BYTES + page.readUInt16LE(HEAD_BYTES + 2 * nth);
  });
}

/** Returns the bytes that exist, possibly fewer. */
function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}
