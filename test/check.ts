/** The one check: format, types, lint, build, tests; it ends with how many passed and failed. */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

type Count = { passed: number; failed: number };

const ROOT = join(import.meta.dir, "..");
const bun = process.execPath;
const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
const SEED_FLAG = "--seed=";
/** Above all that a seed may be. */
const SEEDS = 2 ** 31;
/** So many files may fail by a machine that was too busy; more are a fault of something. */
const SECOND_TRIES = 4;
/** What each file whose tests failed said, but for what passed: the end of a long log tells all. */
const complaints: string[] = [];

const counts = [
  await stage("format", () => tool(bun, "fmt", "--no-script", "--check")),
  await stage("types", () => tool(bun, "check", "--no-script")),
  // What runs in a browser knows other names than the server does.
  await stage("types of the client", () => tool(bun, "check", "--no-script", "-p", "src/web")),
  await stage("types of its worker", () =>
    tool(bun, "check", "--no-script", "-p", "src/web/worker"),
  ),
  await stage("lint", () => tool(bun, oxlint, "--type-aware", "--deny-warnings")),
  // Many tests run it, and two that begin at once would build it twice.
  await stage("executable", () => tool(bun, "test/binary.ts")),
  await stage("client", () => tool(bun, "test/client.ts")),
  await stage("tests", () => tests(Bun.argv.slice(2))),
];
if (complaints.length > 0) console.log(`== what failed, once or twice\n${complaints.join("\n")}\n`);
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
 * Files side by side, one more than there are processors, as some wait for most of their time, in
 * an order by chance, as is that of the tests of each: it is another when a test changes, so that
 * the same code is judged the same way everywhere; `--seed=N` has any other. Each file has a
 * process of its own: what is left of one in memory makes none slower, and cannot change what
 * another one does. The few that fail run once more with nothing beside them: their second count
 * is what counts, and both are heard, as a test that needs it is one to mend.
 */
async function tests(args: string[]): Promise<Count> {
  const asked = args.find((arg) => arg.startsWith(SEED_FLAG))?.slice(SEED_FLAG.length);
  const seed = asked ?? String(seedOfTests());
  const wanted = args.filter((arg) => !arg.startsWith(SEED_FLAG));
  console.log(`bun run test ${[...wanted, SEED_FLAG + seed].join(" ")} has this order again`);
  const place = (file: string) => Bun.hash.xxHash32(file, Number(seed));
  const waiting = filesOf(wanted).toSorted((a, b) => place(a) - place(b));
  const byFile = new Map<string, Count>();
  const folder = mkdtempSync(join(tmpdir(), "skein-check-"));
  const work = async () => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      byFile.set(file, await testsOf(file, seed, join(folder, `${waiting.length}`)));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  const failing = [...byFile].filter(([, { failed }]) => failed > 0).map(([file]) => file);
  for (const file of failing.length <= SECOND_TRIES ? failing : []) {
    console.log(`== ${file} failed, and runs once more, alone`);
    byFile.set(file, await testsOf(file, seed, join(folder, `again-${failing.indexOf(file)}`)));
  }
  rmSync(folder, { recursive: true });
  if (byFile.size === 0) console.log("There is no such file.");
  const total = { passed: 0, failed: byFile.size === 0 ? 1 : 0 };
  for (const { passed, failed } of byFile.values()) {
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

function seedOfTests(): number {
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of [...new Bun.Glob("test/**/*.ts").scanSync({ cwd: ROOT })].toSorted()) {
    hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest().readUInt32LE() % SEEDS;
}

/** All of them, or those whose path holds one of some words. */
function filesOf(wanted: readonly string[]): string[] {
  const files = [...new Bun.Glob("test/**/*.test.ts").scanSync({ cwd: ROOT })].toSorted();
  if (wanted.length === 0) return files;
  return files.filter((file) => wanted.some((word) => file.includes(word.replace(/^\.\//, ""))));
}

/**
 * What a file says is printed when it is over, so that no two speak at once. One that dies before
 * it reports, or fails outside of any test, counts as one failure.
 */
async function testsOf(file: string, seed: string, place: string): Promise<Count> {
  const junit = `${place}.xml`;
  const report = ["--reporter=junit", `--reporter-outfile=${junit}`];
  // To a file, whose end comes with the process, whoever it leaves behind.
  const heard = openSync(`${place}.txt`, "a");
  const child = Bun.spawn([bun, "test", "--randomize", SEED_FLAG + seed, ...report, `./${file}`], {
    cwd: ROOT,
    env: { ...process.env, TEST_SEED: seed },
    stdio: ["ignore", heard, heard],
  });
  const code = await child.exited;
  closeSync(heard);
  const said = readFileSync(`${place}.txt`, "utf8");
  console.log(`${said.replace(/^bun test v.*\n/gm, "").trim()}\n`);
  const xml = existsSync(junit) ? readFileSync(junit, "utf8") : "";
  if (xml === "") console.log(`${file} died with ${child.signalCode ?? code}\n`);

  const head = xml.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const number = (key: string) => Number(head.match(new RegExp(`\\b${key}="(\\d+)"`))?.[1] ?? 0);
  const failures = number("failures");
  const passed = number("tests") - failures - number("skipped");
  const failed = code !== 0 && failures === 0 ? 1 : failures;
  if (failed > 0) complaints.push(`${file}:\n${said.replace(/^\((?:pass|skip)\).*\n/gm, "")}`);
  return { passed, failed };
}
