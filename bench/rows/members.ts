// Costs that must not grow with a channel's subscribers: sending and subscribing.
import { Load, type Server, startLeast, startSkein } from "../processes.ts";
import { inTurn, median, ratioOf } from "../ratio.ts";
import { type Account, posting, sending } from "../requests.ts";
import { atMost, type Line, within } from "../row.ts";
import { storedBytes } from "../stored-bytes.ts";
import { GENERAL, type TestServer, type TestServers } from "../towns.ts";

const CROWD = 10_000;
const JOINING = 1_000;
const FEW = 100;
const ROUNDS = 9;
const SENDS = 500;
const STORED_SENDS = 2_500;
const STORED_TURNS = 3;
/** Sends until the code is compiled. */
const WARM_UP = 25_000;

/** To 10,000 subscribers and to 10, none of whom has a queue. */
export async function subscribers(testServers: TestServers): Promise<Line[]> {
  const what = "a send to 10,000 subscribers over 10, all away";
  const stored = ratioOf(await storedInTurn(testServers), (bytes) => bytes);
  const cost = ratioOf(await alternatingCosts(testServers), (ms) => ms);
  return [
    atMost({ what: `${what}, bytes stored`, goal: 1.05, unit: "B" }, stored),
    atMost({ what: `${what}, CPU`, goal: 1.1, unit: "ms" }, cost),
  ];
}

const plan = { people: CROWD, channels: 1, subscribers: 10 };
const everyone: (testServer: TestServer) => typeof GENERAL = () => GENERAL;
const few = ({ channels }: TestServer) => channels[0]!;

/** Each in its own copy with the same number of sends, so that both do the same deferred work. */
async function storedInTurn(testServers: TestServers) {
  const stored = async (channelIn: (testServer: TestServer) => number) => {
    const testServer = await testServers.copied(plan);
    const before = storedBytes(testServer.directory);
    {
      await using skein = await startSkein(testServer.directory);
      using load = new Load();
      const requests = [sending(testServer.people[0]!, channelIn(testServer), "news")];
      await load.ask("send", { port: skein.port, requests, count: STORED_SENDS });
    }
    return (storedBytes(testServer.directory) - before) / STORED_SENDS;
  };
  return inTurn(
    STORED_TURNS,
    () => stored(everyone),
    () => stored(few),
  );
}

async function alternatingCosts(testServers: TestServers) {
  const testServer = await testServers.copied(plan);
  using load = new Load();
  await using skein = await startSkein(testServer.directory);
  const sends = async (stream_id: number, count: number, senders: readonly Account[]) => {
    const requests = senders.map((sender) => sending(sender, stream_id, "news"));
    const before = skein.cpu_ms;
    await load.ask("send", { port: skein.port, requests, count });
    return (skein.cpu_ms - before) / count;
  };
  await sends(GENERAL, WARM_UP, testServer.people.slice(0, 64));
  const cost = (stream_id: number) => () => sends(stream_id, SENDS, testServer.people.slice(0, 1));
  return await inTurn(ROUNDS, cost(everyone(testServer)), cost(few(testServer)));
}

/** A thousand users subscribe and register in sequence. */
export async function joining(testServers: TestServers): Promise<Line[]> {
  const shown: { all: number; growth: number }[] = [];
  const skein = async () => {
    const testServer = await testServers.copied({ people: JOINING, channels: 1, subscribers: 1 });
    await using server = await startSkein(testServer.directory);
    const took = await joined(server, testServer);
    shown.push(took);
    return took.all;
  };
  const least = async () => {
    const testServer = await testServers.shared({ people: JOINING, channels: 1, subscribers: 1 });
    await using server = await startLeast("store", testServers.empty());
    return (await joined(server, testServer)).all;
  };
  const results = await inTurn(5, skein, least);
  const growth = shown.slice(1).map((item) => item.growth);
  const what = "1,000 people subscribe and register, one after another";
  const grown = `${what}: the last ${FEW} over the second ${FEW}`;
  return [
    atMost(
      { what, goal: 5, unit: "ms" },
      ratioOf(results, (ms) => ms),
    ),
    within({ what: grown, goal: 1.15, unit: "times" }, median(growth), growth),
  ];
}

async function joined({ port }: Server, { people }: TestServer) {
  using load = new Load();
  const durations: number[] = [];
  for (let first = 0; first < people.length; first += FEW) {
    const requests = people.slice(first, first + FEW).flatMap((person) => [
      posting(person, "/users/me/subscriptions", { subscriptions: [{ name: "channel 1" }] }),
      posting(person, "/register", {
        event_types: ["message", "subscription"],
        fetch_event_types: [],
      }),
    ]);
    const startedAt = performance.now();
    await load.ask("ask", { port, requests });
    durations.push(performance.now() - startedAt);
  }
  const all = durations.reduce((sum, ms) => sum + ms, 0);
  // The first ones include compilation.
  return { all, growth: durations.at(-1)! / durations[1]! };
}
