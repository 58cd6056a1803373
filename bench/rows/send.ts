// Sends: response time, throughput and disk writes.
import type { Sends, Timed } from "../load.ts";
import { Load, type Server, startLeast, startSkein } from "../processes.ts";
import { inTurn, median, ratioOf } from "../ratio.ts";
import { sending } from "../requests.ts";
import { atLeast, atMost, type Line, within } from "../row.ts";
import { GENERAL, type TestServer, type TestServers } from "../towns.ts";

const ROUNDS = 15;
const PEOPLE = 1_000;
const TOPICS = 8;
const CROWD = 64;
/** Sends until the code is compiled, because a server runs for months. */
const WARM_UP = 25_000;
const DISK_SENDS = 8_000;
const DISK_TURNS = 5;
const CALLS = "openat,fdatasync,pwrite64,pwritev,writev";
const STRACE = ["-f", "-s", "0", "--seccomp-bpf", "-e", `trace=${CALLS}`, "-o"];
const KILOBYTE = 1_024;

/** Measures the time from a send to its response, with a single sender. */
export async function send(testServers: TestServers): Promise<Line[]> {
  const results = await measured(testServers, 1, 400);
  const what = "send to answer, one sender, p50";
  return [
    atMost(
      { what, goal: 1.5, unit: "ms" },
      ratioOf(results, ({ p50_ms }) => p50_ms),
    ),
  ];
}

/** Many senders: sends per second. */
export async function senders(testServers: TestServers): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [count, target] of [
    [16, 0.6],
    [CROWD, 0.5],
  ] as const) {
    const results = await measured(testServers, count, 3_000);
    const label = `sends a second, ${count} senders`;
    lines.push(
      atLeast(
        { what: label, goal: target, unit: "/s" },
        ratioOf(results, ({ per_second }) => per_second),
      ),
    );
  }
  return lines;
}

async function measured(testServers: TestServers, count: number, sends: number) {
  const testServer = await testServers.copied({ people: PEOPLE });
  await using skein = await startSkein(testServer.directory);
  await using least = await startLeast("store", testServers.empty());
  using load = new Load();
  const request = (server: Server, sends: number): Promise<Timed> =>
    load.ask("send", sendsOf(testServer, server, count, sends));
  for (const server of [skein, least]) {
    await load.ask("send", sendsOf(testServer, server, CROWD, WARM_UP));
  }
  return await inTurn(
    ROUNDS,
    () => request(skein, sends),
    () => request(least, sends),
  );
}

/** Disk writes per send with 64 senders, from the server's system calls. */
export async function disk(testServers: TestServers): Promise<Line[]> {
  const testServer = await testServers.copied({ people: PEOPLE });
  const [flushes, kilobytes]: [number[], number[]] = [[], []];
  {
    await using skein = await startSkein(testServer.directory, {
      under: ["strace", ...STRACE, reportOf(testServer)],
    });
    using load = new Load();
    const turn = async () => {
      await load.ask("send", sendsOf(testServer, skein, CROWD, DISK_SENDS));
      return diskCalls(await Bun.file(reportOf(testServer)).text());
    };
    let before = await turn();
    for (let turns = 0; turns < DISK_TURNS; turns++) {
      const now = await turn();
      flushes.push((now.flushes - before.flushes) / DISK_SENDS);
      kilobytes.push((now.bytes - before.bytes) / DISK_SENDS / KILOBYTE);
      before = now;
    }
  }
  const [each, bytes] = ["disk flushes a send, 64 senders", "bytes written a send, 64 senders"];
  return [
    within({ what: each, goal: 0.1, unit: "" }, median(flushes), flushes),
    within({ what: bytes, goal: 3, unit: "KB" }, median(kilobytes), kilobytes),
  ];
}

/** A write through a descriptor opened with O_DSYNC flushes too. */
function diskCalls(report: string): { flushes: number; bytes: number } {
  const synchronous = /openat\(.*O_DSYNC.*= (\d+)$/m.exec(report)?.[1];
  let [flushes, bytes] = [0, 0];
  for (const [line, call, file] of report.matchAll(/^\d+ +(?:<\.\.\. )?(\w+)(?:\((\d+))?.*$/gm)) {
    if (line.endsWith("<unfinished ...>")) flushes += file === synchronous ? 1 : 0;
    else if (call === "fdatasync") flushes += 1;
    else if (call !== "openat") bytes += Number(/= (\d+)$/.exec(line)?.[1] ?? 0);
    if (call !== "fdatasync" && file === synchronous && !line.endsWith(">")) flushes += 1;
  }
  return { flushes, bytes };
}

const reportOf = ({ directory }: TestServer) => `${directory}.strace`;

function sendsOf(testServer: TestServer, { port }: Server, senders: number, count: number): Sends {
  const requests = testServer.people.slice(0, senders).map((person, index) => {
    return sending(person, GENERAL, `topic ${index % TOPICS}`);
  });
  return { port, requests, count };
}
