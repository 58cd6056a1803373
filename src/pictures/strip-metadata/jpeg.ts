// Separates image data from metadata in JPEG files.
import { orientationIn, tiffWithOrientation } from "./orientation.ts";
import { type Part, PIECES_MAX, type Window } from "./parts.ts";

const START = 0xffd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef];
const EXIF = "Exif\0\0";
/** Application segments about color. */
const STORED: Readonly<Record<number, string>> = {
  [APP0]: "JFIF\0",
  [APP2]: "ICC_PROFILE\0",
  [APP14]: "Adobe",
};
const NAME_BYTES = 16;
const SEARCH_BYTES = 65_536;

/** Returns undefined for other or damaged files. Drops data after the end of the image. */
export async function jpegParts(file: Window): Promise<Part[] | undefined> {
  if ((await file.read(0, 2)).toString("hex") !== START.toString(16)) return undefined;
  const parts: Part[] = [{ from: 0, to: 2 }];
  let pieces = 0;
  for (let index = 2; index < file.size;) {
    if (++pieces > PIECES_MAX) return undefined;
    const head = Buffer.from(await file.read(index, 4 + NAME_BYTES));
    const marker = head[1];
    if (head[0] !== 0xff || marker === undefined) return undefined;
    if (marker === 0xff) {
      // Fill bytes may precede a marker.
      const filled = head.findIndex((byte) => byte !== 0xff);
      if (filled < 0) return undefined;
      index += filled - 1;
      continue;
    }
    if (marker === END || isAlone(marker)) {
      parts.push({ from: index, to: index + 2 });
      if (marker === END) break;
      index += 2;
      continue;
    }
    const length = head.length < 4 ? 0 : head.readUInt16BE(2);
    const end = index + 2 + length;
    if (length < 2 || end > file.size) return undefined;
    const name = head.toString("latin1", 4);
    if (belongsToPicture(marker, name)) parts.push({ from: index, to: end });
    else if (marker === APP1 && name.startsWith(EXIF)) {
      const tiff = await file.read(index + 4 + EXIF.length, length - 2 - EXIF.length);
      const details = tiffWithOrientation(orientationIn(tiff));
      if (details) parts.push(segmentOf(details));
    }
    index = end;
    if (marker !== SCAN) continue;
    index = await endOfScan(file, end);
    parts.push({ from: end, to: index });
  }
  return parts;
}

const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

function belongsToPicture(marker: number, name: string): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  const action = STORED[marker];
  return action !== undefined && name.startsWith(action);
}

function segmentOf(tiff: Buffer): Uint8Array<ArrayBuffer> {
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(2 + EXIF.length + tiff.length, 2);
  return new Uint8Array(Buffer.concat([head, Buffer.from(EXIF, "latin1"), tiff]));
}

/** Returns the position of the next marker that is not part of the scan. */
async function endOfScan(file: Window, from: number): Promise<number> {
  for (let index = from; index < file.size;) {
    const bytes = await file.read(index, SEARCH_BYTES);
    let markerAt = bytes.indexOf(0xff);
    for (
      ;
      markerAt >= 0 && markerAt + 1 < bytes.length;
      markerAt = bytes.indexOf(0xff, markerAt + 2)
    ) {
      const next = bytes[markerAt + 1]!;
      if (next === 0xff) {
        markerAt--;
        continue;
      }
      if (next !== 0 && !isAlone(next)) return index + markerAt;
    }
    const isCut = markerAt >= 0 && index + bytes.length < file.size;
    index += isCut ? markerAt : bytes.length;
  }
  return file.size;
}
