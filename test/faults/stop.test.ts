/** A failed start leaves nothing behind, and a stop ends hanging requests. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { canFault, Faults } from "./faults.ts";
import { organization, sendParams, ServeProcess } from "./serve-process.ts";
import { until } from "../wait-until.ts";

test("stops with a message if the control socket cannot be created", async () => {
  using testServer = await organization();
  const socket = join(testServer.directory, "control.sock");
  mkdirSync(socket);
  await using server = new ServeProcess(testServer.directory);
  expect(await server.ended).toBe(1);
  expect(server.stderrText).toEndWith(
    `skein: cannot create the control socket ${socket}: remove the directory of this name\n`,
  );
  const isRemoved = fetch(`${server.url}/livez`).then(
    () => false,
    () => true,
  );
  expect(await isRemoved).toBe(true);
});

test.skipIf(!canFault)("stops although the disk hangs", async () => {
  using faults = new Faults();
  using testServer = await organization();
  await using server = await new ServeProcess(testServer.directory, faults).untilServing();
  faults.set("hang", 1);
  const pendingPoll = server
    .request(testServer.olga, "POST /messages", sendParams("held"))
    .catch(() => "cut");
  await until(async () => (await fetch(`${server.url}/readyz`)).status !== 200);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(1);
  expect(await pendingPoll).toBe("cut");
  expect(server.stderrText).toEndWith("within 10 s. All acknowledged writes are stored.\n");
});

test("stops although a bucket hangs, and drops the request at its limit", async () => {
  const requested = Promise.withResolvers<void>();
  const silent = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => (requested.resolve(), new Promise<Response>(() => {})),
  });
  using testServer = await organization();
  const env = {
    SKEIN_S3_ENDPOINT: silent.url.origin,
    SKEIN_S3_BUCKET: "skein",
    SKEIN_S3_ACCESS_KEY_ID: "key",
    SKEIN_S3_SECRET_ACCESS_KEY: "secret",
  };
  await using server = await new ServeProcess(testServer.directory, { env }).untilServing();
  const form = new FormData();
  form.set("file", new File(["hello"], "hello.txt"));
  const { email, api_key } = testServer.olga;
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  const upload = fetch(`${server.url}/api/v1/user_uploads`, {
    method: "POST",
    headers,
    body: form,
  });
  const aborted = upload.then(
    () => false,
    () => true,
  );
  await requested.promise;
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(await aborted).toBe(true);
  await silent.stop(true);
});
