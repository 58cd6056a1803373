// Follows the documentation page about a lost disk with nothing but the executable.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";
import { startTestServer } from "../test-server.ts";
import { backUpTo } from "./backup-fixture.ts";

const PAGE = join(import.meta.dir, "../../docs/operate/the-disk-is-gone.md");
/** Directory that stands for the backup disk and the data directory of the page; empty at first. */
let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "skein-gone-"));
  mkdirSync(join(root, "bin"));
  copyFileSync(await builtBinary(), join(root, "bin/skein"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function commands(): string[][] {
  const lines = readFileSync(PAGE, "utf8").matchAll(/^ +skein (.*)$/gm);
  return [...lines].map(([, args]) => {
    const localArguments = args!
      .replaceAll("/mnt/backups", join(root, "backups"))
      .replaceAll("/var/lib/skein", join(root, "lib"));
    return localArguments.split(" ");
  });
}

function run(args: string[]) {
  return Bun.spawn([join(root, "bin/skein"), ...args], {
    cwd: root,
    env: { PATH: join(root, "bin"), TMPDIR: root },
    stdout: "pipe",
    stderr: "inherit",
  });
}

test("the commands of the page restore an organization, one after another", async () => {
  const testServer = await startTestServer();
  const message = { type: "direct", to: [testServer.idOf("cy")], content: "before the disk went" };
  const { id } = await testServer.request("bo", "POST /messages", message);
  await backUpTo(testServer, join(root, "backups"));
  const userName = testServer.basicAuthorization("bo");
  await testServer.close();

  const received: string[] = [];
  const all = commands();
  expect(all.map(([name]) => name)).toEqual(["backup", "backup", "restore", "restore", "serve"]);
  for (const args of all.slice(0, -1)) {
    const child = run(args);
    received.push(await new Response(child.stdout).text());
    expect(await child.exited).toBe(0);
  }
  expect(received[1]).toContain("good");
  expect(received[2]).toContain("1 messages");
  expect(received[3]).toContain("Restored everything to");
  const server = run([...all.at(-1)!, "--listen", "127.0.0.1:0"]);
  try {
    const url = await listeningUrl(ProcessOutput.from(server.stdout));
    const response = await fetch(`${url}/api/v1/messages/${id}`, {
      headers: { Authorization: userName },
    });
    expect(await response.json()).toMatchObject({ raw_content: "before the disk went" });
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  } finally {
    server.kill("SIGKILL");
  }
});
