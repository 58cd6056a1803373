// Measures sends, deliveries, registers and starts of two builds alternately.
import { Load, type Server } from "../processes.ts";
import { park, registerQueues } from "../queues.ts";
import { measureAlternately } from "../ratio.ts";
import { getRequest, postRequest, sendRequest } from "../requests.ts";
import { GENERAL, type Dataset } from "../datasets.ts";
import { Wire } from "../wire.ts";
import { requests } from "./requests.ts";
import { line, type MeasuredRow, MICROSECONDS, open, type Build } from "./side.ts";

type Row = (candidate: Build, baseline: Build) => Promise<MeasuredRow[]>;

const TOPICS = 8;
/** Sends after which the hot code is compiled. */
const WARM_SENDS = 12_000;
const COLD_SENDS = 2_000;
const COLD_TURNS = 5;
const START_TURNS = 7;
const SEND_TURNS = 15;
const POLLS = 100;
const ROUNDS = 30;
const FANOUT_TURNS = 8;
const REGISTER_CALLS = 12;
const REGISTER_TURNS = 15;
const REGISTER_WARM_UP = 8;
const SENDERS = 16;
const KILOBYTE = 1_024;

/** Measured by default. */
export const mainRows: readonly string[] = ["start", "cold", "send", "delivery", "register"];
export const rows: Readonly<Record<string, Row>> = {
  start,
  cold,
  send,
  delivery,
  register,
  requests,
};

async function start(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  const measureSide = (side: Build) => async () => {
    const startedAt = performance.now();
    await using server = await open(side);
    const wire = await Wire.open(server.port);
    await wire.request(getRequest(side.dataset.owner, "/users/me"));
    const results = { ms: performance.now() - startedAt, cpu_ms: server.cpu_ms };
    wire.close();
    return results;
  };
  const results = await measureAlternately(
    START_TURNS,
    measureSide(candidate),
    measureSide(baseline),
  );
  return [
    line("start to the first answer, CPU", "ms", results, ({ cpu_ms }) => cpu_ms),
    line("start to the first answer", "ms", results, ({ ms }) => ms),
  ];
}

/** The first sends after a start, counted from the first response. */
async function cold(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  const measureSide = (side: Build) => async () => {
    await using server = await open(side);
    using load = new Load();
    const { port } = server;
    await load.ask("ask", { port, requests: [getRequest(side.dataset.owner, "/users/me")] });
    return await cpuOfSends(load, server, side.dataset, SENDERS, COLD_SENDS);
  };
  const results = await measureAlternately(
    COLD_TURNS,
    measureSide(candidate),
    measureSide(baseline),
  );
  return [
    line("a send, 16 senders, the first 2,000, CPU", "µs", results, ({ cpu_us }) => cpu_us),
    line("sends a second, 16 senders, the first 2,000", "/s", results, (item) => item.per_second),
  ];
}

async function send(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  await using candidateServer = await open(candidate);
  await using baselineServer = await open(baseline);
  using load = new Load();
  const measureSide =
    (server: Server, { dataset }: Build, senders: number, count: number) =>
    () =>
      cpuOfSends(load, server, dataset, senders, count);
  for (let warmSends = 0; warmSends < WARM_SENDS; warmSends += COLD_SENDS) {
    await measureSide(candidateServer, candidate, SENDERS, COLD_SENDS)();
    await measureSide(baselineServer, baseline, SENDERS, COLD_SENDS)();
  }
  const measured: MeasuredRow[] = [];
  for (const [senders, count, name] of [
    [1, 150, "one sender"],
    [SENDERS, 600, "16 senders"],
    [4 * SENDERS, 1_500, "64 senders"],
  ] as const) {
    const [candidateTurn, baselineTurn] = [
      measureSide(candidateServer, candidate, senders, count),
      measureSide(baselineServer, baseline, senders, count),
    ];
    const results = await measureAlternately(SEND_TURNS, candidateTurn, baselineTurn);
    measured.push(
      line(`a send, ${name}, CPU`, "µs", results, ({ cpu_us }) => cpu_us),
      line(`sends a second, ${name}`, "/s", results, ({ per_second }) => per_second),
      line(`a send, ${name}, p50`, "ms", results, ({ p50_ms }) => p50_ms),
      line(`a send, ${name}, p99`, "ms", results, ({ p99_ms }) => p99_ms),
      line(`bytes written a send, ${name}`, "KB", results, ({ written_kb }) => written_kb),
    );
  }
  return measured;
}

async function cpuOfSends(load: Load, server: Server, at: Dataset, senders: number, count: number) {
  const requests = at.people.slice(0, senders).map((person, number) => {
    return sendRequest(person, GENERAL, `topic ${number % TOPICS}`);
  });
  const [cpu_ms, bytes] = [server.cpu_ms, server.written_bytes];
  const timed = await load.ask("send", { port: server.port, requests, count });
  return {
    ...timed,
    cpu_us: ((server.cpu_ms - cpu_ms) / count) * MICROSECONDS,
    written_kb: (server.written_bytes - bytes) / count / KILOBYTE,
  };
}

async function delivery(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  await using candidateServer = await open(candidate);
  await using baselineServer = await open(baseline);
  using candidateLoad = new Load();
  using baselineLoad = new Load();
  const measureServer = async (load: Load, server: Server, { dataset }: Build) => {
    await park(load, await registerQueues(load, server, dataset.people, POLLS));
    const request = sendRequest(dataset.people[0]!, GENERAL, "news");
    return () => load.ask("fanout", { request, rounds: ROUNDS, pid: server.pid });
  };
  const candidateTurn = await measureServer(candidateLoad, candidateServer, candidate);
  const baselineTurn = await measureServer(baselineLoad, baselineServer, baseline);
  await measureAlternately(2, candidateTurn, baselineTurn);
  const results = await measureAlternately(FANOUT_TURNS, candidateTurn, baselineTurn);
  const cpuPerDelivery = (cpu_ms: number, deliveries: number) =>
    (cpu_ms / deliveries) * MICROSECONDS;
  const label = "a delivery to 100 parked polls";
  return [
    line(`${label}, CPU`, "µs", results, (item) =>
      cpuPerDelivery(item.delivering_ms, item.deliveries),
    ),
    line(`${label}, with the next poll, CPU`, "µs", results, (o) =>
      cpuPerDelivery(o.cycle_ms, o.deliveries),
    ),
    line(`${label}, send to last, p50`, "ms", results, ({ p50_ms }) => p50_ms),
  ];
}

/** Registers the first user, who is in all channels and has 10,000 unread messages. */
async function register(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  await using candidateServer = await open(candidate);
  await using baselineServer = await open(baseline);
  using load = new Load();
  const measureServer = (server: Server, { dataset }: Build) => {
    const requests = [postRequest(dataset.people[0]!, "/register", { apply_markdown: true })];
    return async () => {
      const before = server.cpu_ms;
      await load.ask("send", { port: server.port, requests, count: REGISTER_CALLS });
      return (server.cpu_ms - before) / REGISTER_CALLS;
    };
  };
  const [candidateTurn, baselineTurn] = [
    measureServer(candidateServer, candidate),
    measureServer(baselineServer, baseline),
  ];
  await measureAlternately(REGISTER_WARM_UP, candidateTurn, baselineTurn);
  const results = await measureAlternately(REGISTER_TURNS, candidateTurn, baselineTurn);
  return [line("a register, 1,000 people, 10,000 unread, CPU", "ms", results, (ms) => ms)];
}
