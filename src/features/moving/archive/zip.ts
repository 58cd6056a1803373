// Reads a zip file by its central directory, with limits on names, sizes and ratios.
import { type Entry, open, type ZipFile } from "yauzl";
import { MovingRefused } from "../errors.ts";
import { type Archive, checkCount, checkName, checkTotal, type Span } from "./entries.ts";

/**
 * Text rarely compresses to less than a twentieth of its size, an archive bomb to less than a
 * thousandth.
 */
const RATIO_MAX = 200;
/** Entries up to this size are accepted with any ratio. */
const RATIO_BYTES_MIN = 1_048_576;
const FILE_TYPE = 0o170_000;
const LINK = 0o120_000;
const ENCRYPTED = 1;
/** Stored and Deflate. Windows uses Deflate64 for files of more than 2 GiB. */
const METHODS = [0, 8];

export class ZipArchive implements Archive {
  readonly sizes = new Map<string, number>();
  private readonly entries = new Map<string, Entry>();
  private total = 0;
  private count = 0;

  private constructor(private readonly zip: ZipFile) {}

  static async open(path: string): Promise<ZipArchive> {
    const zip = await openZip(path);
    const archive = new ZipArchive(zip);
    try {
      await archive.readNames();
    } catch (error) {
      zip.close();
      throw asRefused(error);
    }
    return archive;
  }

  /** Reads a part from the start of the entry, because compressed data cannot be skipped. */
  async *stream(name: string, span?: Span): AsyncIterable<Uint8Array> {
    const entry = this.entries.get(name);
    if (!entry) throw new MovingRefused("missing", name);
    if (!METHODS.includes(entry.compressionMethod)) {
      const words = "is compressed in an unusual way; pack the archive again with Deflate";
      throw new MovingRefused(words, name);
    }
    const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>();
    this.zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
    try {
      let offset = 0;
      for await (const chunk of await promise) {
        const piece = chunk as unknown as Uint8Array;
        const part = span
          ? piece.subarray(Math.max(0, span.from - offset), span.to - offset)
          : piece;
        offset += piece.length;
        if (part.length > 0) yield part;
        if (span && offset >= span.to) return;
      }
    } catch (error) {
      throw asRefused(error, name);
    }
  }

  async close(): Promise<void> {
    this.zip.close();
  }

  private readNames(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { zip } = this;
    zip.on("error", reject);
    zip.on("end", () => resolve());
    zip.on("entry", (entry: Entry) => {
      try {
        this.addEntry(entry);
        zip.readEntry();
      } catch (error) {
        reject(error as Error);
      }
    });
    zip.readEntry();
    return promise;
  }

  private addEntry(entry: Entry): void {
    // Slack writes UTF-8 without setting its flag, and programs on Windows write backslashes.
    const storedName = Buffer.from(entry.fileName as unknown as Uint8Array).toString("utf8");
    const name = storedName.replaceAll("\\", "/");
    checkName(name);
    // Counts folders, too.
    checkCount(++this.count);
    const { uncompressedSize: size, compressedSize, externalFileAttributes } = entry;
    if (((externalFileAttributes >>> 16) & FILE_TYPE) === LINK) {
      throw new MovingRefused("is a link; links are not followed", name);
    }
    if (name.endsWith("/")) return;
    if (entry.generalPurposeBitFlag & ENCRYPTED) throw new MovingRefused("is encrypted", name);
    if (this.entries.has(name)) throw new MovingRefused("is in the archive twice", name);
    if (size > RATIO_BYTES_MIN && size > compressedSize * RATIO_MAX) {
      const words = `expands to more than ${RATIO_MAX} times its size: an archive bomb`;
      throw new MovingRefused(words, name);
    }
    checkTotal((this.total += size));
    this.entries.set(name, entry);
    this.sizes.set(name, size);
  }
}

function openZip(path: string): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
  open(path, options, (error, zip) => (error ? reject(asRefused(error, path)) : resolve(zip)));
  return promise;
}

function asRefused(error: unknown, location?: string): unknown {
  if (error instanceof MovingRefused || !(error instanceof Error) || "syscall" in error) {
    return error;
  }
  return new MovingRefused(`not a whole zip file (${error.message})`, location);
}
