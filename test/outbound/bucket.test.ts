// The bucket client: multipart objects, paged listings, and a store that never responds.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Refusal } from "../../src/contract/errors/general.ts";
import { Bucket, PART_BYTES } from "../../src/outbound/bucket.ts";
import { openBucket, type TestBucket } from "../s3-server.ts";

let store: TestBucket;
let bucket: Bucket;
beforeEach(async () => {
  store = await openBucket();
  bucket = new Bucket(store.config);
});
afterEach(() => store.close());

test("stores, measures, reads in part and deletes an object", async () => {
  await bucket.put("a/b", Buffer.from("hello"));
  expect(await bucket.sizeOf("a/b")).toBe(5);
  expect(Buffer.from(await bucket.read("a/b", 1, 3)).toString()).toBe("el");
  expect(await bucket.sizeOf("a/c")).toBeUndefined();
  await bucket.delete("a/b");
  await bucket.delete("a/b");
  expect(await bucket.sizeOf("a/b")).toBeUndefined();
});

test("sends a large object in parts, and aborts an incomplete one", async () => {
  const requests: string[] = [];
  store.shouldFail = (method, url) => (requests.push(`${method} ${url}`), false);
  const bytes = new Uint8Array(2 * PART_BYTES + 5).map((_, index) => index % 251);
  await bucket.send("large", new Blob([bytes]));
  expect(requests.filter((line) => line.includes("partNumber="))).toHaveLength(3);
  expect(await bucket.sizeOf("large")).toBe(bytes.length);
  expect(await bucket.read("large", PART_BYTES - 3, PART_BYTES + 3)).toEqual(
    bytes.slice(PART_BYTES - 3, PART_BYTES + 3),
  );
  const input = Promise.withResolvers<void>();
  store.shouldFail = (method, url) => {
    if (method === "DELETE" && url.includes("uploadId=")) input.resolve();
    return url.includes("partNumber=2");
  };
  expect(bucket.send("broken", new Blob([bytes]))).rejects.toBeInstanceOf(Refusal);
  await input.promise;
  store.shouldFail = () => false;
  expect(await store.keys()).toEqual(["large"]);
});

test("lists objects with their age, and only in its prefix", async () => {
  for (const key of ["some/1", "some/2", "other/1"]) await bucket.put(key, Buffer.from("x"));
  const futureDate = Date.now() + 60_000;
  expect((await bucket.keysBefore("some/", futureDate)).toSorted()).toEqual(["some/1", "some/2"]);
  expect(await bucket.keysBefore("some/", futureDate - 120_000)).toEqual([]);
  expect(await bucket.keysBefore("none/", futureDate)).toEqual([]);
});

test("signs every kind of request as the store expects", async () => {
  const strict = await openBucket(true);
  const otherBucket = new Bucket(strict.config);
  const key = "some of/(é) + *! %";
  await otherBucket.put(key, Buffer.from("x"));
  await otherBucket.send("large", new Blob([new Uint8Array(PART_BYTES + 1)]));
  expect(await otherBucket.sizeOf("large")).toBe(PART_BYTES + 1);
  expect(await otherBucket.keysBefore("some of/", Date.now() + 60_000)).toEqual([key]);
  expect((await otherBucket.read(key, 0, 1)).length).toBe(1);
  await otherBucket.delete(key);
  const wrong = new Bucket({ ...strict.config, secret_access_key: "another" });
  const refusal = await wrong.put("a", Buffer.from("b")).catch((error: unknown) => error);
  expect(String((refusal as Refusal).cause)).toContain("SignatureDoesNotMatch");
  await strict.close();
});

/** Uses a server that only lists, since the test bucket cannot truncate listings under Bun. */
test("lists over several pages", async () => {
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
  const otherBucket = new Bucket({ ...store.config, endpoint: paged.url.origin });
  expect(await otherBucket.keysBefore("a/", Date.now())).toEqual(keys);
  await paged.stop(true);
});

test("omits listed objects without a key or with another prefix", async () => {
  const modified = `<LastModified>${new Date(0).toISOString()}</LastModified>`;
  const objects = ["<Key>a/1</Key>", "", "<Key>b/1</Key>"];
  const listed = objects.map((key) => `<Contents>${key}${modified}</Contents>`).join("");
  const fetch = () => new Response(`<ListBucketResult>${listed}</ListBucketResult>`);
  const careless = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  const otherBucket = new Bucket({ ...store.config, endpoint: careless.url.origin });
  expect(await otherBucket.keysBefore("a/", Date.now())).toEqual(["a/1"]);
  await careless.stop(true);
});

test("returns an error with the reason if a store does not respond", async () => {
  const silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
  const silentBucket = new Bucket({ ...store.config, endpoint: silent.url.origin }, 20, 20);
  const none = new Bucket({ ...store.config, endpoint: "http://127.0.0.1:9" });
  const missingBucket = new Bucket({ ...store.config, bucket: "missing" });
  const failures: [Bucket, RegExp][] = [
    [silentBucket, /in time/],
    [none, /unable to connect/i],
    [missingBucket, /bucket does not exist/],
  ];
  for (const [bucket, reason] of failures) {
    const refusal = await bucket.put("a", Buffer.from("b")).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ errCode: "FILE_STORE_UNAVAILABLE", status: 503 });
    expect(String((refusal as Refusal).cause)).toMatch(reason);
    expect(String((refusal as Refusal).cause)).not.toContain(store.config.secret_access_key);
  }
  await silent.stop(true);
});

test("closes the connection if a store does not respond", async () => {
  const abortion = Promise.withResolvers<void>();
  let hasRequest = false;
  const silent = Bun.serve({
    port: 0,
    fetch: ({ signal }) => {
      hasRequest = true;
      signal.addEventListener("abort", () => abortion.resolve());
      return new Promise<Response>(() => {});
    },
  });
  // On a slow machine, a short time limit can end before the request has arrived.
  for (let limit_ms = 20; !hasRequest; limit_ms *= 2) {
    const bucket = new Bucket({ ...store.config, endpoint: silent.url.origin }, limit_ms, limit_ms);
    await expect(bucket.put("a", Buffer.from("b"))).rejects.toBeInstanceOf(Refusal);
  }
  await abortion.promise;
  await silent.stop(true);
});
