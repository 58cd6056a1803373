// Resumable uploads: started, continued after an interruption, completed and cancelled.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { purgeFiles } from "../../src/features/files/purge.ts";
import { UPLOAD_SECONDS } from "../../src/features/files/quota.ts";
import type { Name } from "../users.ts";
import { noise } from "../random.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { post, read, striped } from "./upload-fixture.ts";

/** Pause between two polls of the server. */
const WAIT_MS = 20;

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer({ max_upload_mib: 1, upload_quota_mib: 1 });
});
afterEach(() => testServer.close());

/** Sends a tus request. `line` is as in `testServer.send`, or contains a full URL. */
function tus(
  name: Name,
  line: string,
  headers: Record<string, string> = {},
  body: BodyInit | null = null,
): Promise<Response> {
  const [method, path] = line.split(" ") as [string, string];
  const url = path.startsWith("http") ? path : `${testServer.url}/api/v1${path}`;
  const own = { Authorization: testServer.basicAuthorization(name), "Tus-Resumable": "1.0.0" };
  return fetch(url, { method, headers: { ...own, ...headers }, body });
}

const uploadMetadata = (name: string, type: string) =>
  `filename ${btoa(name)},filetype ${btoa(type)},relativePath bnVsbA==`;

async function startUpload(
  size: number,
  metadata = uploadMetadata("a file.bin", "application/x-a"),
) {
  const headers = { "Upload-Length": String(size), "Upload-Metadata": metadata };
  const response = await tus("bo", "POST /tus/", headers);
  expect(response.status).toBe(201);
  return response.headers.get("location")!;
}

const add = (location: string, offset: number, bytes: BodyInit, name: Name = "bo") =>
  tus(
    name,
    `PATCH ${location}`,
    { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
    bytes,
  );

const offsetOf = async (location: string) =>
  Number((await tus("bo", `HEAD ${location}`)).headers.get("upload-offset"));

async function expectRefused(response: Promise<Response>, status: number) {
  const { message, ...rest } = (await (await response).json()) as Record<string, unknown>;
  expect(rest["code"]).toBe("BAD_REQUEST");
  expect([(await response).status, message]).toEqual([status, rest["msg"]]);
  expect((await response).headers.get("tus-resumable")).toBe("1.0.0");
  expect(realmErrors.tusRefused(status, String(message)).message).toBe(String(message));
}

test("uploads a file in parts, across a restart, like any other file", async () => {
  const bytes = noise(1000);
  const location = await startUpload(bytes.length);
  expect(location).toMatch(/\/api\/v1\/tus\/1\/[0-9a-f]{2}\/[\w-]{24}\/a-file\.bin$/);
  const first = await add(location, 0, bytes.subarray(0, 400));
  expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "400"]);
  const url = new URL(location);
  await testServer.restart();
  const repeated = `${testServer.url}${url.pathname}`;
  expect(await offsetOf(repeated)).toBe(400);
  const { result, events } = await staysInSync(testServer, ["bo", "cy"], () =>
    add(repeated, 400, bytes.subarray(400)),
  );
  expect(result.status).toBe(200);
  const file = (await result.json()) as { url: string; filename: string };
  expect(file).toMatchObject({ filename: "a file.bin" });
  expect(location.endsWith(file.url.replace("/user_uploads", ""))).toBe(true);
  expect(events.bo).toMatchObject([{ type: "attachment", op: "add" }]);
  expect(events.cy).toEqual([]);
  const response = await read(testServer, "bo", file.url);
  expect(response.headers.get("content-type")).toBe("application/x-a");
  expect(await response.bytes()).toEqual(bytes);
  await expectRefused(tus("bo", `DELETE ${repeated}`), 403);
  await expectRefused(add(repeated, 1000, "x"), 403);
});

test("encodes names in ASCII, and detects images", async () => {
  const bytes = striped(30, 20);
  const name = Buffer.from("Ünï (1).png").toString("base64");
  const location = await startUpload(bytes.length, `filename ${name}`);
  expect(location).toEndWith("/n-1.png");
  const { url } = (await (await add(location, 0, bytes)).json()) as { url: string };
  const thumbnail = await read(
    testServer,
    "bo",
    `${url.replace("uploads/", "uploads/thumbnail/")}/x`,
  );
  expect(thumbnail.headers.get("content-type")).toBe("image/webp");
});

test("rejects parts at a wrong offset, and keeps what has arrived", async () => {
  const location = await startUpload(10);
  await add(location, 0, "abcd");
  await expectRefused(add(location, 3, "x"), 409);
  await expectRefused(add(location, 5, "x"), 409);
  await expectRefused(add(location, 4, "x".repeat(7)), 413);
  expect(await offsetOf(location)).toBe(4);
  await expectRefused(tus("bo", `PATCH ${location}`, { "Upload-Offset": "4" }, "efgh"), 415);
  expect((await add(location, 4, "efghij")).status).toBe(200);
});

