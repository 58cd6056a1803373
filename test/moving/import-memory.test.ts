// The memory of an import stays the same, however large the archive is.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import type { Archive } from "../../src/features/moving/archive/entries.ts";
import { partsOf } from "../../src/features/moving/archive/json-tables.ts";
import { ProcessOutput } from "../process-output.ts";
import { countOf, IS_LONG_RUN } from "../repetitions.ts";
import { MESSAGE_WRITERS } from "./many-messages.ts";
import { type Command, ROWS_PER_SAMPLE, type Sample } from "./measure-heap-child.ts";
import { START, USERS } from "./slack-fixture.ts";
import { manyFiles, tarOf } from "./zulip-fixture.ts";

/** Rows before the first sample, during which code is compiled and caches are filled. */
const WARM_UP_ROWS = IS_LONG_RUN ? 8_000 : 2_000;
const SAMPLES = countOf("import_samples");
/** Takes no sample in the last batch, since nothing is read while it is written. */
const MESSAGES = WARM_UP_ROWS + SAMPLES * ROWS_PER_SAMPLE;
/** Messages per thread. Threads are rare, because the import keeps their topics in memory. */
const PER_THREAD = 100;
/** A leak keeps at least one object per row. */
const OBJECTS_PER_ROW_MAX = 0.5;
/** Exports of Zulip have files of 1,000 messages, which are read as a whole. */
const ROWS_PER_FILE = 1_000;
const GROWTH_BYTES_MAX = (IS_LONG_RUN ? 6 : 3) * 1_048_576;
const COMPARED = SAMPLES / 2;
const DAY_SECONDS = 86_400;
const PRODUCTS = ["slack", "mattermost", "jsonl", "zulip", ...Object.keys(MESSAGE_WRITERS)];

const folder = mkdtempSync(join(tmpdir(), "skein-import-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Some messages begin a thread of three. */
function writeExport(path: string): void {
  mkdirSync(join(path, "general"), { recursive: true });
  const members = USERS.map(({ id }) => id);
  const write = (name: string, value: unknown) =>
    writeFileSync(join(path, name), JSON.stringify(value));
  write("users.json", USERS);
  write("channels.json", [{ id: "C0GEN", name: "general", members }]);
  for (let day = 0; day * ROWS_PER_FILE < MESSAGES; day++) {
    const length = Math.min(ROWS_PER_FILE, MESSAGES - day * ROWS_PER_FILE);
    const rows = Array.from({ length }, (_, index) => {
      const tsOf = (index: number) => `${START + day * DAY_SECONDS + index}.000100`;
      const root = index - (index % PER_THREAD);
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

/** Posts in random order of time, some with two replies. */
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
    const replies = index % PER_THREAD === 0 ? [reply, { ...reply, message: "no" }] : [];
    const post = { team: "acme", channel: "town", user: "ann", message, create_at, replies };
    lines.push({ type: "post", post });
  }
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(join(path, "import.jsonl"), text);
}

let samples: ReadonlyMap<string, readonly Sample[]>;

beforeAll(async () => {
  const owner = { email: "olga@example.com", full_name: "Olga" };
  const archiveOf = (product: string) => join(folder, product);
  const dataOf = (product: string) => join(folder, `${product} data`);
  writeExport(archiveOf("slack"));
  writePosts(archiveOf("mattermost"));
  writeFileSync(archiveOf("zulip"), tarOf(manyFiles(MESSAGES)));
  for (const [product, write] of Object.entries(MESSAGE_WRITERS)) {
    mkdirSync(archiveOf(product));
    await write(archiveOf(product), MESSAGES, PER_THREAD);
  }
  for (const product of PRODUCTS) {
    const isFounded = product === "jsonl" || product === "zulip";
    if (!isFounded) await executeCommand(dataOf(product), "init", { name: "Town", owner });
  }
  const commands = PRODUCTS.flatMap((product): Command[] => {
    const exported = {
      name: "exportJsonl",
      data: dataOf("slack"),
      input: { to: archiveOf("jsonl") },
    } as const;
    const imported = {
      name: "runImport",
      data: dataOf(product),
      input: { from: archiveOf(product) },
    } as const;
    return product === "jsonl" ? [exported, imported] : [imported];
  });
  const script = join(import.meta.dir, "measure-heap-child.ts");
  const caches = IS_LONG_RUN ? "full" : "small";
  const args = [caches, String(WARM_UP_ROWS), JSON.stringify(commands)];
  const child = Bun.spawn([process.execPath, script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = await ProcessOutput.from(child.stdout).readWhole();
  expect(await child.exited).toBe(0);
  const lines = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Sample[]);
  const imports = lines.filter((_, index) => commands[index]!.name === "runImport");
  samples = new Map(PRODUCTS.map((product, index) => [product, imports[index]!]));
});

test.each(PRODUCTS)(
  "imports with the same memory for few and for many messages of %s",
  (product) => {
    const all = samples.get(product)!.slice(0, SAMPLES);
    expect(all).toHaveLength(SAMPLES);
    const lowestOf = (part: readonly Sample[]) => Math.min(...part.map(({ bytes }) => bytes));
    const growth = lowestOf(all.slice(-COMPARED)) - lowestOf(all.slice(0, COMPARED));
    expect(growth).toBeLessThan(GROWTH_BYTES_MAX);
    if (IS_LONG_RUN) return;
    const steps = ROWS_PER_FILE / ROWS_PER_SAMPLE;
    const growths = all
      .slice(steps)
      .map(
        ({ objects, rows }, index) => (objects - all[index]!.objects) / (rows - all[index]!.rows),
      )
      .sort((a, b) => a - b);
    // The median, since the engine sometimes discards strings of code.
    expect(growths[growths.length >> 1]).toBeLessThan(OBJECTS_PER_ROW_MAX);
  },
);

test("finds the fields of a file with a long string in little memory", async () => {
  const [piece, pieces] = [Buffer.alloc(65_536, "a"), 4_096];
  let growth = 0;
  const archive: Archive = {
    sizes: new Map(),
    async *stream() {
      yield Buffer.from('{"guild":"');
      const { rss } = process.memoryUsage();
      for (let index = 0; index < pieces; index++) yield piece;
      growth = process.memoryUsage().rss - rss;
      yield Buffer.from('","messages":[]}');
    },
    async close() {},
  };
  const parts = await partsOf(archive, "general.json");
  expect([...parts.keys()]).toEqual(["guild", "messages"]);
  // The string has four times as many bytes.
  expect(growth).toBeLessThan(64 * 1_048_576);
});
