// A real S3 server for tests, which can be made to fail.
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketConfig } from "../src/contract/config.ts";

/** The package has no types. */
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
  /** Returns whether the request with this method and URL fails. */
  shouldFail: (method: string, url: string) => boolean;
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

/** `strict`: the server verifies signatures, and `keys` is not available. */
export async function openBucket(strict = false): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), "skein-bucket-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: NAME }],
    // The server drops the trailing slash before it verifies listings, but Bun's client signs it.
    allowMismatchedSignatures: !strict,
  });
  const bucket = { shouldFail: () => false } as unknown as TestBucket;
  server.middleware.unshift(async (context, next) => {
    if (bucket.shouldFail(context.method, context.url)) context.status = 500;
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
      // Otherwise closing would wait for keep-alive connections.
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}
