// Imports of Slack exports and exports as JSON lines: rates, memory, and the sends of others.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../test/built-executable.ts";
import { writeSlackExport } from "../moving/slack-archive.ts";
import { Load, startSkein } from "../processes.ts";
import { sampleMeanwhile, median, ratioOf } from "../ratio.ts";
import { sendRequest } from "../requests.ts";
import { lineAtLeast, lineAtMost, type Line, lineWithin } from "../row.ts";
import { GENERAL, type Datasets } from "../datasets.ts";

/** A smaller number is enough to find out whether a change helps. */
const MESSAGES = Number(process.env["BENCH_MESSAGES"] ?? 1_000_000);
const MESSAGES_A_THREAD = 50;
/** A round with a million messages takes minutes. */
const ROUNDS = MESSAGES >= 1_000_000 ? 1 : 3;
/** Messages of an import that runs during the sends of others. */
const SERVED_MESSAGES = Math.min(MESSAGES, 60_000);
const SERVED_ROUNDS = 3;
const SENDERS = 8;
const PAUSE_MS = 20;
const SENDS = 1_800;
const MEMORY_EVERY_MS = 100;
const MEMORY_MIB_MAX = 300;
const MIB = 1_048_576;
/** Exit codes; 3: complete with losses, such as a channel whose name is taken. */
const COMPLETE: readonly number[] = [0, 3];
const COUNT = MESSAGES.toLocaleString("en-US");

/** Imports Slack exports into new organizations, and exports these. */
export async function moving(datasets: Datasets): Promise<Line[]> {
  const folder = datasets.createEmptyFolder();
  const [lists, archive] = [join(folder, "lists.zip"), join(folder, "slack.zip")];
  const plan = { team: "T0BENCH", messages: MESSAGES, threads: MESSAGES / MESSAGES_A_THREAD };
  await writeSlackExport(lists, { ...plan, messages: 0 });
  await writeSlackExport(archive, plan);
  const imports = { candidate: [] as ImportMeasurement[], baseline: [] as ImportMeasurement[] };
  const exports = { candidate: [] as ImportMeasurement[], baseline: [] as ImportMeasurement[] };
  for (let round = 0; round < ROUNDS; round++) {
    const memory = await datasets.createCopy({ people: 0 });
    imports.baseline.push(await child("bulk-writer-child.ts", lists, archive, memory.directory));
    const { directory: data } = await datasets.createCopy({ people: 0 });
    imports.candidate.push(await skein("import", "run", "--from", archive, "--data", data));
    exports.baseline.push(await child("reading-child.ts", data));
    const to = join(folder, `export-${round}`);
    exports.candidate.push(await skein("export", "jsonl", "--to", to, "--data", data));
    rmSync(to, { recursive: true });
  }
  const rate = ({ ms }: ImportMeasurement) => (MESSAGES * 1_000) / ms;
  const rateOfCpu = ({ cpu_ms }: ImportMeasurement) => (MESSAGES * 1_000) / cpu_ms;
  const label = `a Slack export of ${COUNT} messages against the bulk writer from memory`;
  return [
    lineAtLeast(
      { label: `${label}, messages a second`, goal: 0.5, unit: "/s" },
      ratioOf(imports, rate),
    ),
    lineAtLeast(
      { label: `${label}, messages a second of CPU`, goal: 0.5, unit: "/s" },
      ratioOf(imports, rateOfCpu),
    ),
    memoryLine(`an import of ${COUNT} messages of Slack, most private memory`, imports.candidate),
    lineAtMost(
      { label: `JSONL export of ${COUNT} messages against reading`, goal: 3, unit: "s" },
      ratioOf(exports, ({ ms }) => ms / 1_000),
    ),
    memoryLine(`JSONL export of ${COUNT} messages, most private memory`, exports.candidate),
  ];
}

function memoryLine(label: string, measured: readonly ImportMeasurement[]): Line {
  const memoryMib = measured.map(({ memory_bytes }) => memory_bytes / MIB);
  return lineWithin({ label, goal: MEMORY_MIB_MAX, unit: "MiB" }, median(memoryMib), memoryMib);
}

/** A Slack export is imported into an organization in which eight people write. */
export async function importWhileServing(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: 1_000, channels: 100, messages: 100_000 });
  await using server = await startSkein(dataset.directory);
  using load = new Load();
  const { port } = server;
  const requests = dataset.people
    .slice(0, SENDERS)
    .map((person, index) => sendRequest(person, GENERAL, `topic ${index % 8}`));
  const p99 = async () => {
    const params = { port, requests, count: SENDS, pause_ms: PAUSE_MS };
    return (await load.ask("send", params)).p99_ms;
  };
  const folder = datasets.createEmptyFolder();
  const plan = { messages: SERVED_MESSAGES, threads: SERVED_MESSAGES / MESSAGES_A_THREAD };
  const archiveOf = (round: number) => join(folder, `${round}.zip`);
  for (let round = 0; round <= SERVED_ROUNDS; round++) {
    await writeSlackExport(archiveOf(round), { ...plan, team: `T0ROUND${round}` });
  }
  const results = await sampleMeanwhile(SERVED_ROUNDS, p99, async (round) => {
    await skein("import", "run", "--from", archiveOf(round), "--data", dataset.directory);
  });
  const label = "others' sends while a Slack export is imported, p99 relative to no load";
  return [
    lineAtMost(
      { label, goal: 3, unit: "ms" },
      ratioOf(results, (ms) => ms),
    ),
  ];
}

interface ImportMeasurement {
  ms: number;
  cpu_ms: number;
  /** The most private memory at any time. */
  memory_bytes: number;
}

async function skein(...args: string[]): Promise<ImportMeasurement> {
  const startedAt = performance.now();
  const command = [await builtBinary(), ...args];
  const process = Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"] });
  let memory_bytes = 0;
  const timer = setInterval(() => {
    memory_bytes = Math.max(memory_bytes, privateBytes(process.pid));
  }, MEMORY_EVERY_MS);
  const code = await process.exited;
  clearInterval(timer);
  if (!COMPLETE.includes(code)) throw new Error(`skein ${args.join(" ")} ended with ${code}`);
  const { cpuTime } = process.resourceUsage()!;
  const cpu_ms = Number(cpuTime.total) / 1_000;
  return { ms: performance.now() - startedAt, cpu_ms, memory_bytes };
}

/** 0 after the end of the process. */
function privateBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function child(name: string, ...args: string[]): Promise<ImportMeasurement> {
  const path = join(import.meta.dir, "../moving", name);
  const process = Bun.spawn([globalThis.process.execPath, path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = await new Response(process.stdout).text();
  if ((await process.exited) !== 0) throw new Error(`${name} failed`);
  return JSON.parse(printed) as ImportMeasurement;
}
