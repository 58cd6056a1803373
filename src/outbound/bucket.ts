// Client for a bucket of an S3-compatible store.
import { ownValue } from "../text/input/own-value.ts";
import type { BucketConfig } from "../contract/config.ts";
import { bucketUnavailable } from "../contract/errors/general.ts";
import { type BucketResponse, type Call, call } from "./bucket-call.ts";

/** Bytes of an object in memory, in either direction. */
export const PART_BYTES = 8 * 1_048_576;
/**
 * Stores accept ten thousand parts; some are reserved because the file's size may be an estimate.
 */
const PARTS_MAX = 9_000;
/** Timeout for short responses and for each part. */
const CALL_MS = 15_000;
const PART_MS = 60_000;
const RETRIES = 2;
const LISTED_AT_ONCE = 1_000;
/** Further objects are returned by the next listing. */
const LISTINGS_MAX = 20;
const NOT_FOUND = 404;

export class Bucket {
  constructor(
    private readonly config: BucketConfig,
    private readonly call_ms = CALL_MS,
    private readonly part_ms = PART_MS,
  ) {}

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const body = bytes as Uint8Array<ArrayBuffer>;
    await this.callService({ method: "PUT", key, body }, this.part_ms);
  }

  /** Larger objects are uploaded in parts, and appear when all parts are complete. */
  async send(key: string, bytes: Blob): Promise<void> {
    const { size } = bytes;
    if (size <= PART_BYTES) return this.put(key, await bytes.bytes());
    const partSize = Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX));
    const started = await this.callService({ method: "POST", key, query: { uploads: "" } });
    const uploadId = valuesIn(textOf(started), "UploadId")[0] ?? "";
    try {
      const parts: string[] = [];
      for (let index = 0; index < size; index += partSize) {
        const body = await bytes.slice(index, index + partSize).bytes();
        const query = { partNumber: String(parts.length + 1), uploadId };
        const { headers } = await this.callService(
          { method: "PUT", key, query, body },
          this.part_ms,
        );
        parts.push(headers.get("etag") ?? "");
      }
      const list = parts.map(partOf).join("");
      const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
      const completion = await this.callService(
        { method: "POST", key, query: { uploadId }, body },
        this.part_ms,
      );
      // A store that starts its response early can report a later error only in the body.
      if (textOf(completion).includes("<Error>"))
        throw bucketUnavailable(new Error(textOf(completion)));
    } catch (error) {
      // Deletes the parts of a failed upload in the background.
      void this.callService({ method: "DELETE", key, query: { uploadId } }).catch(() => {});
      throw error;
    }
  }

  /** undefined if there is no such object. */
  async sizeOf(key: string): Promise<number | undefined> {
    const { status, headers } = await this.callService({ method: "HEAD", key });
    if (status !== NOT_FOUND) return Number(headers.get("content-length"));
    // A HEAD response has no body, so a GET tells whether the object or the bucket is missing.
    const { bytes } = await this.callService({ method: "GET", key });
    const [code] = valuesIn(new TextDecoder().decode(bytes), "Code");
    if (code === "NoSuchKey") return undefined;
    throw bucketUnavailable(new Error(code ?? "not found"));
  }

  async read(key: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const headers = { Range: `bytes=${from}-${to - 1}` };
    const { status, bytes } = await this.callService({ method: "GET", key, headers }, this.part_ms);
    if (status === NOT_FOUND) throw bucketUnavailable(new Error("there is no such object"));
    return bytes;
  }

  /** Succeeds for missing objects too. */
  async delete(key: string): Promise<void> {
    await this.callService({ method: "DELETE", key });
  }

  /** Objects with this key prefix that are older. */
  async keysBefore(prefix: string, time_ms: number): Promise<string[]> {
    const older: string[] = [];
    let after: string | undefined;
    for (let listing = 0; listing < LISTINGS_MAX; listing++) {
      const query: Record<string, string> = { "list-type": "2", prefix };
      query["max-keys"] = String(LISTED_AT_ONCE);
      if (after !== undefined) query["start-after"] = after;
      const text = textOf(await this.callService({ method: "GET", query }));
      for (const object of valuesIn(text, "Contents")) {
        const [key] = valuesIn(object, "Key");
        after = key;
        const [modified = ""] = valuesIn(object, "LastModified");
        // Callers delete these, so a store that ignores the prefix must not add others.
        if (key?.startsWith(prefix) && Date.parse(modified) < time_ms) older.push(key);
      }
      if (valuesIn(text, "IsTruncated")[0] !== "true" || after === undefined) break;
    }
    return older;
  }

  /** Throws an error after a failure or timeout and closes the connection. The reason is logged. */
  private async callService(requested: Call, most_ms = this.call_ms): Promise<BucketResponse> {
    const until = performance.now() + most_ms;
    for (let retries = 0; ; retries++) {
      try {
        const response = await call(this.config, requested, Math.max(1, until - performance.now()));
        const { status } = response;
        const isMissing = status === NOT_FOUND && isObjectRequest(requested);
        if ((status >= 200 && status < 300) || isMissing) return response;
        const reason = textOf(response).slice(0, ERROR_LENGTH_MAX);
        throw new Error(`the bucket responded with status ${status} ${reason}`);
      } catch (error) {
        const isLate = (error as Error).name === "TimeoutError" || performance.now() >= until;
        if (isLate) throw bucketUnavailable(new Error("the bucket did not respond in time"));
        if (retries >= RETRIES) throw bucketUnavailable(error);
      }
    }
  }
}

const ERROR_LENGTH_MAX = 500;

/** The caller handles a missing object. */
function isObjectRequest({ method, query }: Call): boolean {
  return query === undefined && (method === "GET" || method === "HEAD" || method === "DELETE");
}

const partOf = (etag: string, index: number) =>
  `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`;

function textOf({ bytes }: BucketResponse): string {
  return new TextDecoder().decode(bytes);
}

/** The contents of the elements with this name, which do not nest. */
function valuesIn(xml: string, name: string): string[] {
  const pieces = xml.split(`<${name}>`).slice(1);
  return pieces.map((piece) => unescaped(piece.split(`</${name}>`, 1)[0]!));
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
};

function unescaped(text: string): string {
  if (text.includes("<")) return text;
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (match, hex, digits, name) => {
      if (name !== undefined) return ownValue(ENTITIES, name as string) ?? match;
      return String.fromCodePoint(hex === undefined ? Number(digits) : parseInt(hex as string, 16));
    },
  );
}
