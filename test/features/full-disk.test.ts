// On a full disk, uploads fail with a clear error, and requests that need no space succeed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { storeFull } from "../../src/contract/errors/general.ts";
import { canMount, type SmallDisk, smallFileSystem } from "../crash/small-disk.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { post, read, striped } from "./upload-fixture.ts";

const MIB = 1_048_576;

let testServer: TestServer;
let small: SmallDisk | undefined;
beforeAll(async () => {
  testServer = await startTestServer();
  if (!canMount()) return;
  small = smallFileSystem();
  const uploads = join(small.directory, "uploads");
  mkdirSync(uploads);
  symlinkSync(uploads, join(testServer.directory, "data/uploads"));
});
afterAll(async () => {
  await testServer.close();
  small?.[Symbol.dispose]();
});

const ready = async () => {
  const response = await read(testServer, null, "/readyz");
  return [response.status, await response.text()];
};

test.skipIf(!canMount())(
  "uploads answer STORE_FULL, and /readyz says so for a minute",
  async () => {
    const large = { name: "x.bin", bytes: new Uint8Array(2 * MIB) };
    const refusal = await post(testServer, "bo", "POST /user_uploads", [large]);
    const { errCode, message, status } = storeFull("");
    expect(refusal).toMatchObject({ status, code: errCode, msg: message });
    expect(readdirSync(join(testServer.directory, "data/uploads/drafts"))).toEqual([]);
    expect(await ready()).toEqual([503, "the disk is full; refused: uploads\n"]);
    const params = { type: "stream", to: "general", topic: "disk", content: "it is full" };
    await testServer.request("bo", "POST /messages", params);
    const tiny = { name: "p.png", bytes: striped(3, 2) };
    expect((await post(testServer, "bo", "POST /user_uploads", [tiny])).status).toBe(200);
    testServer.clock.passSeconds(61);
    expect(await ready()).toEqual([200, "ok\n"]);
    small!.makeRoom(process.pid);
    expect((await post(testServer, "bo", "POST /user_uploads", [large])).status).toBe(200);
  },
);
