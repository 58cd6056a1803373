// An archive whose compressed entries are read as if they were not compressed.
import type { FileHandle } from "node:fs/promises";
import { type Archive, checkTotal, type Span } from "./entries.ts";
import { unpacked } from "./gunzip.ts";

const PIECE_BYTES = 256 * 1024;

interface UnpackedEntry {
  readonly file: FileHandle;
  readonly size: number;
}

export class GunzippedArchive implements Archive {
  readonly sizes = new Map<string, number>();
  private readonly files = new Map<string, UnpackedEntry>();
  private total = 0;

  private constructor(private readonly archive: Archive) {}

  /** Entries that `isPacked` are unpacked into temporary files, without `.gz` in their names. */
  static async open(
    archive: Archive,
    isPacked: (name: string) => boolean,
  ): Promise<GunzippedArchive> {
    const opened = new GunzippedArchive(archive);
    try {
      for (const [name, size] of archive.sizes) {
        if (isPacked(name)) await opened.unpack(name, size);
        else opened.sizes.set(name, size);
      }
    } catch (error) {
      await opened.closeFiles();
      throw error;
    }
    return opened;
  }

  async *stream(name: string, span?: Span): AsyncIterable<Uint8Array> {
    const entry = this.files.get(name);
    if (!entry) return yield* this.archive.stream(name, span);
    const end = Math.min(span?.to ?? Infinity, entry.size);
    for (let offset = span?.from ?? 0; offset < end;) {
      const buffer = Buffer.alloc(Math.min(PIECE_BYTES, end - offset));
      const { bytesRead } = await entry.file.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    await this.closeFiles();
    await this.archive.close();
  }

  async closeFiles(): Promise<void> {
    for (const { file } of this.files.values()) await file.close();
    this.files.clear();
  }

  private async unpack(name: string, compressed: number): Promise<void> {
    const file = await unpacked(this.archive.stream(name), compressed, name);
    const { size } = await file.stat();
    const uncompressedName = name.replace(/\.gz$/, "");
    this.files.set(uncompressedName, { file, size });
    this.sizes.set(uncompressedName, size);
    checkTotal((this.total += size));
  }
}
