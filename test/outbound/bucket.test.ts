// The bucket by itself: large objects in parts, listings in pages, and a store that never answers.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Refusal } from "../../src/contract/errors/general.ts";
import { Bucket, PART_BYTES } from "../../src/outbound/bucket.ts";
import { openBucket, type TestBucket } from "../bucket.ts";

let store: TestBucket;
let bucket: Bucket;
beforeEach(async () => {
  store = await openBucket();
  bucket = new Bucket(store.config);
});
afterEach(() => store.close());

test("an object is put, measured, read in part, and deleted twice", async () => {
  await bucket.put("a/b", Buffer.from("hello"));
  expect(await bucket.sizeOf("a/b")).toBe(5);
  expect(Buffer.from(await bucket.read("a/b", 1, 3)).toString()).toBe("el");
  expect(await bucket.sizeOf("a/c")).toBeUndefined();
  await bucket.delete("a/b");
  await bucket.delete("a/b");
  expect(await bucket.sizeOf("a/b")).toBeUndefined();
});

test("a large object goes in parts, and one that cannot be ended is given up", async () => {
  const asked: string[] = [];
  store.fails = (method, url) => (asked.push(`${method} ${url}`), false);
  const bytes = new Uint8Array(2 * PART_BYTES + 5).map((_, at) => at % 251);
  await bucket.send("large", new Blob([bytes]));
  expect(asked.filter((line) => line.includes("partNumber="))).toHaveLength(3);
  expect(await bucket.sizeOf("large")).toBe(bytes.length);
  expect(await bucket.read("large", PART_BYTES - 3, PART_BYTES + 3)).toEqual(
    bytes.slice(PART_BYTES - 3, PART_BYTES + 3),
  );
  const given = Promise.withResolvers<void>();
  store.fails = (method, url) => {
    if (method === "DELETE" && url.includes("uploadId=")) given.resolve();
    return url.includes("partNumber=2");
  };
  expect(bucket.send("broken", new Blob([bytes]))).rejects.toBeInstanceOf(Refusal);
  await given.promise;
  store.fails = () => false;
  expect(await store.keys()).toEqual(["large"]);
});

test("a listing knows the age of what it lists, and nothing of what lies elsewhere", async () => {
  for (const key of ["some/1", "some/2", "other/1"]) await bucket.put(key, Buffer.from("x"));
  const later = Date.now() + 60_000;
  expect((await bucket.keysBefore("some/", later)).toSorted()).toEqual(["some/1", "some/2"]);
  expect(await bucket.keysBefore("some/", later - 120_000)).toEqual([]);
  expect(await bucket.keysBefore("none/", later)).toEqual([]);
});

test("every kind of call is signed as the store wants it", async () => {
  const strict = await openBucket(true);
  const there = new Bucket(strict.config);
  const key = "some of/(é) + *! %";
  await there.put(key, Buffer.from("x"));
  await there.send("large", new Blob([new Uint8Array(PART_BYTES + 1)]));
  expect(await there.sizeOf("large")).toBe(PART_BYTES + 1);
  expect(await there.keysBefore("some of/", Date.now() + 60_000)).toEqual([key]);
  expect((await there.read(key, 0, 1)).length).toBe(1);
  await there.delete(key);
  const wrong = new Bucket({ ...strict.config, secret_access_key: "another" });
  const refusal = await wrong.put("a", Buffer.from("b")).catch((error: unknown) => error);
  expect(String((refusal as Refusal).cause)).toContain("SignatureDoesNotMatch");
  await strict.close();
});

/** The test's store cannot cut a listing under this runtime: this one does nothing else. */
test("a listing goes on over pages", async () => {
  const keys = ["a/1", "a/2", "a/3", "a/4", "a/5"];
  const fetch = ({ url }: Request) => {
    const after = new URL(url).searchParams.get("start-after") ?? "";
    const rest = keys.filter((key) => key > after);
    const time = new Date(0).toISOString();
    const listed = rest
      .slice(0, 2)
      .map((key) => `<Contents><Key>${key}</Key><LastModified>${time}</LastModified></Contents>`);
    const more = `<IsTruncated>${rest.length > 2}</IsTruncated>`;
    return new Response(`<ListBucketResult>${more}${listed.join("")}</ListBucketResult>`);
  };
  const paged = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  const there = new Bucket({ ...store.config, endpoint: paged.url.origin });
  expect(await there.keysBefore("a/", Date.now())).toEqual(keys);
  await paged.stop(true);
});

test("a store that does not answer, or is not there, is a refusal that says why", async () => {
  const left = Promise.withResolvers<void>();
  const silent = Bun.serve({
    port: 0,
    fetch: ({ signal }) => {
      signal.addEventListener("abort", () => left.resolve());
      return new Promise<Response>(() => {});
    },
  });
  const reached = new Bucket({ ...store.config, endpoint: silent.url.origin }, 20, 20);
  const none = new Bucket({ ...store.config, endpoint: "http://127.0.0.1:9" });
  const missing = new Bucket({ ...store.config, bucket: "missing" });
  const failures: [Bucket, RegExp][] = [
    [reached, /too long/],
    [none, /unable to connect/i],
    [missing, /bucket does not exist/],
  ];
  for (const [one, why] of failures) {
    const refusal = await one.put("a", Buffer.from("b")).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ errCode: "FILE_STORE_UNAVAILABLE", status: 503 });
    expect(String((refusal as Refusal).cause)).toMatch(why);
    expect(String((refusal as Refusal).cause)).not.toContain(store.config.secret_access_key);
  }
  // The connection is not kept for an answer that nobody waits for.
  await left.promise;
  await silent.stop(true);
});