test("rejects one of two simultaneous parts", async () => {
  const location = await startUpload(10);
  let end = () => {};
  const slow = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from("abcd"));
      end = () => controller.close();
    },
  });
  const first = add(location, 0, slow);
  while ((await offsetOf(location)) < 4) await Bun.sleep(WAIT_MS);
  await expectRefused(add(location, 0, "x"), 423);
  await expectRefused(tus("bo", `DELETE ${location}`), 423);
  end();
  expect((await first).headers.get("upload-offset")).toBe("4");
});

test("lets only the user who started an upload continue it", async () => {
  const location = await startUpload(10);
  await expectRefused(add(location, 0, "abcd", "cy"), 404);
  await expectRefused(tus("cy", `GET ${location}`), 404);
  await expectRefused(tus("cy", `DELETE ${location}`), 404);
  expect((await fetch(location, { method: "HEAD" })).status).toBe(401);
  expect((await tus("bo", `DELETE ${location}`)).status).toBe(204);
  await expectRefused(tus("bo", `GET ${location}`), 404);
});

test("rejects an upload that cannot succeed", async () => {
  const length = { "Upload-Length": "5" };
  expect((await add(await startUpload(5), 0, "apple")).status).toBe(200);
  await expectRefused(tus("bo", "POST /tus/"), 411);
  await expectRefused(tus("bo", "POST /tus/", { ...length, "Upload-Defer-Length": "1" }), 411);
  await expectRefused(tus("bo", "POST /tus/", { "Upload-Length": String(2 ** 20 + 1) }), 413);
  await expectRefused(tus("bo", "POST /tus/", { "Upload-Length": String(2 ** 20) }), 413);
  await expectRefused(tus("bo", "POST /tus/", { ...length, "Tus-Resumable": "0.2.2" }), 412);
  const start = () => tus("cy", "POST /tus/", length);
  for (let i = 0; i < 20; i++) expect((await start()).status).toBe(201);
  await expectRefused(start(), 429);
});

test("reserves the declared length, so that open uploads together fit the quota", async () => {
  const half = { "Upload-Length": String(2 ** 19) };
  const first = await startUpload(2 ** 19);
  expect((await tus("cy", "POST /tus/", half)).status).toBe(201);
  await expectRefused(tus("bo", "POST /tus/", { "Upload-Length": "1" }), 413);
  // A regular upload is limited by the same reservations.
  const full = await post(testServer, "mo", "POST /user_uploads", [{ name: "x", bytes: noise(1) }]);
  expect(full).toMatchObject({ status: 413, code: "REALM_UPLOAD_QUOTA" });
  expect((await add(first, 0, noise(2 ** 19))).status).toBe(200);
  expect((await testServer.request("bo", "GET /attachments")).upload_space_used).toBe(2 ** 19);
  await expectRefused(tus("bo", "POST /tus/", { "Upload-Length": "1" }), 413);
});

test("frees the reservation of an upload that is deleted", async () => {
  const first = await startUpload(2 ** 20);
  await expectRefused(tus("cy", "POST /tus/", { "Upload-Length": "1" }), 413);
  await tus("bo", `DELETE ${first}`);
  await startUpload(2 ** 20);
});

test("returns when an upload expires, and deletes it with its bytes then", async () => {
  const response = await tus("bo", "POST /tus/", { "Upload-Length": String(2 ** 20) });
  const expires = Date.parse(response.headers.get("upload-expires")!);
  expect(expires - testServer.clock.now()).toBeWithin(
    UPLOAD_SECONDS * 1000 - 2000,
    UPLOAD_SECONDS * 1000 + 1,
  );
  const location = response.headers.get("location")!;
  await add(location, 0, noise(1000));
  testServer.clock.passSeconds(UPLOAD_SECONDS + 2);
  await expectRefused(add(location, 1000, noise(1000)), 410);
  await startUpload(2 ** 20);
  await purgeFiles(testServer.realm);
  const folder = join(testServer.directory, "data/uploads/drafts");
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes).toEqual([0]);
  expect(testServer.realm.read.resumable_uploads.countBy("user", testServer.idOf("bo"))).toBe(1);
});

test("has the routes POST /tus/, GET /tus/x, PATCH /tus/x and DELETE /tus/x", async () => {
  const response = await tus("bo", "OPTIONS /tus/x");
  expect(response.headers.get("allow")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
});
