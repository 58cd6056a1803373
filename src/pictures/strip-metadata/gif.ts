// Separates image data from metadata in GIF files.
import { type Part, PIECES_MAX, type Window } from "./parts.ts";

const HEAD_BYTES = 13;
const SEARCH_BYTES = 65_536;
const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b];
const [COMMENT, APPLICATION] = [0xfe, 0xff];
/** Application extensions for loops and color profiles. */
const STORED = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Returns undefined for other or damaged files. Drops data after the end of the image. */
export async function gifParts(file: Window): Promise<Part[] | undefined> {
  const head = await file.read(0, HEAD_BYTES);
  if (!/^GIF8[79]a$/.test(head.toString("latin1", 0, 6)) || head.length < HEAD_BYTES) {
    return undefined;
  }
  let index = HEAD_BYTES + tableBytes(head[10]!);
  const parts: Part[] = [{ from: 0, to: index }];
  let pieces = 0;
  while (index < file.size) {
    if (++pieces > PIECES_MAX) return undefined;
    const block = Buffer.from(await file.read(index, 14));
    if (block[0] === END) {
      parts.push({ from: index, to: index + 1 });
      break;
    }
    const start = startOfData(block);
    if (start === undefined) return undefined;
    const end = await endOfData(file, index + start);
    if (end === undefined) return undefined;
    if (belongsToPicture(block)) parts.push({ from: index, to: end });
    index = end;
  }
  return parts;
}

/** Returns where the data sub-blocks start. */
function startOfData(block: Buffer): number | undefined {
  if (block[0] === EXTENSION) return 2;
  return block[0] === IMAGE && block.length > 9 ? 11 + tableBytes(block[9]!) : undefined;
}

function belongsToPicture(block: Buffer): boolean {
  if (block[0] !== EXTENSION) return true;
  if (block[1] === APPLICATION) return STORED.has(block.toString("latin1", 3, 14));
  return block[1] !== COMMENT;
}

async function endOfData(file: Window, from: number): Promise<number | undefined> {
  for (let index = from; index < file.size;) {
    const bytes = await file.read(index, SEARCH_BYTES);
    const end = index + bytes.length;
    for (let position = 0; index < end; index += 1 + bytes[position]!) {
      position = index - (end - bytes.length);
      if (bytes[position] === 0) return index + 1;
    }
  }
  return undefined;
}
