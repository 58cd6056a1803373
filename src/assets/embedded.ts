// The client as embedded in the executable: files in two compressed encodings.
import { brotliDecompressSync } from "node:zlib";
import type { Bytes, Client, ClientFile, Encoding } from "./files.ts";

/** A file of the build. `br` and `gzip`, or `uncompressed`, are paths inside the executable. */
export interface CompressedFile {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly br?: string;
  readonly gzip?: string;
  readonly uncompressed?: string;
}

/** Files are read on first use and cached; together they have a few hundred kilobytes. */
export function fromExecutable(all: readonly CompressedFile[]): Client {
  const packed = new Map(all.map((packed) => [packed.path, packed]));
  const opened = new Map<string, Promise<ClientFile>>();
  return {
    async fileAt(path) {
      const item = packed.get(path);
      if (item === undefined) return undefined;
      const file = opened.get(path) ?? open(item);
      opened.set(path, file);
      return file;
    },
  };
}

async function open({ type, etag, ...places }: CompressedFile): Promise<ClientFile> {
  const cache = new Map<Encoding, Bytes>();
  const read = async (encoding: Encoding, path: string | undefined) => {
    if (path !== undefined) cache.set(encoding, await Bun.file(path).bytes());
  };
  await read("br", places.br);
  await read("gzip", places.gzip);
  await read("identity", places.uncompressed);
  return {
    type,
    etag,
    bytes(encoding) {
      const bytes = cache.get(encoding);
      if (bytes !== undefined || encoding !== "identity") return bytes;
      return new Uint8Array(brotliDecompressSync(cache.get("br")!));
    },
  };
}
