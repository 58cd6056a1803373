// A bucket of an S3-compatible store: objects put, streamed, read in parts, listed and deleted.
import type { BucketConfig } from "../config.ts";
import { bucketUnavailable } from "../errors.ts";

/** What is held of an object at once, on its way in or out. */
export const PART_BYTES = 8 * 1_048_576;
/** Stores take ten thousand; some are left over, as the file may be measured in other words. */
const PARTS_MAX = 9_000;
/** For what is answered in a few words, and for a part on its way. */
const CALL_MS = 15_000;
const PART_MS = 60_000;
const RETRIES = 2;
const LISTED_AT_ONCE = 1_000;
/** What a listing leaves, the next one gives. */
const LISTINGS_MAX = 20;

export class Bucket {
  private readonly client: Bun.S3Client;

  constructor(
    { endpoint, bucket, region, access_key_id, secret_access_key }: BucketConfig,
    private readonly call_ms = CALL_MS,
    private readonly part_ms = PART_MS,
  ) {
    this.client = new Bun.S3Client({
      endpoint,
      bucket,
      region,
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
    });
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const writing = this.client.write(key, bytes as Uint8Array<ArrayBuffer>, { retry: RETRIES });
    await this.asked(writing, this.part_ms);
  }

  /** A larger one goes part by part, and appears when all of them are there. */
  async send(key: string, bytes: Blob): Promise<void> {
    const { size } = bytes;
    if (size <= PART_BYTES) return this.put(key, await bytes.bytes());
    const partSize = Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX));
    const writer = this.client.file(key).writer({ partSize, queueSize: 1, retry: RETRIES });
    try {
      for (let at = 0; at < size; at += partSize) {
        const part = await bytes.slice(at, at + partSize).bytes();
        await this.asked(Promise.resolve(writer.write(part)), this.part_ms);
        await this.asked(Promise.resolve(writer.flush()), this.part_ms);
      }
      await this.asked(Promise.resolve(writer.end()), this.part_ms);
    } catch (error) {
      // Nobody waits for it: it is the parts that came, and they are in nobody's way.
      void Promise.resolve(writer.end(error as Error)).catch(() => {});
      throw error;
    }
  }

  /** undefined: there is no such object. */
  async sizeOf(key: string): Promise<number | undefined> {
    const found = this.client.stat(key).catch((error: unknown) => {
      if ((error as { code?: string }).code !== "NoSuchKey") throw error;
    });
    return (await this.asked(found))?.size;
  }

  read(key: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.asked(this.client.file(key).slice(from, to).bytes(), this.part_ms);
  }

  /** Also what is not there. */
  async delete(key: string): Promise<void> {
    await this.asked(this.client.delete(key));
  }

  /** Of the objects whose keys begin so, those that are older. */
  async keysBefore(prefix: string, time_ms: number): Promise<string[]> {
    const older: string[] = [];
    let startAfter: string | undefined;
    for (let listing = 0; listing < LISTINGS_MAX; listing++) {
      const from = startAfter === undefined ? {} : { startAfter };
      const listed = this.client.list({ prefix, maxKeys: LISTED_AT_ONCE, ...from });
      const { contents = [], isTruncated } = await this.asked(listed);
      for (const { key, lastModified } of contents) {
        if (lastModified && Date.parse(lastModified) < time_ms) older.push(key);
      }
      startAfter = contents.at(-1)?.key;
      if (!isTruncated || startAfter === undefined) break;
    }
    return older;
  }

  /** What fails or takes too long is refused; why is for the log. */
  private async asked<T>(work: Promise<T>, most_ms = this.call_ms): Promise<T> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error("the bucket takes too long"));
      timer = setTimeout(fail, most_ms);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      throw bucketUnavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }
}
