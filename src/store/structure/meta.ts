// The first two pages of a database file: where the trees of its last two commits are.
import { type PageFile, wordAt } from "./file.ts";
import { commitOf, HEAD_BYTES, PageFault } from "./page.ts";

const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_PAGE = 8;
const META_BYTES = 168;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** A tree has fewer levels than this. */
const DEPTH_MAX = 32;
/** The root of an empty tree. */
const NO_PAGE_AT = 2 ** 64;
/** The tree of free pages has integer keys; the main tree has byte strings as keys. */
const INTEGER_KEYS = 8;
/**
 * Flags stored with those of the first tree: the database is a single file, and how it is synced.
 */
const SETTINGS = 0x4000 | 0x1000;

/** Properties of a tree. */
export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  /** undefined if the tree is empty. */
  readonly root: number | undefined;
}

export interface Meta {
  readonly page_bytes: number;
  /** The number of the commit. */
  readonly commit: number;
  readonly last_page: number;
  readonly free: Tree;
  readonly main: Tree;
}

/** The newest commit. Also determines the file's page size. */
export function newestMeta(file: PageFile): Meta {
  const first = metaIn(file.readAt(0, META_BYTES), 0);
  file.pageBytes = first.page_bytes;
  const second = metaIn(file.readAt(first.page_bytes, META_BYTES), 1);
  if (second.page_bytes !== first.page_bytes) {
    throw new PageFault("the first two pages name two sizes of pages");
  }
  // Commits are numbered consecutively and alternate between the pages: even ones use the first.
  const isInTurn = Math.abs(first.commit - second.commit) === 1 && first.commit % 2 === 0;
  // The first page of a new or compacted file has no commit.
  const isNew = first.commit === 0 && !first.main.root && !first.free.root;
  if (!isInTurn && !isNew) {
    const numbers = `${first.commit} and ${second.commit}`;
    throw new PageFault(`the first two pages name commits ${numbers}, which do not follow`);
  }
  for (const { free, main } of [first, second]) {
    checkTree(free, INTEGER_KEYS);
    checkTree(main, 0);
  }
  const newest = first.commit > second.commit ? first : second;
  if (!isNew) checkWritten(file, newest);
  return newest;
}

/** Each commit writes the root of a tree, so a changed commit number does not match the trees. */
function checkWritten(file: PageFile, { commit, free, main }: Meta): void {
  const roots = [free.root, main.root].filter((root) => root !== undefined);
  const isWritten = roots.some((root) => {
    const head = root < file.pages ? file.read(root, HEAD_BYTES) : Buffer.alloc(0);
    return head.length === HEAD_BYTES && commitOf(head) === commit;
  });
  if (roots.length === 0 || isWritten) return;
  throw new PageFault(`the newest commit, ${commit}, did not write what it names`);
}

/** Whether a file with this beginning is a database. */
export function isDatabaseStart(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return start.length >= META_BYTES && start.readUInt32LE(24) === MAGIC;
}

function metaIn(bytes: Buffer, number: number): Meta {
  const label = `page ${number}, one of the two that say where everything is,`;
  if (bytes.length < META_BYTES) throw new PageFault(`${label} is missing`);
  const isMeta = wordAt(bytes, 0) === number && (bytes.readUInt16LE(18) & META_PAGE) !== 0;
  const isOurs = bytes.readUInt32LE(24) === MAGIC && bytes.readUInt32LE(28) === VERSION;
  if (!isMeta || !isOurs) throw new PageFault(`${label} is damaged`);
  const page_bytes = bytes.readUInt32LE(48);
  const isPower = (page_bytes & (page_bytes - 1)) === 0;
  if (page_bytes < PAGE_BYTES_MIN || page_bytes > PAGE_BYTES_MAX || !isPower) {
    throw new PageFault(`${label} has no size of pages`);
  }
  return {
    page_bytes,
    commit: wordAt(bytes, 152),
    last_page: wordAt(bytes, 144),
    free: treeAt(bytes, 48),
    main: treeAt(bytes, 96),
  };
}

function treeAt(bytes: Buffer, offset: number): Tree {
  const root = wordAt(bytes, offset + 40);
  return {
    flags: bytes.readUInt16LE(offset + 4),
    depth: bytes.readUInt16LE(offset + 6),
    branches: wordAt(bytes, offset + 8),
    leaves: wordAt(bytes, offset + 16),
    overflows: wordAt(bytes, offset + 24),
    entries: wordAt(bytes, offset + 32),
    root: root === NO_PAGE_AT ? undefined : root,
  };
}

function checkTree({ flags, depth, root, leaves, entries }: Tree, sorting: number): void {
  const isEmpty = root === undefined;
  const isSorted = (sorting === 0 ? flags : flags & ~SETTINGS) === sorting;
  const isCounted = isEmpty ? depth + leaves + entries === 0 : depth > 0 && depth <= DEPTH_MAX;
  if (!isSorted || !isCounted) {
    throw new PageFault("what the newest commit says of its trees contradicts itself");
  }
}
