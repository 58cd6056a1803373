// Number of bytes of keys and values in a data directory, even while a server uses it.
import { open } from "lmdb";

const PREFIXES_MAX = 256;

export function storedBytes(directory: string): number {
  const db = open<Buffer, Buffer>({
    path: `${directory}/data.mdb`,
    noSubdir: true,
    readOnly: true,
    encoding: "binary",
    keyEncoding: "binary",
  } as object as Parameters<typeof open>[0] & { path: string });
  let bytes = 0;
  const bounds = { start: Buffer.from([0]), end: Buffer.alloc(8, PREFIXES_MAX - 1) };
  for (const { key, value } of db.getRange(bounds)) bytes += key.length + value.length;
  void db.close();
  return bytes;
}
