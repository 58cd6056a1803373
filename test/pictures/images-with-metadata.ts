/** Images with location metadata: the same secret in every place that the formats have. */
import { Buffer } from "node:buffer";

export const SECRET = "59.9139N 10.7522E";
export const ROTATED_ORIENTATION = 6;
type Bytes = Uint8Array<ArrayBuffer>;

const concatBytes = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const namedText = (name: string, text: string | Uint8Array = SECRET) =>
  Buffer.concat([Buffer.from(name, "latin1"), Buffer.from(text as string)]);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u16 = (value: number) => u32(value).subarray(2);

/** Exif data with an orientation, and the secret as the name of the device. */
function exif(orientation: number, isLittleEndian = false): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 24 + 4);
  const writeUint16 = (value: number, offset: number) =>
    isLittleEndian ? tiff.writeUInt16LE(value, offset) : tiff.writeUInt16BE(value, offset);
  const writeUint32 = (value: number, offset: number) =>
    isLittleEndian ? tiff.writeUInt32LE(value, offset) : tiff.writeUInt32BE(value, offset);
  tiff.write(isLittleEndian ? "II" : "MM");
  writeUint16(42, 2);
  writeUint32(8, 4);
  writeUint16(2, 8);
  writeUint16(0x0110, 10);
  writeUint16(2, 12);
  writeUint32(SECRET.length, 14);
  writeUint32(tiff.length, 18);
  writeUint16(0x0112, 22);
  writeUint16(3, 24);
  writeUint32(1, 26);
  writeUint16(orientation, 30);
  return Buffer.concat([tiff, Buffer.from(SECRET)]);
}

export function jpegWithMetadata(plain: Uint8Array, orientation = ROTATED_ORIENTATION): Bytes {
  const segment = (marker: number, data: Uint8Array) =>
    Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);
  return concatBytes(
    plain.subarray(0, 2),
    segment(0xe1, namedText("Exif\0\0", exif(orientation))),
    segment(0xe1, namedText("http://ns.adobe.com/xap/1.0/\0")),
    segment(0xe2, namedText("MPF\0")),
    segment(0xe2, namedText("ICC_PROFILE\0", "\u0001\u0001colours")),
    segment(0xed, namedText("Photoshop 3.0\0")),
    segment(0xeb, namedText("JP")),
    Buffer.from([0xff]),
    segment(0xfe, namedText("")),
    plain.subarray(2),
    namedText("ftypmp42"),
  );
}

export function pngWithMetadata(plain: Uint8Array, orientation = ROTATED_ORIENTATION): Bytes {
  const chunk = (kind: string, data: Uint8Array) => {
    const body = namedText(kind, data);
    return Buffer.concat([u32(data.length), body, u32(Bun.hash.crc32(body))]);
  };
  const afterHead = 33;
  return concatBytes(
    plain.subarray(0, afterHead),
    chunk("pHYs", new Uint8Array(9)),
    chunk("eXIf", exif(orientation, true)),
    chunk("tEXt", namedText("Comment\0")),
    chunk("zTXt", namedText("Comment\0")),
    chunk("iTXt", namedText("XML:com.adobe.xmp\0")),
    chunk("tIME", Buffer.from(SECRET.slice(0, 7))),
    chunk("caBX", namedText("")),
    plain.subarray(afterHead),
    namedText("more"),
  );
}

export function webpWithMetadata(plain: Uint8Array, width: number, height: number): Bytes {
  const chunk = (kind: string, data: Uint8Array) => {
    const size = u32(data.length).reverse();
    return Buffer.concat([Buffer.from(kind), size, data, Buffer.alloc(data.length & 1)]);
  };
  const head = Buffer.alloc(10);
  head[0] = 0x08 | 0x04;
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  const chunks = [
    chunk("VP8X", head),
    plain.subarray(12),
    chunk("EXIF", exif(ROTATED_ORIENTATION)),
    chunk("XMP ", namedText("<x>")),
    chunk("what", namedText("")),
  ];
  const size = chunks.reduce((sum, { length }) => sum + length, 4);
  return concatBytes(Buffer.from("RIFF"), u32(size).reverse(), Buffer.from("WEBP"), ...chunks);
}

/** Inserts metadata after the header of a GIF whose palette has two colors. */
export function gifWithMetadata(plain: Uint8Array): Bytes {
  const length = Buffer.from([SECRET.length]);
  const comment = [Buffer.from([0x21, 0xfe]), length, Buffer.from(SECRET), Buffer.from([0])];
  const xmp = [Buffer.from([0x21, 0xff, 11]), Buffer.from("XMP DataXMP"), ...comment.slice(1)];
  return concatBytes(
    plain.subarray(0, 19),
    ...comment,
    ...xmp,
    plain.subarray(19),
    namedText("more"),
  );
}

const box = (kind: string, ...content: Uint8Array[]) => {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), ...content]);
  return Buffer.concat([u32(body.length + 4), body]);
};

/** A container like those of AVIF and HEIC: a pixel item, and items with metadata. */
export function heifWithMetadata(brand: "heic" | "avif", pixels: Uint8Array): Bytes {
  const item = (id: number, kind: string, rest = "") =>
    box("infe", Buffer.from([2, 0, 0, 0]), u16(id), u16(0), Buffer.from(`${kind}\0${rest}`));
  const iinf = box(
    "iinf",
    u32(0),
    u16(4),
    item(1, brand === "avif" ? "av01" : "hvc1"),
    item(2, "Exif"),
    item(3, "mime", "application/rdf+xml\0"),
    item(4, "Exif"),
  );
  const received = Buffer.concat([u32(0), exif(ROTATED_ORIENTATION)]);
  const xmp = namedText("<x:xmpmeta>");
  const idat = box("idat", received);
  const ilocOf = (offset: number) => {
    const places = [
      [1, 0, offset, pixels.length],
      [2, 0, offset + pixels.length, received.length],
      [3, 0, offset + pixels.length + received.length, xmp.length],
      [4, 1, 0, received.length],
    ];
    const entries = places.map(([id, method, from, length]) =>
      Buffer.concat([u16(id!), u16(method!), u16(0), u16(1), u32(from!), u32(length!)]),
    );
    return box("iloc", Buffer.from([1, 0, 0, 0, 0x44, 0, 0, 4]), ...entries);
  };
  const fileWithOffset = (offset: number) =>
    Buffer.concat([
      box("ftyp", Buffer.from(`${brand}\0\0\0\0mif1${brand}`)),
      box("meta", u32(0), iinf, ilocOf(offset), idat),
      box("moov", box("udta", namedText("xyz")), box("trak", box("meta", namedText("")))),
      box("uuid", Buffer.alloc(16), namedText("")),
      box("mpvd", namedText("")),
      box("mdat"),
    ]);
  const head = fileWithOffset(fileWithOffset(0).length);
  head.writeUInt32BE(8 + pixels.length + received.length + xmp.length, head.length - 8);
  return concatBytes(head, pixels, received, xmp);
}
