// Applies the Exif orientation of PNG and WebP images, which the runtime's decoder ignores.
import { orientationIn, UPRIGHT } from "./strip-metadata/orientation.ts";
import { PIECES_MAX, Window } from "./strip-metadata/parts.ts";

const EXIF_BYTES_MAX = 65_536;
const EXIF_NAME = "Exif\0\0";

interface Container {
  /** Offset of the first chunk. */
  readonly start: number;
  readonly exif: string;
  /** Size of a chunk's header before its data, and of the trailer after it. */
  readonly head: number;
  /** The type of a chunk, and the position of the next one. */
  read(head: Buffer, offset: number): { kind: string; length: number; next: number };
}

const PNG: Container = {
  start: 8,
  exif: "eXIf",
  head: 8,
  read(head, offset) {
    const length = head.readUInt32BE(0);
    return { kind: head.toString("latin1", 4, 8), length, next: offset + length + 12 };
  },
};

const WEBP: Container = {
  start: 12,
  exif: "EXIF",
  head: 8,
  read(head, offset) {
    const length = head.readUInt32LE(4);
    return {
      kind: head.toString("latin1", 0, 4),
      length,
      next: offset + length + 8 + (length & 1),
    };
  },
};

/** Returns the orientation from 1 (upright) to 8, as Exif defines it. */
export async function orientationOf(file: Blob, type: string): Promise<number> {
  if (type === "image/png" || type === "image/apng") return orientationInChunks(file, PNG);
  return type === "image/webp" ? orientationInChunks(file, WEBP) : UPRIGHT;
}

async function orientationInChunks(blob: Blob, container: Container): Promise<number> {
  const file = new Window(blob);
  let index = container.start;
  for (let pieces = 0; pieces < PIECES_MAX && index + container.head <= file.size; pieces++) {
    const { kind, length, next } = container.read(await file.read(index, container.head), index);
    if (kind === container.exif) {
      const data = await file.read(index + container.head, Math.min(length, EXIF_BYTES_MAX));
      const isNamed = data.toString("latin1", 0, EXIF_NAME.length) === EXIF_NAME;
      return orientationIn(isNamed ? data.subarray(EXIF_NAME.length) : data);
    }
    index = next;
  }
  return UPRIGHT;
}

/** Whether width and height are swapped. */
export const isOnItsSide = (orientation: number) => orientation >= 5;

/** The runtime rotates clockwise before it mirrors: `flop` horizontally, `flip` vertically. */
export function upright(image: Bun.Image, orientation: number): Bun.Image {
  switch (orientation) {
    case 2:
      return image.flop();
    case 3:
      return image.rotate(180);
    case 4:
      return image.flip();
    case 5:
      return image.rotate(90).flop();
    case 6:
      return image.rotate(90);
    case 7:
      return image.rotate(90).flip();
    case 8:
      return image.rotate(270);
    default:
      return image;
  }
}
