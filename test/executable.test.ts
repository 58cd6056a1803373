/** Proves that the built executable runs alone: no node_modules in reach, no environment. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { version } from "../package.json";
import { builtBinary } from "./binary.ts";

const BUILD_MS = 60_000;
const START_MS = 10_000;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-alone-"));
  copyFileSync(await builtBinary(), join(folder, "skein"));
}, BUILD_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the executable names no folder of the machine that built it", () => {
  const modules = resolve(import.meta.dir, "../node_modules");
  expect(readFileSync(join(folder, "skein")).includes(modules)).toBe(false);
});

test("the executable knows its version", async () => {
  const child = alone("version", "--json");
  const answer = await new Response(child.stdout).json();
  expect(answer).toMatchObject({ version });
  expect(await child.exited).toBe(0);
});

test(
  "the executable serves from an empty folder and stops cleanly when told to",
  async () => {
    const child = alone("serve", "--data", join(folder, "data"), "--listen", "127.0.0.1:0");
    try {
      const url = await listeningUrl(child.stdout);
      expect(await statusOnceReady(`${url}/readyz`)).toBe(200);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    } finally {
      child.kill("SIGKILL");
    }
  },
  2 * START_MS,
);

function alone(...args: string[]) {
  const env = { HOME: folder, TMPDIR: folder };
  return Bun.spawn(["./skein", ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function listeningUrl(stdout: ReadableStream<Uint8Array>) {
  let printed = "";
  const text = new TextDecoder();
  for await (const chunk of stdout) {
    printed += text.decode(chunk, { stream: true });
    const url = printed.match(/http:\/\/127\.0\.0\.1:[1-9]\d*/)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`serve ended without saying where it listens; it said: ${printed}`);
}

async function statusOnceReady(url: string) {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200 || Date.now() > deadline) return status;
    await Bun.sleep(20);
  }
}
