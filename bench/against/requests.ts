// CPU time of single kinds of requests, in many short alternating runs.
import { Load, type Server } from "../processes.ts";
import { registered } from "../queues.ts";
import { inTurn } from "../ratio.ts";
import { type Account, getting, posting, sending } from "../requests.ts";
import { GENERAL, type TestServer } from "../towns.ts";
import { line, type Measured, MICROSECONDS, open, type Side } from "./side.ts";

const ROUNDS = 60;
const CONNECTIONS = 16;
const WARM_UP = 12;

interface Kind {
  what: string;
  count: number;
  requests(testServer: TestServer, load: Load, server: Server): string[] | Promise<string[]>;
}

const some = ({ people }: TestServer) => people.slice(0, CONNECTIONS);
const each = (request: (person: Account) => string) => (testServer: TestServer) =>
  some(testServer).map(request);

const kinds: readonly Kind[] = [
  {
    what: "GET /users/me",
    count: 1_500,
    requests: each((account) => getting(account, "/users/me")),
  },
  {
    what: "GET /events, at once",
    count: 1_500,
    async requests(testServer, load, server) {
      const { polls } = await registered(load, server, testServer.people, CONNECTIONS);
      return polls.map(({ request }) =>
        request.replace("last_event_id=", "last_event_id=-1&dont_block=true"),
      );
    },
  },
  {
    what: "POST /messages",
    count: 400,
    requests: each((account) => sending(account, GENERAL, "news")),
  },
  {
    what: "POST /register",
    count: 32,
    requests: each((account) => posting(account, "/register", { apply_markdown: true })),
  },
  {
    what: "POST /typing",
    count: 800,
    requests: each((account) =>
      posting(account, "/typing", { op: "start", type: "direct", to: [account.user_id] }),
    ),
  },
  {
    what: "GET /livez",
    count: 1_500,
    requests: each((account) => getting(account, "/livez").replace("/api/v1", "")),
  },
];

export async function requests(ours: Side, theirs: Side): Promise<Measured[]> {
  await using our = await open(ours);
  await using their = await open(theirs);
  using load = new Load();
  const measured: Measured[] = [];
  for (const { what, count, requests } of kinds) {
    const turnOf = async (server: Server, { at }: Side) => {
      const requested = await requests(at, load, server);
      return async () => {
        const before = server.cpu_ms;
        await load.ask("send", { port: server.port, requests: requested, count });
        return ((server.cpu_ms - before) / count) * MICROSECONDS;
      };
    };
    const [here, there] = [await turnOf(our, ours), await turnOf(their, theirs)];
    await inTurn(WARM_UP, here, there);
    const results = await inTurn(ROUNDS, here, there);
    measured.push(line(`${what}, CPU`, "µs", results, (cpu_us) => cpu_us));
  }
  return measured;
}
