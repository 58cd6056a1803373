// Fan-out: one message to many waiting polls.
import type { Delivered } from "../load.ts";
import { Load, type Server, startLeast, startSkein } from "../processes.ts";
import { park, registered, unregistered } from "../queues.ts";
import { inTurn, median, ratioOf } from "../ratio.ts";
import { type Account, sending } from "../requests.ts";
import { atLeast, atMost, type Line, rounded, within } from "../row.ts";
import { GENERAL, type TestServers } from "../towns.ts";

const PEOPLE = 1_000;
const CROWD = 10_000;
const ROUNDS = 9;
/** Runs until the code is compiled. */
const WARM_UP = 4;
const ASIDE_SENDS = 200;
const MICROSECONDS = 1_000;

/** Sends single messages, and measures the cost of a delivery and the time until the last one. */
export async function fanout(testServers: TestServers): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [polls, rounds] of [
    [100, 60],
    [1_000, 10],
  ] as const) {
    const results = await measured(testServers, polls, (load, { pid }, request) => {
      return load.ask("fanout", { request, rounds, pid });
    });
    const of = (cpu_ms: (item: Delivered) => number) =>
      ratioOf(results, (item) => (cpu_ms(item) / item.deliveries) * MICROSECONDS);
    const label = `fan-out to ${polls} parked polls`;
    const cost = `${label}, CPU a delivery`;
    lines.push(
      atMost(
        { what: cost, goal: 1.15, unit: "µs" },
        of((item) => item.delivering_ms),
      ),
    );
    const cycle = `${cost} and the poll that follows`;
    lines.push(
      atMost(
        { what: cycle, goal: 1.15, unit: "µs" },
        of((item) => item.cycle_ms),
      ),
    );
    const took = ratioOf(results, ({ p50_ms }) => p50_ms);
    lines.push(atMost({ what: `${label}, send to last, p50`, goal: 1.3, unit: "ms" }, took));
  }
  return lines;
}

/** Four messages in progress at once. */
export async function flight(testServers: TestServers): Promise<Line[]> {
  const results = await measured(testServers, PEOPLE, (load, _, request) => {
    return load.ask("flight", { request, rounds: 60, flight: 4 });
  });
  const what = "fan-out to 1,000 members, 4 messages in flight, deliveries a second";
  return [
    atLeast(
      { what, goal: 0.7, unit: "/s" },
      ratioOf(results, (perSecond) => perSecond),
    ),
  ];
}

async function measured<T>(
  testServers: TestServers,
  polls: number,
  turn: (load: Load, server: Server, request: string) => Promise<T>,
): Promise<{ ours: T[]; theirs: T[] }> {
  const testServer = await testServers.copied({ people: PEOPLE });
  const [speaker] = testServer.people as [Account];
  const request = sending(speaker, GENERAL, "news");
  using load = new Load();
  using leastLoad = new Load();
  await using skein = await startSkein(testServer.directory);
  await park(load, await registered(load, skein, testServer.people, polls));
  for (let warm = 0; warm < WARM_UP; warm++) await turn(load, skein, request);
  const length = eventLength(await load.ask("last_answer", null));
  await using least = await startLeast("tell", String(length));
  await park(leastLoad, unregistered(least, speaker, polls));
  for (let warm = 0; warm < WARM_UP; warm++) await turn(leastLoad, least, request);
  return await inTurn(
    ROUNDS,
    () => turn(load, skein, request),
    () => turn(leastLoad, least, request),
  );
}

/** Another user's send to an unrelated channel while many polls are answered. */
export async function bystander(testServers: TestServers): Promise<Line[]> {
  const testServer = await testServers.copied({ people: CROWD, channels: 1, subscribers: 10 });
  const [speaker, other] = testServer.people as [Account, Account];
  using load = new Load();
  using otherLoad = new Load();
  await using skein = await startSkein(testServer.directory);
  await park(load, await registered(load, skein, testServer.people.slice(2), CROWD - 2));
  const news = sending(speaker, GENERAL, "news");
  const aside = [sending(other, testServer.channels[0]!, "aside")];
  const sends = { port: skein.port, requests: aside, count: ASIDE_SENDS, pause_ms: 2 };
  const answering = async () => {
    const rounds = load.ask("flight", { request: news, rounds: 4, flight: 1 });
    const { p99_ms } = await otherLoad.ask("send", sends);
    await rounds;
    return p99_ms;
  };
  const quiet = async () => (await otherLoad.ask("send", sends)).p99_ms;
  const { ours, theirs } = await inTurn(ROUNDS, answering, quiet);
  const what = "another person's send while 10,000 polls are answered, p99";
  const line = within({ what, goal: 10, unit: "ms" }, median(ours), ours);
  return [{ ...line, theirs: `${rounded(median(theirs))} ms while nobody is answered` }];
}

function eventLength(answer: string): number {
  const { events } = JSON.parse(answer) as { events: object[] };
  return JSON.stringify(events[0]).length;
}
