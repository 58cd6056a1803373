/** Disk errors from which the database cannot recover: no request waits forever. */
import { expect, test } from "bun:test";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { constants } from "node:os";
import { canFault, Faults } from "./faults.ts";
import { organization, sendParams, ServeProcess } from "./serve-process.ts";
import { until } from "../wait-until.ts";

test.skipIf(!canFault).each(["EIO", "ENOSPC"] as const)(
  "%s at the page of the last commit ends the process without loss",
  async (code) => {
    using faults = new Faults();
    using testServer = await organization();
    await using server = await new ServeProcess(testServer.directory, faults).untilServing();
    const first = await server.request(testServer.olga, "POST /messages", sendParams("kept"));
    expect(first.status).toBe(200);

    faults.set("meta", constants.errno[code]);
    const second = await server
      .request(testServer.olga, "POST /messages", sendParams("lost"))
      .catch(() => "cut");
    expect(second).toBe("cut");
    expect(await server.ended).toBe(1);
    expect(server.stderrText).toContain(
      `skein: ${testServer.directory}: the disk rejected a write`,
    );
    expect(server.stderrText).toEndWith("Check the disk, and start the server again.\n");

    faults.clear("meta");
    await using restarted = await new ServeProcess(testServer.directory, faults).untilServing();
    const query = { anchor: "newest", num_before: 2, num_after: 0, apply_markdown: false };
    const { body } = await restarted.request(testServer.olga, "GET /messages", query);
    expect(body.messages.at(-1).content).toBe("kept");
    expect(
      (await restarted.request(testServer.olga, "POST /messages", sendParams("again"))).status,
    ).toBe(200);
  },
);

test.skipIf(!canFault)(
  "rejects writes at once while the disk hangs, and accepts them afterwards",
  async () => {
    using faults = new Faults();
    using testServer = await organization();
    await using server = await new ServeProcess(testServer.directory, faults).untilServing();
    faults.set("hang", 1);
    const pendingSend = server.request(testServer.olga, "POST /messages", sendParams("held"));
    await until(async () => (await fetch(`${server.url}/readyz`)).status !== 200);
    const text = await (await fetch(`${server.url}/readyz`)).text();
    expect(text).toBe("writes are rejected: the disk does not respond\n");
    const refusal = await server.request(testServer.olga, "POST /messages", sendParams("refused"));
    expect(refusal).toMatchObject({ status: 503, body: { code: "STORE_FULL" } });
    expect((await server.request(testServer.olga, "GET /users/me")).status).toBe(200);

    faults.clear("hang");
    expect((await pendingSend).status).toBe(200);
    const after = await (await fetch(`${server.url}/readyz`)).text();
    expect(after).not.toContain("does not answer");
    expect(
      (await server.request(testServer.olga, "POST /messages", sendParams("again"))).status,
    ).toBe(200);
  },
);

test.each([
  ["deleted", (directory: string) => rmSync(directory, { recursive: true })],
  ["moved", (directory: string) => renameSync(directory, `${directory}-moved`)],
])(
  "a data directory that is %s under a running server ends it with a plain line",
  async (_how, take) => {
    using testServer = await organization();
    await using server = await new ServeProcess(testServer.directory).untilServing();
    take(testServer.directory);
    expect(await server.ended).toBe(1);
    expect(server.stderrText).toContain(
      `skein: ${testServer.directory}: data.mdb no longer exists`,
    );
    rmSync(`${testServer.directory}-moved`, { recursive: true, force: true });
  },
);

test("continues when the directory is renamed", async () => {
  using testServer = await organization();
  const movedDirectory = `${testServer.directory}-moved`;
  await using server = await new ServeProcess(testServer.directory).untilServing();
  renameSync(testServer.directory, movedDirectory);
  symlinkSync(movedDirectory, testServer.directory);
  expect((await server.request(testServer.olga, "POST /messages", sendParams("kept"))).status).toBe(
    200,
  );
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  rmSync(movedDirectory, { recursive: true });
});
