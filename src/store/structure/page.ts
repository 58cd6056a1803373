// A page of a tree: its header, and its nodes, which must be within the page and ordered by key.
import { wordAt } from "./file.ts";

/**
 * Every page begins with its number, the commit that wrote it, its type, and the positions of its
 * nodes.
 */
export const HEAD_BYTES = 24;
const COMMIT_AT = 8;
const KIND_AT = 18;
const LOWER_AT = 20;
const UPPER_AT = 22;
const SPAN_AT = 20;

export const BRANCH = 1;
export const LEAF = 2;
export const OVERFLOW = 4;
const KINDS: Readonly<Record<number, string>> = {
  [BRANCH]: "a branch",
  [LEAF]: "a leaf",
  [OVERFLOW]: "an overflow page",
  8: "a head page",
};

/** A node: length of the value or page, flags, length of the key, key, value. */
const NODE_HEAD_BYTES = 8;
const BIG_DATA_FLAG = 1;
/** Reference to overflow pages: the first page, a commit, and their number. */
const ELSEWHERE_BYTES = 24;

/** A fault with its message. */
export class PageFault extends Error {}

export interface Node {
  readonly key_at: number;
  readonly key_end: number;
  /** The child page, in branches. */
  readonly page: number;
  /** The length of the value, in leaves. */
  readonly length: number;
  readonly value_at: number;
  /** Set if the value is in overflow pages. */
  readonly elsewhere?: { readonly first: number; readonly span: number };
}

interface Expected {
  readonly number: number;
  readonly kind: number;
  /** A page of a snapshot cannot have been written by a later commit. */
  readonly commit: number;
}

/** The commit that wrote a page of a tree. */
export function commitOf(page: Buffer): number {
  return wordAt(page, COMMIT_AT);
}

function checkHead(page: Buffer, { number, kind, commit }: Expected): void {
  const label = `page ${number}`;
  if (page.length < HEAD_BYTES) throw new PageFault(`${label} is beyond the end of the file`);
  const kindBits = page.readUInt16LE(KIND_AT);
  if (kindBits !== kind) {
    const kindText = KINDS[kindBits] ?? "of no known kind";
    throw new PageFault(`${label} is ${kindText}, but was written as ${KINDS[kind]}`);
  }
  const ownNumber = wordAt(page, 0);
  if (ownNumber !== number) throw new PageFault(`${label} contains the data of page ${ownNumber}`);
  if (commitOf(page) > commit) {
    throw new PageFault(`${label} was written by a commit that does not exist`);
  }
}

/** The first of the overflow pages of a value. */
export function checkOverflow(page: Buffer, expected: Expected, span: number): void {
  checkHead(page, expected);
  if (page.readUInt32LE(SPAN_AT) === span) return;
  throw new PageFault(`page ${expected.number} begins a value of another length`);
}

/** All nodes. Throws if one is outside of the page or overlaps another. */
export function nodesIn(page: Buffer, expected: Expected): Node[] {
  checkHead(page, expected);
  const { number, kind } = expected;
  const damagedError = () =>
    new PageFault(`page ${number} is damaged in what it says of its nodes`);
  const space = page.length - HEAD_BYTES;
  const lower = page.readUInt16LE(LOWER_AT);
  const upper = page.readUInt16LE(UPPER_AT);
  if (lower % 2 !== 0 || lower > upper || upper > space) throw damagedError();
  const nodes: Node[] = [];
  let used = 0;
  for (let offset = HEAD_BYTES; offset < HEAD_BYTES + lower; offset += 2) {
    const from = page.readUInt16LE(offset);
    if (from < upper || from + NODE_HEAD_BYTES > space) throw damagedError();
    const node = nodeAt(page, HEAD_BYTES + from, kind, expected.number);
    const end = endOf(node, kind);
    if (end > page.length) throw damagedError();
    const usedBytes = end - from - HEAD_BYTES;
    used += usedBytes + (usedBytes % 2);
    nodes.push(node);
  }
  // The library closes gaps whenever it removes a node, so there are none.
  if (used !== space - upper) throw damagedError();
  return nodes;
}

function endOf({ key_end, length, elsewhere }: Node, kind: number): number {
  if (kind === BRANCH) return key_end;
  return key_end + (elsewhere ? ELSEWHERE_BYTES : length);
}

function nodeAt(page: Buffer, offset: number, kind: number, number: number): Node {
  const low = page.readUInt32LE(offset);
  const flags = page.readUInt16LE(offset + 4);
  const key_at = offset + NODE_HEAD_BYTES;
  const key_end = key_at + page.readUInt16LE(offset + 6);
  const node = { key_at, key_end, value_at: key_end };
  if (kind === BRANCH) return { ...node, page: low + flags * 2 ** 32, length: 0 };
  if (flags > BIG_DATA_FLAG) throw new PageFault(`page ${number} has a node of no known kind`);
  if (flags === 0) return { ...node, page: 0, length: low };
  if (key_end + ELSEWHERE_BYTES > page.length) {
    throw new PageFault(`page ${number} has a node that ends outside of it`);
  }
  const first = wordAt(page, key_end);
  const span = wordAt(page, key_end + 16);
  if (span !== Math.ceil((HEAD_BYTES + low) / page.length) || low === 0) {
    throw new PageFault(`page ${number} leads to a value of another length`);
  }
  return { ...node, page: 0, length: low, elsewhere: { first, span } };
}
