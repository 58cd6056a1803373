/** The one check: format, types, lint, tests; its last line says how many passed and failed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Count = { passed: number; failed: number };

/** For one test: far more than any needs, as a busy machine must not decide. */
const TEST_MS = 30_000;
const ROOT = join(import.meta.dir, "..");
const bun = process.execPath;
const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");

const counts = [
  await stage("format", () => tool(bun, "fmt", "--no-script", "--check")),
  await stage("types", () => tool(bun, "check", "--no-script")),
  await stage("lint", () => tool(bun, oxlint, "--deny-warnings")),
  await stage("tests", () => tests(Bun.argv.slice(2))),
];
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);

async function stage(name: string, run: () => Promise<Count>) {
  console.log(`== ${name}`);
  const begun = performance.now();
  const count = await run();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`== ${name} ${count.failed === 0 ? "ok" : "FAILED"} (${seconds} s)\n`);
  return count;
}

/** A tool counts as one check, and is heard only when it finds something. */
async function tool(...command: string[]): Promise<Count> {
  const child = Bun.spawn(command, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const output = (await Promise.all(streams)).join("");
  if ((await child.exited) === 0) return { passed: 1, failed: 0 };
  console.log(output);
  return { passed: 0, failed: 1 };
}

/** A run that dies before it reports, or fails outside of any test, counts as one failure. */
async function tests(files: string[]): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "skein-check-"));
  const junit = join(folder, "junit.xml");
  const report = ["--reporter=junit", `--reporter-outfile=${junit}`];
  const timeout = `--timeout=${TEST_MS}`;
  const child = Bun.spawn([bun, "test", "--isolate", timeout, ...report, ...files], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  const xml = await Bun.file(junit)
    .text()
    .catch(() => "");
  rmSync(folder, { recursive: true });

  const head = xml.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const number = (key: string) => Number(head.match(new RegExp(`\\b${key}="(\\d+)"`))?.[1] ?? 0);
  const failed = number("failures");
  const passed = number("tests") - failed - number("skipped");
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
