// Finds metadata in AVIF and HEIC files and overwrites it in place.
import type { Part, Window } from "./parts.ts";

/** Such files contain offsets into themselves, so nothing can be moved; metadata is overwritten. */
type Replacement = { from: number; to: number; as: Uint8Array<ArrayBuffer> | number };

interface Box {
  kind: string;
  /** Start of the box, of its content, and end. */
  from: number;
  content: number;
  to: number;
}

const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;
const META_BYTES_MAX = 4 * 1_048_576;
const BOXES_MAX = 10_000;
const PICTURE_ITEM_TYPES = new Set(
  "ftyp styp meta mdat idat moov moof mfra sidx pdin free skip wide trak".split(" "),
);
/** Metadata boxes within tracks. */
const MESSAGES = new Set(["udta", "meta", "uuid"]);
const SPACE = 0x20;
/** Exif data without entries, after the number that states its offset. */
const EMPTY_EXIF = Buffer.from("000000004d4d002a00000008000000000000", "hex");

/** Returns undefined for other or damaged files. */
export async function heifParts(file: Window): Promise<Part[] | undefined> {
  const boxes = await boxesIn(file, 0, file.size);
  if (boxes?.[0]?.kind !== "ftyp") return undefined;
  const wipes: Replacement[] = [];
  for (const box of boxes) {
    if (!PICTURE_ITEM_TYPES.has(box.kind)) wipes.push(...withWipes(box));
    if (box.kind === "moov") wipes.push(...(await videoMetadata(file, box)));
    if (box.kind === "meta") {
      const parts = await itemMetadata(file, box);
      if (!parts) return undefined;
      wipes.push(...parts);
    }
  }
  return partsBetween(wipes, file.size);
}

async function boxesIn(file: Window, from: number, to: number): Promise<Box[] | undefined> {
  const boxes: Box[] = [];
  for (let index = from; index < to;) {
    const head = await file.read(index, LONG_HEAD_BYTES);
    if (head.length < HEAD_BYTES || boxes.length >= BOXES_MAX) return undefined;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === LONG_HEAD_BYTES;
    const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - index : short;
    const content = index + (isLong ? LONG_HEAD_BYTES : HEAD_BYTES);
    if (index + length < content || index + length > to) return undefined;
    const kind = head.toString("latin1", 4, 8);
    boxes.push({ kind, from: index, content, to: index + length });
    index += length;
  }
  return boxes;
}

/** Turns a box into one that readers skip. */
function withWipes({ from, content, to }: Box): Replacement[] {
  const kind = new Uint8Array(Buffer.from("free"));
  const range = { from: from + 4, to: from + 8, as: kind };
  return [range, { from: content, to, as: 0 }];
}

async function videoMetadata(file: Window, { kind, content, to }: Box): Promise<Replacement[]> {
  const wipes: Replacement[] = [];
  for (const box of (await boxesIn(file, content, to)) ?? []) {
    if (MESSAGES.has(box.kind)) wipes.push(...withWipes(box));
    else if (box.kind === "trak" && kind === "moov")
      wipes.push(...(await videoMetadata(file, box)));
  }
  return wipes;
}

/** Finds metadata items; undefined if the file cannot be analysed. */
async function itemMetadata(file: Window, meta: Box): Promise<Replacement[] | undefined> {
  if (meta.to - meta.from > META_BYTES_MAX) return undefined;
  // Skips the box header and its version.
  const within = (await boxesIn(file, meta.content + 4, meta.to)) ?? [];
  const boxOf = (kind: string) => within.find((box) => box.kind === kind);
  const [iinf, iloc, idat] = [boxOf("iinf"), boxOf("iloc"), boxOf("idat")];
  if (!iinf || !iloc) return [];
  const kinds = await kindsOf(file, iinf);
  const bytes = Buffer.from(await file.read(iloc.content, iloc.to - iloc.content));
  try {
    return [...itemRanges(bytes, idat?.content)].flatMap(({ item, nth, from, length }) => {
      const kind = kinds.get(item);
      const isMetadata = kind === "Exif" || kind === "mime" || kind === "uri ";
      const to = from + length;
      if (!isMetadata || length === 0 || from < 0 || to > file.size) return [];
      if (kind !== "Exif") return [{ from, to, as: SPACE }];
      const isRoom = nth === 0 && length >= EMPTY_EXIF.length;
      if (!isRoom) return [{ from, to, as: 0 }];
      const startedAt = from + EMPTY_EXIF.length;
      const empty = new Uint8Array(EMPTY_EXIF);
      return [
        { from, to: startedAt, as: empty },
        { from: startedAt, to, as: 0 },
      ];
    });
  } catch {
    return undefined;
  }
}

async function kindsOf(file: Window, { content, to }: Box): Promise<Map<number, string>> {
  const version = (await file.read(content, 1))[0]!;
  const entries = (await boxesIn(file, content + (version === 0 ? 6 : 8), to)) ?? [];
  const kinds = new Map<number, string>();
  for (const entry of entries) {
    const bytes = await file.read(entry.content, 14);
    const isLong = bytes[0] === 3;
    if (bytes.length < (isLong ? 14 : 12) || bytes[0]! < 2) continue;
    const item = isLong ? bytes.readUInt32BE(4) : bytes.readUInt16BE(4);
    const headBytes = isLong ? 10 : 8;
    kinds.set(item, bytes.toString("latin1", headBytes, headBytes + 4));
  }
  return kinds;
}

/** Yields the extents of all items. @throws if the box is shorter than it declares */
function* itemRanges(bytes: Buffer, idat: number | undefined) {
  const version = bytes[0]!;
  let position = 4;
  const number = (size: number) => {
    position += size;
    if (size === 0) return 0;
    if (size === 8) return Number(bytes.readBigUInt64BE(position - 8));
    return bytes.readUIntBE(position - size, size);
  };
  const sizes = number(2);
  const [offset, length] = [sizes >> 12, (sizes >> 8) & 15];
  const [base, index] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15];
  const count = number(version < 2 ? 2 : 4);
  for (let nth = 0; nth < count; nth++) {
    const item = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2);
    const beginning = number(base);
    const extentCount = number(2);
    for (let extent = 0; extent < extentCount; extent++) {
      number(index);
      const from = beginning + number(offset);
      const range = { item, nth: extent, length: number(length) };
      if (method === 0) yield { ...range, from };
      if (method === 1 && idat !== undefined) yield { ...range, from: idat + from };
    }
  }
}

function partsBetween(wipes: Replacement[], size: number): Part[] {
  const parts: Part[] = [];
  let index = 0;
  for (const { from, to, as } of wipes.sort((a, b) => a.from - b.from)) {
    // Overlapping extents occur only in damaged files and are overwritten already.
    if (from < index) continue;
    parts.push({ from: index, to: from });
    parts.push(typeof as === "number" ? { byte: as, length: to - from } : as);
    index = to;
  }
  return [...parts, { from: index, to: size }];
}
