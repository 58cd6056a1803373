// A backup during sends: its duration, and how much longer sends take meanwhile.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../../test/built-executable.ts";
import { Load, startSkein } from "../processes.ts";
import { sampleMeanwhile, median, ratioOf } from "../ratio.ts";
import { sendRequest } from "../requests.ts";
import { lineAtMost, type Line, lineWithin } from "../row.ts";
import { GENERAL, type Datasets } from "../datasets.ts";
import { MILLION } from "./stored.ts";

const SENDERS = 8;
const PAUSE_MS = 20;
/** Enough to span most of a backup, because its slow moments are rare. */
const SENDS = 1_800;
const ROUNDS = 5;
const GB = 1_000_000_000;

export async function backup(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({
    people: 1_000,
    channels: 100,
    messages: 2 * MILLION,
  });
  await using skein = await startSkein(dataset.directory);
  using load = new Load();
  const requests = dataset.people
    .slice(0, SENDERS)
    .map((person, index) => sendRequest(person, GENERAL, `topic ${index % 8}`));
  const { port } = skein;
  const p99 = async () => {
    const params = { port, requests, count: SENDS, pause_ms: PAUSE_MS };
    return (await load.ask("send", params)).p99_ms;
  };
  const seconds: number[] = [];
  const results = await sampleMeanwhile(ROUNDS, p99, async () => {
    const duration = await backUp(dataset.directory);
    seconds.push((duration * GB) / statSync(join(dataset.directory, "data.mdb")).size);
  });
  const label = "a backup while 8 people write";
  return [
    lineWithin({ label: `${label}, per GB`, goal: 10, unit: "s" }, median(seconds), seconds),
    lineAtMost(
      { label: "p99 of sends meanwhile", goal: 2, unit: "ms" },
      ratioOf(results, (ms) => ms),
    ),
  ];
}

/** In seconds. */
async function backUp(data: string): Promise<number> {
  const to = mkdtempSync(join(tmpdir(), "skein-bench-backup-"));
  const startedAt = performance.now();
  const command = [await builtBinary(), "backup", "run", "--data", data, "--to", to];
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error("the backup failed");
  const duration = (performance.now() - startedAt) / 1_000;
  rmSync(to, { recursive: true, force: true });
  return duration;
}
