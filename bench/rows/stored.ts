// Measures how reading a topic and registering grow with the number of stored messages.
import { topicAt } from "../fill.ts";
import { Load, startSkein } from "../processes.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { getRequest, postRequest } from "../requests.ts";
import { lineAtMost, type Line, lineWithin } from "../row.ts";
import type { Dataset, Datasets } from "../datasets.ts";

export const MILLION = 1_000_000;
const UNREAD = 10_000;
/** The smallest test server with this many unread messages, and a thousand others. */
const SMALL = UNREAD + 1_000;
const THOUSAND = 1_000;
const ROUNDS = 9;
const FETCHES = 100;
const REGISTER_CALLS = 20;
const WARM_UP = 300;

/** A thousand users and a hundred channels; the first user is subscribed to all of them. */
export function storedServer(datasets: Datasets, messages: number): Promise<Dataset> {
  const unread = Math.min(UNREAD, messages);
  return datasets.createShared({
    people: 1_000,
    channels: 100,
    subscribers: 100,
    messages,
    unread,
  });
}

/** All messages in one channel with ten topics, so that each topic has enough of them. */
export async function newest(datasets: Datasets): Promise<Line[]> {
  const smallDataset = await datasets.createCopy({
    people: 100,
    channels: 1,
    subscribers: 100,
    messages: THOUSAND,
  });
  const large = await storedServer(datasets, MILLION);
  using load = new Load();
  await using few = await startSkein(smallDataset.directory);
  await using largeServer = await startSkein(large.directory);
  const fetchRequests = ({ people, channels }: Dataset) => {
    const narrow = [
      { operator: "channel", operand: channels[0]! },
      { operator: "topic", operand: topicAt(1) },
    ];
    const params = { anchor: "newest", num_before: 100, num_after: 0, narrow };
    return [getRequest(people[0]!, "/messages", params)];
  };
  const fetch = (dataset: Dataset, { port }: { port: number }, count: number) =>
    load.ask("send", { port, requests: fetchRequests(dataset), count });
  await fetch(smallDataset, few, WARM_UP);
  await fetch(large, largeServer, WARM_UP);
  const results = await measureAlternately(
    ROUNDS,
    () => fetch(large, largeServer, FETCHES),
    () => fetch(smallDataset, few, FETCHES),
  );
  const label = "newest 100 messages of a topic, 1,000,000 stored over 1,000, p50";
  return [
    lineAtMost(
      { label, goal: 1.3, unit: "ms" },
      ratioOf(results, ({ p50_ms }) => p50_ms),
    ),
  ];
}

export async function register(datasets: Datasets): Promise<Line[]> {
  const smallServer = await storedServer(datasets, SMALL);
  const large = await storedServer(datasets, MILLION);
  using load = new Load();
  await using few = await startSkein(smallServer.directory);
  await using largeServer = await startSkein(large.directory);
  const cost = (dataset: Dataset, server: { port: number; cpu_ms: number }) => async () => {
    const before = server.cpu_ms;
    const requests = [postRequest(dataset.people[0]!, "/register", { apply_markdown: true })];
    await load.ask("send", { port: server.port, requests, count: REGISTER_CALLS });
    return (server.cpu_ms - before) / REGISTER_CALLS;
  };
  for (let round = 0; round < WARM_UP / REGISTER_CALLS / 3; round++) {
    await cost(large, largeServer)();
    await cost(smallServer, few)();
  }
  const results = await measureAlternately(
    ROUNDS,
    cost(large, largeServer),
    cost(smallServer, few),
  );
  const label = "1,000 users, 100 subscriptions, 10,000 unread";
  const growth = `register, ${label}, CPU, 1,000,000 stored over ${SMALL.toLocaleString("en-US")}`;
  const unit = "ms";
  return [
    lineWithin(
      { label: `register, ${label}, CPU`, goal: 10, unit },
      median(results.candidate),
      results.candidate,
    ),
    lineAtMost(
      { label: growth, goal: 1.2, unit },
      ratioOf(results, (ms) => ms),
    ),
  ];
}
