/** Disks that break in ways that the database cannot go on from: nothing waits for ever. */
import { expect, test } from "bun:test";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { constants } from "node:os";
import { canFault, Faults } from "./faults.ts";
import { organization, sending, Serving } from "./serving.ts";

test.skipIf(!canFault).each(["EIO", "ENOSPC"] as const)(
  "%s at the page of the last commit ends the process plainly, and nothing is lost",
  async (code) => {
    using faults = new Faults();
    using testServer = await organization();
    await using server = await new Serving(testServer.directory, faults).isUp();
    const first = await server.ask(testServer.olga, "POST /messages", sending("kept"));
    expect(first.status).toBe(200);

    faults.set("meta", constants.errno[code]);
    const second = await server
      .ask(testServer.olga, "POST /messages", sending("lost"))
      .catch(() => "cut");
    expect(second).toBe("cut");
    expect(await server.ended).toBe(1);
    expect(server.err).toContain(`skein: ${testServer.directory}: the disk refused a write`);
    expect(server.err).toEndWith("look after the disk, and start the server again.\n");

    faults.clear("meta");
    await using again = await new Serving(testServer.directory, faults).isUp();
    const query = { anchor: "newest", num_before: 2, num_after: 0, apply_markdown: false };
    const { body } = await again.ask(testServer.olga, "GET /messages", query);
    expect(body.messages.at(-1).content).toBe("kept");
    expect((await again.ask(testServer.olga, "POST /messages", sending("again"))).status).toBe(200);
  },
);

test.skipIf(!canFault)(
  "a disk that does not answer refuses writes at once, and takes them when it is back",
  async () => {
    using faults = new Faults();
    using testServer = await organization();
    await using server = await new Serving(testServer.directory, faults).isUp();
    faults.set("hang", 1);
    const held = server.ask(testServer.olga, "POST /messages", sending("held"));
    while ((await fetch(`${server.url}/readyz`)).status === 200) await Bun.sleep(100);
    const said = await (await fetch(`${server.url}/readyz`)).text();
    expect(said).toBe("writes are refused: the disk does not answer\n");
    const refused = await server.ask(testServer.olga, "POST /messages", sending("refused"));
    expect(refused).toMatchObject({ status: 503, body: { code: "STORE_FULL" } });
    expect((await server.ask(testServer.olga, "GET /users/me")).status).toBe(200);

    faults.clear("hang");
    expect((await held).status).toBe(200);
    const after = await (await fetch(`${server.url}/readyz`)).text();
    expect(after).not.toContain("does not answer");
    expect((await server.ask(testServer.olga, "POST /messages", sending("again"))).status).toBe(
      200,
    );
  },
);

test.each([
  ["deleted", (directory: string) => rmSync(directory, { recursive: true })],
  ["moved", (directory: string) => renameSync(directory, `${directory}-moved`)],
])(
  "a data directory that is %s under a running server ends it with a plain line",
  async (_how, take) => {
    using testServer = await organization();
    await using server = await new Serving(testServer.directory).isUp();
    take(testServer.directory);
    expect(await server.ended).toBe(1);
    expect(server.err).toContain(`skein: ${testServer.directory}: data.mdb is not there any more`);
    rmSync(`${testServer.directory}-moved`, { recursive: true, force: true });
  },
);

test("a directory that goes by another name goes on", async () => {
  using testServer = await organization();
  const moved = `${testServer.directory}-moved`;
  await using server = await new Serving(testServer.directory).isUp();
  renameSync(testServer.directory, moved);
  symlinkSync(moved, testServer.directory);
  expect((await server.ask(testServer.olga, "POST /messages", sending("kept"))).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  rmSync(moved, { recursive: true });
});
