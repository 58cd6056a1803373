// Limits of cached external content and of concurrent requests to other hosts.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cache } from "../../src/features/external-content/cache.ts";
import { FetchLimiter } from "../../src/features/external-content/concurrency.ts";

test("removes the least recently used entry when the cache is full", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-cache-"));
  const cache = new Cache(folder, { bytes: 250, files: 10 });
  const names = ["a", "b", "c"].map((character) => character.repeat(64));
  const now = Date.now();
  const hundred = async function* () {
    yield new Uint8Array(100);
  };
  const store = (name: string) => cache.store(name, hundred(), now, async () => "image/png");
  await store(names[0]!);
  await store(names[1]!);
  await cache.find(names[0]!, 0);
  await store(names[2]!);
  const media = await Promise.all(names.map((name) => cache.find(name, 0)));
  expect(media.map((content) => content?.content_type)).toEqual([
    "image/png",
    undefined,
    "image/png",
  ]);
  expect(readdirSync(folder).length).toBe(2);
  writeFileSync(join(folder, "unfinished.part"), "x");
  writeFileSync(join(folder, `${"d".repeat(64)}-5-image.png`), "cut");
  const repeated = new Cache(folder, { bytes: 250, files: 1 });
  expect(await repeated.find("d".repeat(64), 0)).toBeUndefined();
  expect(readdirSync(folder).length).toBe(1);
  rmSync(folder, { recursive: true });
});

test("drops a line that is too long", async () => {
  const limiter = new FetchLimiter({ perHost: 1, total: 2, waiting: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const [first, second] = [limiter.run("a", () => promise), limiter.run("a", () => promise)];
  expect(limiter.run("b", () => promise)).toBeUndefined();
  resolve();
  await Promise.all([first, second]);
  expect(await limiter.run("b", async () => 7)).toBe(7);
});
