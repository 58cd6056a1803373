// CPU time of single kinds of requests, in many short alternating runs.
import { topicAt } from "../fill.ts";
import { Load, type Server } from "../processes.ts";
import { registerQueues } from "../queues.ts";
import { measureAlternately } from "../ratio.ts";
import { type Account, getRequest, postRequest, sendRequest } from "../requests.ts";
import { GENERAL, type Dataset } from "../datasets.ts";
import { line, type MeasuredRow, MICROSECONDS, open, type Build } from "./side.ts";

const ROUNDS = 60;
const CONNECTIONS = 16;
const WARM_UP = 12;

interface Kind {
  label: string;
  count: number;
  requests(dataset: Dataset, load: Load, server: Server): string[] | Promise<string[]>;
}

const firstUsers = ({ people }: Dataset) => people.slice(0, CONNECTIONS);
const requestPerUser = (request: (person: Account) => string) => (dataset: Dataset) =>
  firstUsers(dataset).map(request);

const kinds: readonly Kind[] = [
  {
    label: "GET /users/me",
    count: 1_500,
    requests: requestPerUser((account) => getRequest(account, "/users/me")),
  },
  {
    label: "GET /events, at once",
    count: 1_500,
    async requests(dataset, load, server) {
      const { polls } = await registerQueues(load, server, dataset.people, CONNECTIONS);
      return polls.map(({ request }) =>
        request.replace("last_event_id=", "last_event_id=-1&dont_block=true"),
      );
    },
  },
  {
    label: "GET /messages, the newest 100 of a topic",
    count: 160,
    requests: ({ people, channels }) => {
      const narrow = [
        { operator: "channel", operand: channels[0]! },
        { operator: "topic", operand: topicAt(1) },
      ];
      const params = { anchor: "newest", num_before: 100, num_after: 0, narrow };
      return people
        .slice(0, CONNECTIONS)
        .map((account) => getRequest(account, "/messages", params));
    },
  },
  {
    label: "POST /messages",
    count: 400,
    requests: requestPerUser((account) => sendRequest(account, GENERAL, "news")),
  },
  {
    label: "POST /register",
    count: 32,
    requests: requestPerUser((account) =>
      postRequest(account, "/register", { apply_markdown: true }),
    ),
  },
  {
    label: "POST /typing",
    count: 800,
    requests: requestPerUser((account) =>
      postRequest(account, "/typing", { op: "start", type: "direct", to: [account.user_id] }),
    ),
  },
  {
    label: "GET /livez",
    count: 1_500,
    requests: requestPerUser((account) => getRequest(account, "/livez").replace("/api/v1", "")),
  },
];

export async function requests(candidate: Build, baseline: Build): Promise<MeasuredRow[]> {
  await using candidateServer = await open(candidate);
  await using baselineServer = await open(baseline);
  using load = new Load();
  const measured: MeasuredRow[] = [];
  for (const { label, count, requests } of kinds) {
    const measureServer = async (server: Server, { dataset }: Build) => {
      const requestTexts = await requests(dataset, load, server);
      return async () => {
        const before = server.cpu_ms;
        await load.ask("send", { port: server.port, requests: requestTexts, count });
        return ((server.cpu_ms - before) / count) * MICROSECONDS;
      };
    };
    const [candidateTurn, baselineTurn] = [
      await measureServer(candidateServer, candidate),
      await measureServer(baselineServer, baseline),
    ];
    await measureAlternately(WARM_UP, candidateTurn, baselineTurn);
    const results = await measureAlternately(ROUNDS, candidateTurn, baselineTurn);
    measured.push(line(`${label}, CPU`, "µs", results, (cpu_us) => cpu_us));
  }
  return measured;
}
