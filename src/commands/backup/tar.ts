// The header of an entry in a tar archive.

const BLOCK = 512;
const NAME_MAX = 100;
const PREFIX_MAX = 155;
const OCTAL_MAX = 8 ** 11;
/** Offset of each field. */
const AT = { name: 0, mode: 100, uid: 108, gid: 116, size: 124, mtime: 136, sum: 148, kind: 156 };
const LINK_AT = 157;
const MAGIC_AT = 257;
const PREFIX_AT = 345;

export const KINDS = { file: "0", symlink: "2", directory: "5" } as const;

interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** Unix time in seconds. */
  readonly mtime: number;
  readonly mode?: number;
  /** Id of both user and group. */
  readonly owner?: number;
  readonly kind?: keyof typeof KINDS;
  /** Target of a symbolic link. */
  readonly link?: string;
}

export function tarHeader(entry: TarEntry): Buffer {
  const { size, mtime, mode = 0o600, owner = 0, kind = "file", link = "" } = entry;
  const [prefix, name] = split(entry.name);
  if (Buffer.byteLength(link) > NAME_MAX)
    throw new Error(`the link ${link} is too long for an archive`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, AT.name);
  for (const [index, text] of [
    [AT.mode, octal(mode, 7)],
    [AT.uid, octal(owner, 7)],
    [AT.gid, octal(owner, 7)],
    [AT.mtime, octal(mtime, 11)],
    [LINK_AT, link],
  ] as const) {
    block.write(text, index);
  }
  if (size < OCTAL_MAX) block.write(octal(size, 11), AT.size);
  else {
    // Larger sizes are binary, marked by the first byte.
    block.writeUInt8(0x80, AT.size);
    block.writeBigUInt64BE(BigInt(size), AT.size + 4);
  }
  block.write(KINDS[kind], AT.kind);
  block.write("ustar\u000000", MAGIC_AT);
  block.write(prefix, PREFIX_AT);
  // The checksum field itself counts as spaces.
  block.write(" ".repeat(8), AT.sum);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, AT.sum);
  return block;
}

/** Returns the padding after an entry of this size. */
export function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}

/** The end of an archive. */
export const END = new Uint8Array(2 * BLOCK);

/** Splits a long name at a slash. */
function split(name: string): [prefix: string, name: string] {
  if (Buffer.byteLength(name) <= NAME_MAX) return ["", name];
  const cut = name.indexOf("/", name.length - NAME_MAX - 1);
  const parts: [string, string] = [name.slice(0, cut), name.slice(cut + 1)];
  const [prefix, rest] = parts.map((part) => Buffer.byteLength(part));
  if (cut > 0 && prefix! <= PREFIX_MAX && rest! <= NAME_MAX) return parts;
  throw new Error(`the name ${name} is too long for an archive`);
}

function octal(n: number, digits: number): string {
  return n.toString(8).padStart(digits, "0");
}
