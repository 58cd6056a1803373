/** Records which browser tests execute which files of the client, in test/check/executed.json. */
// bun test/check/record-executed.ts   takes about as long as all browser tests
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient } from "../../src/assets/build.ts";
import { packCachedClient } from "../built-client.ts";
import { HANG_MS } from "../patience.ts";
import type { PageCoverage } from "../web/coverage.ts";
import { executedSections, type ScriptSection, sectionsOf } from "../web/sections.ts";
import { browserTestsOf, sourcesOf } from "./changed.ts";
import { recordingOf } from "./executed.ts";
import { groupsOf } from "./groups.ts";
import { usageAt } from "./report.ts";

const ROOT = join(import.meta.dir, "../..");
const RECORD = join(import.meta.dir, "executed.json");
/** Code that a change may affect, unlike packages. */
const OWN = /^src\//;

const sources = sourcesOf(ROOT);
const pendingGroups = groupsOf(browserTestsOf(sources), sources);
const functions = new Map<string, Map<string, Set<number>>>();
const cpu_s: Record<string, number> = {};
const folder = mkdtempSync(join(tmpdir(), "skein-executed-"));
const client = join(folder, "client");
// Names of functions and files remain in it.
const files = await buildClient({ minify: false });
writeFileSync(client, packCachedClient(files, ""));
const text = new TextDecoder();
const sections: ReadonlyMap<string, readonly ScriptSection[]> = new Map(
  files
    .filter(({ path }) => path.endsWith(".js"))
    .map(({ path, bytes }) => [path, sectionsOf(text.decode(bytes))]),
);
const work = async () => {
  for (let group = pendingGroups.pop(); group; group = pendingGroups.pop())
    await record(group, pendingGroups.length);
};
await Promise.all(Array.from({ length: availableParallelism() }, work));
writeFileSync(RECORD, `${JSON.stringify(recordingOf(functions, cpu_s), null, 2)}\n`);
rmSync(folder, { recursive: true });

/** Tests that fail, such as those of the client's size, are recorded all the same. */
async function record(group: readonly string[], index: number): Promise<void> {
  const [coverage, usage] = [join(folder, `${index}.coverage`), join(folder, `${index}.usage`)];
  const tests = group.map((file) => `./${file}`);
  const child = Bun.spawn([process.execPath, "test", `--timeout=${HANG_MS}`, ...tests], {
    cwd: ROOT,
    env: { ...process.env, TEST_CLIENT: client, TEST_COVERAGE: coverage, TEST_USAGE: usage },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await child.exited;
  for (const [test, ms] of Object.entries(usageAt(usage)?.cpu_ms ?? {})) cpu_s[test] = ms / 1000;
  const lines = existsSync(coverage) ? readFileSync(coverage, "utf8").trim().split("\n") : [];
  for (const line of lines) add(JSON.parse(line) as PageCoverage);
  console.log(`${group.join(" ")}: ${lines.length} pages`);
}

function add({ test, covered }: PageCoverage): void {
  const own = functions.get(test) ?? new Map<string, Set<number>>();
  functions.set(test, own);
  for (const [path, offsets] of Object.entries(executedSections(covered, sections))) {
    if (OWN.test(path)) own.set(path, new Set(offsets).union(own.get(path) ?? new Set()));
  }
}
