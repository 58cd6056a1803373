// The memory of an import stays the same, however large the archive is.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { carryOut } from "../../src/commands/control.ts";
import { Printed } from "../printed.ts";
import { START, USERS } from "./slack-fixture.ts";

const MESSAGES = 24_000;
const DAY_MESSAGES = 1_000;
const DAY_SECONDS = 86_400;
const THREAD_MESSAGES = 10;
/** Much less than the records of the messages between the first and the last look. */
const GROWTH_BYTES_MAX = 6 * 1_048_576;
/** At first, code is compiled; later, the heap goes up and down by itself. */
const WARM_UP_LOOKS = 8;
const LOOKS = 8;

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
    const rows = Array.from({ length: DAY_MESSAGES }, (_, at) => {
      const tsOf = (nth: number) => `${START + day * DAY_SECONDS + nth}.000100`;
      const root = at - (at % THREAD_MESSAGES);
      const isRoot = root === at;
      const thread = at - root < 3 && { thread_ts: tsOf(root), ...(isRoot && { reply_count: 2 }) };
      const text = `message ${day} ${at} ${"words of some length ".repeat(10)}`;
      return { type: "message", user: members[at % members.length], ts: tsOf(at), text, ...thread };
    });
    const date = new Date((START + day * DAY_SECONDS) * 1000).toISOString().slice(0, 10);
    write(`general/${date}.json`, rows);
  }
}

async function heapsOf(from: string, data: string): Promise<number[]> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "heap-in-child.ts"), from, data],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const printed = Printed.from(child.stdout);
  expect(await child.exited).toBe(0);
  return (await printed.until((lines) => lines.trim().split("\n"))).map(Number);
}

test("imports with the same memory for few and for many messages", async () => {
  const [slack, data] = [join(folder, "slack"), join(folder, "data")];
  writeExport(slack);
  const owner = { email: "olga@example.com", full_name: "Olga" };
  await carryOut(data, "init", { name: "Town", owner });
  const exported = join(folder, "export");
  const runs = [await heapsOf(slack, data)];
  await carryOut(data, "exportJsonl", { to: exported });
  runs.push(await heapsOf(exported, join(folder, "new")));
  for (const heaps of runs) {
    expect(heaps.length).toBeGreaterThanOrEqual(WARM_UP_LOOKS + 2 * LOOKS);
    const warm = heaps.slice(WARM_UP_LOOKS);
    const [first, last] = [warm.slice(0, LOOKS), warm.slice(-LOOKS)];
    expect(Math.min(...last) - Math.min(...first)).toBeLessThan(GROWTH_BYTES_MAX);
  }
});
