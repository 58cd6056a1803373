// Writes tar files: a header and padding around the bytes of each entry.

const BLOCK_BYTES = 512;
const SHORT_NAME_BYTES_MAX = 100;
/** Larger sizes do not fit into twelve octal digits. */
const OCTAL_SIZE_MAX = 0o77_777_777_777;

/** The header before the bytes of an entry. */
export function tarHeader(name: string, size: number, seconds: number): Uint8Array {
  const isPlain = Buffer.byteLength(name) <= SHORT_NAME_BYTES_MAX && size <= OCTAL_SIZE_MAX;
  if (isPlain) return block(name, size, seconds, "0");
  const records = Buffer.from(record("path", name) + record("size", String(size)));
  const short = Buffer.from(name).subarray(0, SHORT_NAME_BYTES_MAX).toString("latin1");
  return Buffer.concat([
    block("PaxHeader", records.length, seconds, "x"),
    records,
    tarPadding(records.length),
    block(short, Math.min(size, OCTAL_SIZE_MAX), seconds, "0"),
  ]);
}

/** The padding after the bytes of an entry. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK_BYTES);

function block(name: string, size: number, seconds: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, SHORT_NAME_BYTES_MAX, "utf8");
  header.write("0000600\0", 100, "latin1");
  header.write("0000000\0", 108, "latin1");
  header.write("0000000\0", 116, "latin1");
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  header.write(`${Math.floor(seconds).toString(8).padStart(11, "0")}\0`, 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write(type, 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** The length includes its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length += 1;
  return `${length}${rest}`;
}
