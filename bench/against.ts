// `bun bench/against.ts EXECUTABLE`: what a request costs here, against another build of Skein.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../test/binary.ts";
import { Load, type Server, startBuilt } from "./processes.ts";
import { registered } from "./queues.ts";
import { inTurn, ratioOf } from "./ratio.ts";
import { type Account, getting, posting, sending } from "./requests.ts";
import { GENERAL, type TestServer, TestServers } from "./towns.ts";

/** Many and short: whatever else the machine does falls on both. */
const TURNS = 60;
const CONNECTIONS = 16;
const WARM_UP = 12;
const MICROSECONDS = 1_000;

interface Kind {
  what: string;
  count: number;
  requests(testServer: TestServer, load: Load, server: Server): string[] | Promise<string[]>;
}

const some = ({ people }: TestServer) => people.slice(0, CONNECTIONS);
const each = (request: (person: Account) => string) => (testServer: TestServer) =>
  some(testServer).map(request);

const kinds: readonly Kind[] = [
  { what: "GET /users/me", count: 1_500, requests: each((one) => getting(one, "/users/me")) },
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
  { what: "POST /messages", count: 400, requests: each((one) => sending(one, GENERAL, "news")) },
  {
    what: "POST /register",
    count: 32,
    requests: each((one) => posting(one, "/register", { apply_markdown: true })),
  },
  {
    what: "POST /typing",
    count: 800,
    requests: each((one) =>
      posting(one, "/typing", { op: "start", type: "direct", to: [one.user_id] }),
    ),
  },
  {
    what: "GET /livez",
    count: 1_500,
    requests: each((one) => getting(one, "/livez").replace("/api/v1", "")),
  },
];

const [other = "", ...chosen] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "skein-against-"));
const testServers = new TestServers(folder);
const plan = { people: 1_000 };
const [testServer, otherServer] = [await testServers.copied(plan), await testServers.copied(plan)];
{
  using load = new Load();
  await using ours = await startBuilt(await builtBinary(), testServer.directory);
  await using theirs = await startBuilt(other, otherServer.directory);
  for (const { what, count, requests } of kinds) {
    if (chosen.length > 0 && !chosen.some((part) => what.includes(part))) continue;
    const turnOf = async (server: Server, at: TestServer) => {
      const asked = await requests(at, load, server);
      return async () => {
        const before = server.cpu_ms;
        await load.ask("send", { port: server.port, requests: asked, count });
        return ((server.cpu_ms - before) / count) * MICROSECONDS;
      };
    };
    const [here, there] = [await turnOf(ours, testServer), await turnOf(theirs, otherServer)];
    await inTurn(WARM_UP, here, there);
    const gave = await inTurn(TURNS, here, there);
    const { ratio, low, high, ours: own, theirs: others } = ratioOf(gave, (one) => one);
    const singles = gave.ours.map((one, at) => one / gave.theirs[at]!).sort((a, b) => a - b);
    const middle = singles[singles.length >> 1]!;
    console.log(
      `${what}: ${own.toFixed(1)} µs over ${others.toFixed(1)} µs, ${ratio.toFixed(3)} times ` +
        `(of the turns ${low.toFixed(2)} to ${high.toFixed(2)}, median ${middle.toFixed(3)})`,
    );
  }
}
rmSync(folder, { recursive: true });
process.exit();
