// Cost of a request compared with the minimal server: `GET /users/me`.
import { Load, type Server, startBareServer, startSkein } from "../processes.ts";
import { measureAlternately, ratioOf } from "../ratio.ts";
import { getRequest } from "../requests.ts";
import { lineAtLeast, type Line } from "../row.ts";
import type { Datasets } from "../datasets.ts";

const CONNECTIONS = 32;
const REQUESTS = 20_000;
const ROUNDS = 9;

export async function overhead(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: 1_000 });
  const requests = dataset.people
    .slice(0, CONNECTIONS)
    .map((person) => getRequest(person, "/users/me"));
  await using skein = await startSkein(dataset.directory);
  await using bareServer = await startBareServer("store", datasets.createEmptyFolder());
  using load = new Load();
  const measureServer = (server: Server) => async () => {
    const before = server.cpu_ms;
    const { port } = server;
    const { per_second } = await load.ask("send", { port, requests, count: REQUESTS });
    return { per_second, per_cpu_second: REQUESTS / ((server.cpu_ms - before) / 1000) };
  };
  const results = await measureAlternately(ROUNDS, measureServer(skein), measureServer(bareServer));
  const label = "GET /users/me against a bare server, requests a second";
  const ofCpu = `${label} of CPU`;
  return [
    lineAtLeast(
      { label, goal: 0.5, unit: "/s" },
      ratioOf(results, ({ per_second }) => per_second),
    ),
    lineAtLeast(
      { label: ofCpu, goal: 0.5, unit: "/s" },
      ratioOf(results, (item) => item.per_cpu_second),
    ),
  ];
}
