// A bucket for tests: a real server of the S3 protocol, which can be made to fail.
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketConfig } from "../src/contract/config.ts";

/** It comes without types. */
const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as {
  new (options: Record<string, unknown>): {
    middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    httpServer: Server;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  };
};

interface Context {
  method: string;
  url: string;
  status: number;
}

const NAME = "skein";
const KEY = "S3RVER";

export interface TestBucket {
  readonly config: BucketConfig;
  /** Which of its requests fail: those of whose method and address this says so. */
  fails: (method: string, url: string) => boolean;
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

/** `strict`: it checks signatures, and `keys` cannot be asked. */
export async function openBucket(strict = false): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), "skein-bucket-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: NAME }],
    // It takes the slash off the address of a bucket before it compares signatures of listings,
    // and the runtime's own client puts one there.
    allowMismatchedSignatures: !strict,
  });
  const bucket = { fails: () => false } as unknown as TestBucket;
  server.middleware.unshift(async (context, next) => {
    if (bucket.fails(context.method, context.url)) context.status = 500;
    else await next();
  });
  const { port } = await server.run();
  const config = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: NAME,
    region: "us-east-1",
    access_key_id: KEY,
    secret_access_key: KEY,
  };
  return Object.assign(bucket, {
    config,
    async keys() {
      const { endpoint, bucket: name, region } = config;
      const client = new Bun.S3Client({
        endpoint,
        bucket: name,
        region,
        accessKeyId: KEY,
        secretAccessKey: KEY,
      });
      return ((await client.list()).contents ?? []).map(({ key }) => key).toSorted();
    },
    async close() {
      // It waits for connections that clients keep.
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}
