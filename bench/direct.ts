// Measures how much CPU time the routes that bypass the plug-ins save: `bun bench/direct.ts`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Load, type Server, startBuilt } from "./processes.ts";
import { registered } from "./queues.ts";
import { inTurn, ratioOf } from "./ratio.ts";
import { sending } from "./requests.ts";
import { atMost, type Line } from "./row.ts";
import { GENERAL, type TestServer, TestServers } from "./towns.ts";

const THROUGH_PLUGINS = join(import.meta.dir, "through-plugins.ts");
const MAIN = join(import.meta.dir, "../src/main.ts");
const FROM_SOURCE = [process.execPath];
const ROUNDS = 40;
const WARM_UP = 12;
const CONNECTIONS = 16;
/** A saving of less than 3 % is not worth the code. */
const GOAL = 0.97;

type RequestsOf = (
  testServer: TestServer,
  load: Load,
  server: Server,
) => string[] | Promise<string[]>;

const KINDS: readonly { what: string; count: number; requests: RequestsOf }[] = [
  {
    what: "GET /events, at once",
    count: 1_500,
    async requests({ people }, load, server) {
      const { polls } = await registered(load, server, people, CONNECTIONS);
      return polls.map(({ request }) =>
        request.replace("last_event_id=", "last_event_id=-1&dont_block=true"),
      );
    },
  },
  {
    what: "POST /messages, one sender",
    count: 200,
    requests: ({ people }) => [sending(people[0]!, GENERAL, "news")],
  },
];

async function direct(testServers: TestServers): Promise<Line[]> {
  const plan = { people: 1_000, channels: 10, subscribers: 10 };
  const [here, there] = [await testServers.copied(plan), await testServers.copied(plan)];
  await using ours = await startBuilt(MAIN, here.directory, FROM_SOURCE);
  await using theirs = await startBuilt(THROUGH_PLUGINS, there.directory, FROM_SOURCE);
  using load = new Load();
  const lines: Line[] = [];
  for (const { what, count, requests } of KINDS) {
    const turnOf = async (server: Server, testServer: TestServer) => {
      const requested = await requests(testServer, load, server);
      return async () => {
        const before = server.cpu_ms;
        await load.ask("send", { port: server.port, requests: requested, count });
        return ((server.cpu_ms - before) / count) * 1_000;
      };
    };
    const [direct, plugged] = [await turnOf(ours, here), await turnOf(theirs, there)];
    await inTurn(WARM_UP, direct, plugged);
    const results = await inTurn(ROUNDS, direct, plugged);
    const expected = { what: `${what}, past the plug-ins, CPU`, goal: GOAL, unit: "µs" };
    lines.push(
      atMost(
        expected,
        ratioOf(results, (cpu_us) => cpu_us),
      ),
    );
  }
  return lines;
}

const folder = mkdtempSync(join(tmpdir(), "skein-direct-"));
try {
  for (const { what, result, spread, ours, theirs } of await direct(new TestServers(folder))) {
    console.log([what, result, spread, ours, theirs].join("  "));
  }
} finally {
  rmSync(folder, { recursive: true });
}
