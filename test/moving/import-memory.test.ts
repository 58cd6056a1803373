// The memory of an import stays the same, however large the archive is.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { ProcessOutput } from "../process-output.ts";
import { START, USERS } from "./slack-fixture.ts";
import { manyFiles, tarOf } from "./zulip-fixture.ts";

const MESSAGES = 24_000;
const DAY_MESSAGES = 1_000;
const DAY_SECONDS = 86_400;
const THREAD_MESSAGES = 10;
/** Much less than the messages between the first and the last measurement need. */
const GROWTH_BYTES_MAX = 6 * 1_048_576;
/** Code is compiled first; after that, the heap size varies. */
const WARM_UP_LOOKS = 8;
const MEASUREMENTS = 8;

const folder = mkdtempSync(join(tmpdir(), "skein-import-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every tenth message begins a thread of three. */
function writeExport(path: string): void {
  mkdirSync(join(path, "general"), { recursive: true });
  const members = USERS.map(({ id }) => id);
  const write = (name: string, value: unknown) =>
    writeFileSync(join(path, name), JSON.stringify(value));
  write("users.json", USERS);
  write("channels.json", [{ id: "C0GEN", name: "general", members }]);
  for (let day = 0; day * DAY_MESSAGES < MESSAGES; day++) {
    const rows = Array.from({ length: DAY_MESSAGES }, (_, index) => {
      const tsOf = (index: number) => `${START + day * DAY_SECONDS + index}.000100`;
      const root = index - (index % THREAD_MESSAGES);
      const isRoot = root === index;
      const thread = index - root < 3 && {
        thread_ts: tsOf(root),
        ...(isRoot && { reply_count: 2 }),
      };
      const text = `message ${day} ${index} ${"words of some length ".repeat(10)}`;
      return {
        type: "message",
        user: members[index % members.length],
        ts: tsOf(index),
        text,
        ...thread,
      };
    });
    const date = new Date((START + day * DAY_SECONDS) * 1000).toISOString().slice(0, 10);
    write(`general/${date}.json`, rows);
  }
}

/** Posts in random order of time, every tenth with two replies. */
function writePosts(path: string): void {
  mkdirSync(path);
  const user = (username: string) => {
    const teams = [{ name: "acme", channels: [{ name: "town" }] }];
    return { type: "user", user: { username, email: `${username}@example.com`, teams } };
  };
  const lines: object[] = [
    { type: "version", version: 1 },
    { type: "team", team: { name: "acme", display_name: "Acme" } },
    { type: "channel", channel: { team: "acme", name: "town", display_name: "Town", type: "O" } },
    ...["ann", "ben"].map(user),
  ];
  for (let index = 0; index < MESSAGES; index++) {
    const create_at = (START + ((index * 7_919) % MESSAGES)) * 1_000;
    const message = `post ${index} ${"words of some length ".repeat(10)}`;
    const reply = { user: "ben", message: "yes", create_at: create_at + 1 };
    const replies = index % THREAD_MESSAGES === 0 ? [reply, { ...reply, message: "no" }] : [];
    const post = { team: "acme", channel: "town", user: "ann", message, create_at, replies };
    lines.push({ type: "post", post });
  }
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(join(path, "import.jsonl"), text);
}

async function heapsOf(from: string, data: string): Promise<number[]> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "measure-heap-child.ts"), from, data],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const printed = ProcessOutput.from(child.stdout);
  expect(await child.exited).toBe(0);
  return (await printed.untilMatch((lines) => lines.trim().split("\n"))).map(Number);
}

test("imports with the same memory for few and for many messages", async () => {
  const [slack, data] = [join(folder, "slack"), join(folder, "data")];
  writeExport(slack);
  const owner = { email: "olga@example.com", full_name: "Olga" };
  await executeCommand(data, "init", { name: "Town", owner });
  const zulip = join(folder, "zulip.tar.gz");
  writeFileSync(zulip, tarOf(manyFiles(MESSAGES)));
  const exported = join(folder, "export");
  const runs = [await heapsOf(slack, data)];
  await executeCommand(data, "exportJsonl", { to: exported });
  const mattermost = join(folder, "mattermost");
  writePosts(mattermost);
  await executeCommand(join(folder, "other"), "init", { name: "Town", owner });
  runs.push(await heapsOf(mattermost, join(folder, "other")));
  runs.push(await heapsOf(exported, join(folder, "new")));
  runs.push(await heapsOf(zulip, join(folder, "from-zulip")));
  for (const heaps of runs) {
    expect(heaps.length).toBeGreaterThanOrEqual(WARM_UP_LOOKS + 2 * MEASUREMENTS);
    const warmHeaps = heaps.slice(WARM_UP_LOOKS);
    const [first, last] = [warmHeaps.slice(0, MEASUREMENTS), warmHeaps.slice(-MEASUREMENTS)];
    expect(Math.min(...last) - Math.min(...first)).toBeLessThan(GROWTH_BYTES_MAX);
  }
});
