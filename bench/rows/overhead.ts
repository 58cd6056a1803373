// Cost of a request compared with the minimal server: `GET /users/me`.
import { Load, type Server, startLeast, startSkein } from "../processes.ts";
import { inTurn, ratioOf } from "../ratio.ts";
import { getting } from "../requests.ts";
import { atLeast, type Line } from "../row.ts";
import type { TestServers } from "../towns.ts";

const CONNECTIONS = 32;
const REQUESTS = 20_000;
const ROUNDS = 9;

export async function overhead(testServers: TestServers): Promise<Line[]> {
  const testServer = await testServers.copied({ people: 1_000 });
  const requests = testServer.people
    .slice(0, CONNECTIONS)
    .map((person) => getting(person, "/users/me"));
  await using skein = await startSkein(testServer.directory);
  await using least = await startLeast("store", testServers.empty());
  using load = new Load();
  const turn = (server: Server) => async () => {
    const before = server.cpu_ms;
    const { port } = server;
    const { per_second } = await load.ask("send", { port, requests, count: REQUESTS });
    return { per_second, per_cpu_second: REQUESTS / ((server.cpu_ms - before) / 1000) };
  };
  const results = await inTurn(ROUNDS, turn(skein), turn(least));
  const what = "GET /users/me against a bare server, requests a second";
  const ofCpu = `${what} of CPU`;
  return [
    atLeast(
      { what, goal: 0.5, unit: "/s" },
      ratioOf(results, ({ per_second }) => per_second),
    ),
    atLeast(
      { what: ofCpu, goal: 0.5, unit: "/s" },
      ratioOf(results, (item) => item.per_cpu_second),
    ),
  ];
}
