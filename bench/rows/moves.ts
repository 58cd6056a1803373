// Response times of others during the move of a large topic.
import { Load, type Server, startSkein } from "../processes.ts";
import { sampleMeanwhile, ratioOf } from "../ratio.ts";
import { type Account, getRequest, patchRequest, sendRequest } from "../requests.ts";
import { lineAtMost, type Line } from "../row.ts";
import { GENERAL, type Dataset, type Datasets } from "../datasets.ts";

const MESSAGES = 100_000;
const ROUNDS = 4;
const OTHERS = 4;
/** Fewer requests than fit into the duration of a move. */
const REQUEST = 400;
const PAUSE_MS = 4;

export async function moves(datasets: Datasets): Promise<Line[]> {
  const schema = { people: 16, channels: 2, subscribers: 16 };
  const dataset = await datasets.createCopy({ ...schema, messages: MESSAGES, oneTopic: 1 });
  await using skein = await startSkein(dataset.directory);
  using load = new Load();
  using otherLoad = new Load();
  const results = await sampleMeanwhile(
    ROUNDS,
    () => p99Of(dataset, skein, otherLoad),
    (round) => move(dataset, skein, load, round),
  );
  const count = MESSAGES.toLocaleString("en-US");
  const work = `others' sends and fetches while ${count} messages are moved`;
  const label = `${work}, p99 relative to no load`;
  return [
    lineAtMost(
      { label, goal: 2, unit: "ms" },
      ratioOf(results, (ms) => ms),
    ),
  ];
}

async function p99Of({ people }: Dataset, { port }: Server, load: Load): Promise<number> {
  const newest = { anchor: "newest", num_before: 50, num_after: 0 };
  const requests = people
    .slice(1, 1 + OTHERS)
    .flatMap((other) => [
      sendRequest(other, GENERAL, "news"),
      getRequest(other, "/messages", newest),
    ]);
  return (await load.ask("send", { port, requests, count: REQUEST, pause_ms: PAUSE_MS })).p99_ms;
}

/** Moves the whole topic to the other of two channels. */
async function move(dataset: Dataset, { port }: Server, load: Load, round: number): Promise<void> {
  const mover: Account = dataset.owner;
  const [from, to] = round % 2 === 0 ? dataset.channels : dataset.channels.toReversed();
  const narrow = [{ operator: "channel", operand: from! }];
  const oldest = { anchor: "oldest", num_before: 0, num_after: 1, narrow };
  const requestText = getRequest(mover, "/messages", oldest);
  const [response = ""] = await load.ask("ask", { port, requests: [requestText] });
  const { id } = (JSON.parse(response) as { messages: { id: number }[] }).messages[0]!;
  const options = { propagate_mode: "change_all", send_notification_to_new_thread: false };
  const request = patchRequest(mover, `/messages/${id}`, { stream_id: to!, ...options });
  await load.ask("ask", { port, requests: [request] });
}
