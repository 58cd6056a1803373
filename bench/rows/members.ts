// Costs that must not grow with a channel's subscribers: sending and subscribing.
import { Load, type Server, startBareServer, startSkein } from "../processes.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { type Account, postRequest, sendRequest } from "../requests.ts";
import { lineAtMost, type Line, lineWithin } from "../row.ts";
import { storedBytes } from "../stored-bytes.ts";
import { GENERAL, type Dataset, type Datasets } from "../datasets.ts";

const PEOPLE = 10_000;
const JOINING_USERS = 1_000;
const BATCH = 100;
const ROUNDS = 9;
const SENDS = 500;
const STORED_SENDS = 2_500;
const STORED_TURNS = 3;
/** Sends until the code is compiled. */
const WARM_UP = 25_000;

/** Sends to 10,000 subscribers and to 10, none of whom has a queue. */
export async function subscribers(datasets: Datasets): Promise<Line[]> {
  const label = "a send to 10,000 subscribers over 10, all away";
  const bytesStored = ratioOf(await storedInTurn(datasets), (bytes) => bytes);
  const cost = ratioOf(await alternatingCosts(datasets), (ms) => ms);
  return [
    lineAtMost({ label: `${label}, bytes stored`, goal: 1.05, unit: "B" }, bytesStored),
    lineAtMost({ label: `${label}, CPU`, goal: 1.1, unit: "ms" }, cost),
  ];
}

const plan = { people: PEOPLE, channels: 1, subscribers: 10 };
const generalChannel: (dataset: Dataset) => typeof GENERAL = () => GENERAL;
const smallChannel = ({ channels }: Dataset) => channels[0]!;

/** Sends in separate copies, the same number in each, so that both do the same deferred work. */
async function storedInTurn(datasets: Datasets) {
  const storedGrowth = async (channelIn: (dataset: Dataset) => number) => {
    const dataset = await datasets.createCopy(plan);
    const before = storedBytes(dataset.directory);
    {
      await using skein = await startSkein(dataset.directory);
      using load = new Load();
      const requests = [sendRequest(dataset.people[0]!, channelIn(dataset), "news")];
      await load.ask("send", { port: skein.port, requests, count: STORED_SENDS });
    }
    return (storedBytes(dataset.directory) - before) / STORED_SENDS;
  };
  return measureAlternately(
    STORED_TURNS,
    () => storedGrowth(generalChannel),
    () => storedGrowth(smallChannel),
  );
}

async function alternatingCosts(datasets: Datasets) {
  const dataset = await datasets.createCopy(plan);
  using load = new Load();
  await using skein = await startSkein(dataset.directory);
  const cpuOfSends = async (stream_id: number, count: number, senders: readonly Account[]) => {
    const requests = senders.map((sender) => sendRequest(sender, stream_id, "news"));
    const before = skein.cpu_ms;
    await load.ask("send", { port: skein.port, requests, count });
    return (skein.cpu_ms - before) / count;
  };
  await cpuOfSends(GENERAL, WARM_UP, dataset.people.slice(0, 64));
  const sendCost = (stream_id: number) => () =>
    cpuOfSends(stream_id, SENDS, dataset.people.slice(0, 1));
  return await measureAlternately(
    ROUNDS,
    sendCost(generalChannel(dataset)),
    sendCost(smallChannel(dataset)),
  );
}

/** A thousand users subscribe and register in sequence. */
export async function joining(datasets: Datasets): Promise<Line[]> {
  const shown: { all: number; growth: number }[] = [];
  const skein = async () => {
    const dataset = await datasets.createCopy({
      people: JOINING_USERS,
      channels: 1,
      subscribers: 1,
    });
    await using server = await startSkein(dataset.directory);
    const timings = await measureJoins(server, dataset);
    shown.push(timings);
    return timings.all;
  };
  const bareServer = async () => {
    const dataset = await datasets.createShared({
      people: JOINING_USERS,
      channels: 1,
      subscribers: 1,
    });
    await using server = await startBareServer("store", datasets.createEmptyFolder());
    return (await measureJoins(server, dataset)).all;
  };
  const results = await measureAlternately(5, skein, bareServer);
  const growth = shown.slice(1).map((item) => item.growth);
  const label = "1,000 people subscribe and register, one after another";
  const growthLabel = `${label}: the last ${BATCH} over the second ${BATCH}`;
  return [
    lineAtMost(
      { label, goal: 5, unit: "ms" },
      ratioOf(results, (ms) => ms),
    ),
    lineWithin({ label: growthLabel, goal: 1.15, unit: "times" }, median(growth), growth),
  ];
}

async function measureJoins({ port }: Server, { people }: Dataset) {
  using load = new Load();
  const durations: number[] = [];
  for (let first = 0; first < people.length; first += BATCH) {
    const requests = people.slice(first, first + BATCH).flatMap((person) => [
      postRequest(person, "/users/me/subscriptions", { subscriptions: [{ name: "channel 1" }] }),
      postRequest(person, "/register", {
        event_types: ["message", "subscription"],
        fetch_event_types: [],
      }),
    ]);
    const startedAt = performance.now();
    await load.ask("ask", { port, requests });
    durations.push(performance.now() - startedAt);
  }
  const all = durations.reduce((sum, ms) => sum + ms, 0);
  // The durations of the first ones include compilation.
  return { all, growth: durations.at(-1)! / durations[1]! };
}
