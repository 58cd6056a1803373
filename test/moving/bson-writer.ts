/** Writes BSON documents, and dumps of MongoDB as folders or as one file. */
import { gzipSync } from "node:zlib";
import type { Json } from "../test-server.ts";
import type { ZipEntry } from "./zip.ts";

export type Collections = Readonly<Record<string, readonly Json[]>>;

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

const int64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
};

const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([int32(bytes.length + 1), bytes, Buffer.alloc(1)]);
};

export function bsonOf(value: object): Buffer {
  const parts = Object.entries(value).map(([name, field]) => {
    const [type, bytes] = fieldOf(field);
    return Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), bytes]);
  });
  const body = Buffer.concat([...parts, Buffer.alloc(1)]);
  return Buffer.concat([int32(body.length + 4), body]);
}

function fieldOf(value: unknown): [type: number, bytes: Buffer] {
  if (typeof value === "string") return [0x02, text(value)];
  if (typeof value === "boolean") return [0x08, Buffer.from([value ? 1 : 0])];
  if (typeof value === "bigint") return [0x12, int64(Number(value))];
  if (typeof value === "number") {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31
      ? [0x10, int32(value)]
      : [0x01, double(value)];
  }
  if (value instanceof Date) return [0x09, int64(value.getTime())];
  if (value instanceof Uint8Array) {
    return [0x05, Buffer.concat([int32(value.length), Buffer.alloc(1), value])];
  }
  if (value instanceof RegExp) return [0x0b, Buffer.from(`${value.source}\0\0`)];
  if (value === null || value === undefined) return [0x0a, Buffer.alloc(0)];
  return [Array.isArray(value) ? 0x04 : 0x03, bsonOf(value as object)];
}

/** A folder for the database, with a file for each collection. */
export function dumpFolder(collections: Collections, isPacked = false): ZipEntry[] {
  return Object.entries(collections).flatMap(([name, documents]) => {
    const bytes = Buffer.concat(documents.map(bsonOf));
    const file = `dump/rocketchat/${name}.bson`;
    return [
      isPacked ? { name: `${file}.gz`, bytes: gzipSync(bytes) } : { name: file, bytes },
      { name: `dump/rocketchat/${name}.metadata.json`, bytes: "{}" },
    ];
  });
}

const TERMINATOR = int32(-1);

/**
 * A dump like that of `mongodump --archive`: collections take turns with blocks of two documents.
 */
export function dumpArchive(collections: Collections): Buffer {
  const names = Object.keys(collections);
  const db = "rocketchat";
  const parts: Buffer[] = [
    Buffer.from([0x6d, 0xe2, 0x99, 0x81]),
    bsonOf({ concurrent_collections: 4, version: "0.1", server_version: "7", tool_version: "100" }),
    ...names.map((collection) => bsonOf({ db, collection, metadata: "{}", size: 1 })),
    TERMINATOR,
  ];
  const CRC = 5n;
  for (let from = 0; names.some((name) => collections[name]!.length > from); from += 2) {
    for (const collection of names) {
      const documents = collections[collection]!.slice(from, from + 2);
      if (documents.length === 0) continue;
      const header = bsonOf({ db, collection, EOF: false, CRC: 0n });
      parts.push(header, ...documents.map(bsonOf), TERMINATOR);
    }
  }
  for (const collection of names) {
    parts.push(bsonOf({ db, collection, EOF: true, CRC }), TERMINATOR);
  }
  return Buffer.concat(parts);
}
