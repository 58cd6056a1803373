// Sends: response time, throughput and disk writes.
import type { SendOptions, Timing } from "../load.ts";
import { Load, type Server, startBareServer, startSkein } from "../processes.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { sendRequest } from "../requests.ts";
import { lineAtLeast, lineAtMost, type Line, lineWithin } from "../row.ts";
import { GENERAL, type Dataset, type Datasets } from "../datasets.ts";

const ROUNDS = 15;
const PEOPLE = 1_000;
const TOPICS = 8;
const CONCURRENT_SENDERS = 64;
/** Sends until the code is compiled, because a server runs for months. */
const WARM_UP = 25_000;
const DISK_SENDS = 8_000;
const DISK_TURNS = 5;
const CALLS = "openat,fdatasync,pwrite64,pwritev,writev";
const STRACE = ["-f", "-s", "0", "--seccomp-bpf", "-e", `trace=${CALLS}`, "-o"];
const KILOBYTE = 1_024;

/** Measures the time from a send to its response, with a single sender. */
export async function send(datasets: Datasets): Promise<Line[]> {
  const results = await measureSends(datasets, 1, 400);
  const label = "send to answer, one sender, p50";
  return [
    lineAtMost(
      { label, goal: 1.5, unit: "ms" },
      ratioOf(results, ({ p50_ms }) => p50_ms),
    ),
  ];
}

/** Many senders: sends per second. */
export async function senders(datasets: Datasets): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [count, target] of [
    [16, 0.6],
    [CONCURRENT_SENDERS, 0.5],
  ] as const) {
    const results = await measureSends(datasets, count, 3_000);
    const label = `sends a second, ${count} senders`;
    lines.push(
      lineAtLeast(
        { label, goal: target, unit: "/s" },
        ratioOf(results, ({ per_second }) => per_second),
      ),
    );
  }
  return lines;
}

async function measureSends(datasets: Datasets, count: number, sends: number) {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  await using skein = await startSkein(dataset.directory);
  await using bareServer = await startBareServer("store", datasets.createEmptyFolder());
  using load = new Load();
  const request = (server: Server, sends: number): Promise<Timing> =>
    load.ask("send", sendsOf(dataset, server, count, sends));
  for (const server of [skein, bareServer]) {
    await load.ask("send", sendsOf(dataset, server, CONCURRENT_SENDERS, WARM_UP));
  }
  return await measureAlternately(
    ROUNDS,
    () => request(skein, sends),
    () => request(bareServer, sends),
  );
}

/** Disk writes per send with 64 senders, from the server's system calls. */
export async function disk(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  const [flushes, kilobytes]: [number[], number[]] = [[], []];
  {
    await using skein = await startSkein(dataset.directory, {
      under: ["strace", ...STRACE, reportOf(dataset)],
    });
    using load = new Load();
    const sendTurn = async () => {
      await load.ask("send", sendsOf(dataset, skein, CONCURRENT_SENDERS, DISK_SENDS));
      return diskCalls(await Bun.file(reportOf(dataset)).text());
    };
    let before = await sendTurn();
    for (let turnIndex = 0; turnIndex < DISK_TURNS; turnIndex++) {
      const now = await sendTurn();
      flushes.push((now.flushes - before.flushes) / DISK_SENDS);
      kilobytes.push((now.bytes - before.bytes) / DISK_SENDS / KILOBYTE);
      before = now;
    }
  }
  const [each, bytes] = ["disk flushes a send, 64 senders", "bytes written a send, 64 senders"];
  return [
    lineWithin({ label: each, goal: 0.1, unit: "" }, median(flushes), flushes),
    lineWithin({ label: bytes, goal: 3, unit: "KB" }, median(kilobytes), kilobytes),
  ];
}

/** A write through a descriptor opened with O_DSYNC flushes too. */
function diskCalls(report: string): { flushes: number; bytes: number } {
  const opened = report.matchAll(/openat\(.*O_DSYNC.*= (\d+)$/gm);
  const synchronous = new Set(Array.from(opened, ([, file]) => file));
  let [flushes, bytes] = [0, 0];
  for (const [line, call, file] of report.matchAll(/^\d+ +(?:<\.\.\. )?(\w+)(?:\((\d+))?.*$/gm)) {
    const isSynchronous = synchronous.has(file);
    if (line.endsWith("<unfinished ...>")) flushes += isSynchronous ? 1 : 0;
    else if (call === "fdatasync") flushes += 1;
    else if (call !== "openat") bytes += Number(/= (\d+)$/.exec(line)?.[1] ?? 0);
    if (call !== "fdatasync" && isSynchronous && !line.endsWith(">")) flushes += 1;
  }
  return { flushes, bytes };
}

const reportOf = ({ directory }: Dataset) => `${directory}.strace`;

function sendsOf(dataset: Dataset, { port }: Server, senders: number, count: number): SendOptions {
  const requests = dataset.people.slice(0, senders).map((person, index) => {
    return sendRequest(person, GENERAL, `topic ${index % TOPICS}`);
  });
  return { port, requests, count };
}
