// 256 MB of memory are enough, whatever images and responses are processed at once.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Budget } from "../src/pictures/memory.ts";
import { linesOf, MAIN, skein } from "./commands/skein.ts";
import { striped } from "./features/upload-fixture.ts";
import { listeningUrl, ProcessOutput } from "./process-output.ts";

const MEMORY_BYTES = 268_435_456;
const GROUPS = "/sys/fs/cgroup/memory";
const SEND_AT_ONCE = 40;

/** A control group with this memory limit; undefined if none can be created. */
function memoryConfinement(): string | undefined {
  const group = join(GROUPS, `skein-test-${process.pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, "memory.limit_in_bytes"), String(MEMORY_BYTES));
    return group;
  } catch {
    return undefined;
  }
}

const group = memoryConfinement();
const folder = mkdtempSync(join(tmpdir(), "skein-memory-"));
let server: Bun.Subprocess<"ignore", "pipe", "inherit">;
let url: string;
let headers: Record<string, string>;

beforeAll(async () => {
  if (group === undefined) return;
  const data = join(folder, "data");
  const person = ["--owner", "olga@example.com", "--full-name", "Olga"];
  const created = await skein(["init", "--data", data, "--name", "Town", ...person, "--json"]);
  const { api_key } = linesOf(created)[0]!;
  headers = { Authorization: `Basic ${btoa(`olga@example.com:${String(api_key)}`)}` };
  const serve = [process.execPath, MAIN, "serve", "--data", data, "--listen", "127.0.0.1:0"];
  const within = ["sh", "-c", `echo $$ > ${group}/cgroup.procs; exec "$@"`, "sh"];
  server = Bun.spawn([...within, ...serve, "--rate-limits", "off"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = await listeningUrl(ProcessOutput.from(server.stdout));
});
afterAll(async () => {
  server?.kill("SIGKILL");
  await server?.exited;
  if (group !== undefined) rmdirSync(group);
  rmSync(folder, { recursive: true, force: true });
});

async function isUploaded(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const form = new FormData();
  form.append("file", new File([bytes], "x.png", { type: "image/png" }));
  const response = await fetch(`${url}/api/v1/user_uploads`, {
    method: "POST",
    headers,
    body: form,
  });
  const { url: path } = (await response.json()) as { url: string };
  const status = await fetch(
    `${url}/api/v1/thumbnail/status${path.slice("/user_uploads".length)}`,
    {
      headers,
    },
  );
  return ((await status.json()) as { has_thumbnail: boolean }).has_thumbnail;
}

async function isResponding(): Promise<boolean> {
  const control = readFileSync(join(group!, "memory.oom_control"), "utf8");
  const { ok } = await fetch(`${url}/livez`);
  return ok && !/^oom_kill [1-9]/m.test(control) && server.exitCode === null;
}

const largePicture = () => striped(11_000, 8_180);

test.skipIf(!group)("treats a picture that is too large for memory as a plain file", async () => {
  expect(await isUploaded(largePicture())).toBe(false);
  expect(await isResponding()).toBe(true);
});

test.skipIf(!group)("creates thumbnails of eight pictures at once", async () => {
  const bytes = striped(4_900, 3_900);
  const forms = await Promise.all(Array.from({ length: 8 }, () => isUploaded(bytes)));
  expect(forms).toEqual(Array(8).fill(true));
  expect(await isResponding()).toBe(true);
});

test.skipIf(!group)("returns twelve responses of eight megabytes", async () => {
  const content = "x".repeat(9_900);
  const post = () => {
    const message = { type: "direct", to: "[]", content };
    const body = new URLSearchParams({ ...message, to: '["olga@example.com"]' });
    return fetch(`${url}/api/v1/messages`, { method: "POST", headers, body });
  };
  for (let sentCount = 0; sentCount < 840; sentCount += SEND_AT_ONCE) {
    const responses = await Promise.all(Array.from({ length: SEND_AT_ONCE }, post));
    expect(responses.every(({ ok }) => ok)).toBe(true);
  }
  const query = "anchor=newest&num_before=840&num_after=0&apply_markdown=false";
  const plain = { headers: { ...headers, "Accept-Encoding": "identity" } };
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => fetch(`${url}/api/v1/messages?${query}`, plain)),
  );
  const sizes = await Promise.all(
    responses.map(async (response) => (await response.bytes()).length),
  );
  expect(Math.min(...sizes)).toBeGreaterThan(8_000_000);
  expect(await isResponding()).toBe(true);
});

test("picture work waits for memory, and rejects what never fits", async () => {
  const budget = new Budget(100);
  let [under, max] = [0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (bytes: number) => async () => {
    max = Math.max(max, (under += bytes));
    await promise;
    under -= bytes;
  };
  const all = [60, 30, 50, 10, 100].map((bytes) => budget.run(bytes, work(bytes)));
  await Bun.sleep(0);
  expect(under).toBe(90);
  resolve();
  await Promise.all(all);
  expect([under, max]).toEqual([0, 100]);
  expect(budget.run(101, work(101))).rejects.toThrow("101 bytes");
});
