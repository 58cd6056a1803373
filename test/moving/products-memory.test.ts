// The memory of an import from each other product stays the same, however large the archive is.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import type { Archive } from "../../src/features/moving/archive/entries.ts";
import { partsOf } from "../../src/features/moving/archive/json-tables.ts";
import { ProcessOutput } from "../process-output.ts";
import { MESSAGE_WRITERS } from "./many-messages.ts";

const MESSAGES = 16_000;
/** Much less than the messages between the first and the last measurement need. */
const GROWTH_BYTES_MAX = 6 * 1_048_576;
/** Code is compiled first; after that, the heap size varies. */
const WARM_UP_LOOKS = 5;
const MEASUREMENTS = 5;

const folder = mkdtempSync(join(tmpdir(), "skein-products-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

test.each(Object.keys(MESSAGE_WRITERS))(
  "imports many messages of %s with the same memory",
  async (product) => {
    const [from, data] = [join(folder, product), join(folder, `${product} data`)];
    mkdirSync(from);
    await MESSAGE_WRITERS[product]!(from, MESSAGES);
    const owner = { email: "olga@example.com", full_name: "Olga" };
    await executeCommand(data, "init", { name: "Town", owner });
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "measure-heap-child.ts"), from, data],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const printed = ProcessOutput.from(child.stdout);
    expect(await child.exited).toBe(0);
    const lines = await printed.untilMatch((all) => all.trim().split("\n"));
    const warmHeaps = lines.map(Number).slice(WARM_UP_LOOKS);
    expect(warmHeaps.length).toBeGreaterThanOrEqual(2 * MEASUREMENTS);
    const [first, last] = [warmHeaps.slice(0, MEASUREMENTS), warmHeaps.slice(-MEASUREMENTS)];
    expect(Math.min(...last) - Math.min(...first)).toBeLessThan(GROWTH_BYTES_MAX);
  },
);
