// How many users a build can serve who write and receive messages all the time.
import { Load, type Server, startBuilt } from "../processes.ts";
import { park, registerQueues } from "../queues.ts";
import { sendRequest } from "../requests.ts";
import { line, type Build, type MeasuredRow } from "./side.ts";

const CHANNELS = 20;
/** As in the prepared data: the first user, who is in all channels, and nine others. */
const SUBSCRIBERS = 10;
/** Of each of the others, so that a channel has 99 clients. */
const CLIENTS = 11;
const SENDS_PER_MINUTE = 3;
const P99_MAX_MS = 50;
const WARM_SENDS = 500;
const WARM_SENDERS = 16;
const SECONDS = 4;
const FIRST_SENDS_PER_SECOND = 40;
const STEP = 1.15;
const ROUNDS = 3;

/** Returns the p99 at a rate of sends a second. */
type Measure = (per_second: number) => Promise<number>;

/**
 * The rate of sends rises until the answers' p99 is too long, on both processors. The number of
 * people follows from the rate; the number of clients that wait for events stays the same.
 */
export async function capacity(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  await using candidateServer = await startBuilt(candidate.executable, candidate.dataset.directory);
  await using baselineServer = await startBuilt(baseline.executable, baseline.dataset.directory);
  using candidateLoad = new Load();
  using baselineLoad = new Load();
  const measures = [
    await prepare(candidateServer, candidateLoad, candidate),
    await prepare(baselineServer, baselineLoad, baseline),
  ];
  const results = { candidate: [] as number[], baseline: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const [own = 0, others = 0] = await highestRates(measures);
    results.candidate.push(own);
    results.baseline.push(others);
  }
  const label = `people who write ${SENDS_PER_MINUTE} times a minute, p99 up to ${P99_MAX_MS} ms`;
  return [line(label, "people", results, (rate) => (rate * 60) / SENDS_PER_MINUTE)];
}

async function prepare(server: Server, load: Load, { dataset }: Build): Promise<Measure> {
  const { people, channels } = dataset;
  const membersOf = (number: number) =>
    people.slice(number * SUBSCRIBERS + 1, (number + 1) * SUBSCRIBERS);
  const numbers = Array.from({ length: CHANNELS }, (_, index) => index + 1);
  const members = numbers.flatMap(membersOf);
  const clients = Array.from({ length: CLIENTS }, () => members).flat();
  await park(load, await registerQueues(load, server, clients, clients.length));
  const requests = numbers.flatMap((number) =>
    membersOf(number).map((person) => sendRequest(person, channels[number - 1]!, "news")),
  );
  const { port } = server;
  const warmRequests = requests.slice(0, WARM_SENDERS);
  await load.ask("send", { port, requests: warmRequests, count: WARM_SENDS });
  return async (per_second) => {
    return (await load.ask("paced", { port, requests, per_second, seconds: SECONDS })).p99_ms;
  };
}

/** In turn; a build ends when two measurements at a rate are too long. */
async function highestRates(measures: readonly Measure[]): Promise<number[]> {
  const highest = measures.map(() => 0);
  const open = new Set(measures.keys());
  for (let rate = FIRST_SENDS_PER_SECOND; open.size > 0; rate *= STEP) {
    for (const index of [...open]) {
      const isFast = async () => (await measures[index]!(rate)) <= P99_MAX_MS;
      if ((await isFast()) || (await isFast())) highest[index] = rate;
      else open.delete(index);
    }
  }
  return highest;
}
