// Fan-out: one message to many waiting polls.
import type { FanoutResult } from "../load.ts";
import { Load, type Server, startBareServer, startSkein } from "../processes.ts";
import { park, registerQueues, deleteQueues } from "../queues.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { type Account, sendRequest } from "../requests.ts";
import { lineAtLeast, lineAtMost, type Line, formatNumber, lineWithin } from "../row.ts";
import { GENERAL, type Datasets } from "../datasets.ts";

const PEOPLE = 1_000;
const CROWD = 10_000;
const ROUNDS = 9;
/** Number of runs until the code is compiled. */
const WARM_UP = 4;
const ASIDE_SENDS = 200;
const MICROSECONDS = 1_000;

/** Sends single messages, and measures the cost of a delivery and the time until the last one. */
export async function fanout(datasets: Datasets): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [polls, rounds] of [
    [100, 60],
    [1_000, 10],
  ] as const) {
    const results = await measureTurns(datasets, polls, (load, { pid }, request) => {
      return load.ask("fanout", { request, rounds, pid });
    });
    const medianCpu = (cpu_ms: (item: FanoutResult) => number) =>
      ratioOf(results, (item) => (cpu_ms(item) / item.deliveries) * MICROSECONDS);
    const label = `fan-out to ${polls} parked polls`;
    const cost = `${label}, CPU a delivery`;
    lines.push(
      lineAtMost(
        { label: cost, goal: 1.15, unit: "µs" },
        medianCpu((item) => item.delivering_ms),
      ),
    );
    const cycle = `${cost} and the poll that follows`;
    lines.push(
      lineAtMost(
        { label: cycle, goal: 1.15, unit: "µs" },
        medianCpu((item) => item.cycle_ms),
      ),
    );
    const timings = ratioOf(results, ({ p50_ms }) => p50_ms);
    lines.push(
      lineAtMost({ label: `${label}, send to last, p50`, goal: 1.3, unit: "ms" }, timings),
    );
  }
  return lines;
}

/** Sends with four messages in progress at once. */
export async function flight(datasets: Datasets): Promise<Line[]> {
  const results = await measureTurns(datasets, PEOPLE, (load, _, request) => {
    return load.ask("flight", { request, rounds: 60, flight: 4 });
  });
  const label = "fan-out to 1,000 members, 4 messages in flight, deliveries a second";
  return [
    lineAtLeast(
      { label, goal: 0.7, unit: "/s" },
      ratioOf(results, (perSecond) => perSecond),
    ),
  ];
}

async function measureTurns<T>(
  datasets: Datasets,
  polls: number,
  measureTurn: (load: Load, server: Server, request: string) => Promise<T>,
): Promise<{ candidate: T[]; baseline: T[] }> {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  const [sender] = dataset.people as [Account];
  const request = sendRequest(sender, GENERAL, "news");
  using load = new Load();
  using bareServerLoad = new Load();
  await using skein = await startSkein(dataset.directory);
  await park(load, await registerQueues(load, skein, dataset.people, polls));
  for (let round = 0; round < WARM_UP; round++) await measureTurn(load, skein, request);
  const length = eventLength(await load.ask("last_answer", null));
  await using bareServer = await startBareServer("fan-out", String(length));
  await park(bareServerLoad, deleteQueues(bareServer, sender, polls));
  for (let round = 0; round < WARM_UP; round++)
    await measureTurn(bareServerLoad, bareServer, request);
  return await measureAlternately(
    ROUNDS,
    () => measureTurn(load, skein, request),
    () => measureTurn(bareServerLoad, bareServer, request),
  );
}

/** Another user's send to an unrelated channel while many polls are answered. */
export async function bystander(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: CROWD, channels: 1, subscribers: 10 });
  const [sender, other] = dataset.people as [Account, Account];
  using load = new Load();
  using otherLoad = new Load();
  await using skein = await startSkein(dataset.directory);
  await park(load, await registerQueues(load, skein, dataset.people.slice(2), CROWD - 2));
  const news = sendRequest(sender, GENERAL, "news");
  const asideRequests = [sendRequest(other, dataset.channels[0]!, "aside")];
  const sends = { port: skein.port, requests: asideRequests, count: ASIDE_SENDS, pause_ms: 2 };
  const p99DuringFanout = async () => {
    const rounds = load.ask("flight", { request: news, rounds: 4, flight: 1 });
    const { p99_ms } = await otherLoad.ask("send", sends);
    await rounds;
    return p99_ms;
  };
  const quietP99 = async () => (await otherLoad.ask("send", sends)).p99_ms;
  const { candidate, baseline } = await measureAlternately(ROUNDS, p99DuringFanout, quietP99);
  const label = "another user's send while 10,000 polls are answered, p99";
  const line = lineWithin({ label, goal: 10, unit: "ms" }, median(candidate), candidate);
  return [{ ...line, baseline: `${formatNumber(median(baseline))} ms while nobody is answered` }];
}

function eventLength(response: string): number {
  const { events } = JSON.parse(response) as { events: object[] };
  return JSON.stringify(events[0]).length;
}
