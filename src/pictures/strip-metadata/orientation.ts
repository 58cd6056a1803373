// The orientation of an image, the only Exif data that is kept.

const ORIENTATION = 0x0112;
export const UPRIGHT = 1;
const ENTRY_BYTES = 12;
const SHORT = 3;

/** The orientation in TIFF data. Upright if there is none. */
export function orientationIn(tiff: Buffer): number {
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return UPRIGHT;
  const isLittleEndian = order === "II";
  const short = (offset: number) =>
    isLittleEndian ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset);
  const first = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return UPRIGHT;
  const count = short(first);
  for (let nth = 0; nth < count; nth++) {
    const offset = first + 2 + nth * ENTRY_BYTES;
    if (offset + ENTRY_BYTES > tiff.length) break;
    if (short(offset) !== ORIENTATION || short(offset + 2) !== SHORT) continue;
    const value = short(offset + 8);
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** TIFF data with nothing but the orientation; undefined if it is upright. */
export function tiffWithOrientation(orientation: number): Buffer | undefined {
  if (orientation === UPRIGHT) return undefined;
  const tiff = Buffer.alloc(26);
  tiff.write("II*\0", "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION, 10);
  tiff.writeUInt16LE(SHORT, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
