/** Writes zip files for tests, including malicious ones. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  bytes: Uint8Array | string;
  /** Unix file mode; 0o120777 is a symbolic link. */
  mode?: number;
  /** Replaces the true size. */
  size?: number;
  /** The number of the compression method that the entry claims to use. */
  method?: number;
}

/** Omits the flag for UTF-8 names, like zip files that Slack writes. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, mode = 0o100644, size, method = 8 } of entries) {
    const plainBytes = Buffer.from(bytes as Uint8Array);
    const packed = deflateRawSync(plainBytes);
    const label = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(crc32(plainBytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size ?? plainBytes.length, 18);
    facts.writeUInt16LE(label.length, 22);
    const body = Buffer.concat([Buffer.from("PK\u0003\u0004"), facts, label, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(mode * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    const created = Buffer.from([0x14, 3]);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), created, facts, rest, label]));
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, list, Buffer.from("PK\u0005\u0006"), end]);
}
