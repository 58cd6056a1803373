/** The one check: format, types, lint, tests; its last line says how many passed and failed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Count = { passed: number; failed: number };

const ROOT = join(import.meta.dir, "..");
const bun = process.execPath;
const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
const SEED_FLAG = "--seed=";
/** Above all that a seed may be. */
const SEEDS = 2 ** 31;

const counts = [
  await stage("format", () => tool(bun, "fmt", "--no-script", "--check")),
  await stage("types", () => tool(bun, "check", "--no-script")),
  // What runs in a browser knows other names than the server does.
  await stage("types of the client", () => tool(bun, "check", "--no-script", "-p", "src/web")),
  await stage("types of its worker", () =>
    tool(bun, "check", "--no-script", "-p", "src/web/worker"),
  ),
  await stage("lint", () => tool(bun, oxlint, "--type-aware", "--deny-warnings")),
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

/**
 * Files side by side, a process for each processor, and the tests of each file in an order that is
 * another every time; `--seed=N` has that of a run again. A run that dies before it reports, or
 * fails outside of any test, counts as one failure.
 */
async function tests(args: string[]): Promise<Count> {
  const files = args.filter((arg) => !arg.startsWith(SEED_FLAG));
  const asked = args.find((arg) => arg.startsWith(SEED_FLAG))?.slice(SEED_FLAG.length);
  const seed = asked ?? String(Math.floor(Math.random() * SEEDS));
  console.log(`bun run test ${[...files, SEED_FLAG + seed].join(" ")} has this order again`);
  const folder = mkdtempSync(join(tmpdir(), "skein-check-"));
  const junit = join(folder, "junit.xml");
  const report = ["--reporter=junit", `--reporter-outfile=${junit}`];
  const how = ["--parallel", "--randomize", SEED_FLAG + seed];
  const child = Bun.spawn([bun, "test", ...how, ...report, ...files], {
    cwd: ROOT,
    env: { ...process.env, TEST_SEED: seed },
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
