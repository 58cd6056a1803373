// Measures how much CPU time the routes that bypass the plugins save: `bun bench/direct.ts`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Load, type Server, startBuilt } from "./processes.ts";
import { registerQueues } from "./queues.ts";
import { measureAlternately, ratioOf } from "./ratio.ts";
import { sendRequest } from "./requests.ts";
import { lineAtMost, type Line } from "./row.ts";
import { GENERAL, type Dataset, Datasets } from "./datasets.ts";

const THROUGH_PLUGINS = join(import.meta.dir, "through-plugins.ts");
const MAIN = join(import.meta.dir, "../src/main.ts");
const FROM_SOURCE = [process.execPath];
const ROUNDS = 40;
const WARM_UP = 12;
const CONNECTIONS = 16;
/** A saving of less than 3 % is not worth the code. */
const GOAL = 0.97;

type RequestsOf = (dataset: Dataset, load: Load, server: Server) => string[] | Promise<string[]>;

const KINDS: readonly { label: string; count: number; requests: RequestsOf }[] = [
  {
    label: "GET /events, at once",
    count: 1_500,
    async requests({ people }, load, server) {
      const { polls } = await registerQueues(load, server, people, CONNECTIONS);
      return polls.map(({ request }) =>
        request.replace("last_event_id=", "last_event_id=-1&dont_block=true"),
      );
    },
  },
  {
    label: "POST /messages, one sender",
    count: 200,
    requests: ({ people }) => [sendRequest(people[0]!, GENERAL, "news")],
  },
];

async function direct(datasets: Datasets): Promise<Line[]> {
  const plan = { people: 1_000, channels: 10, subscribers: 10 };
  const [directDataset, pluginDataset] = [
    await datasets.createCopy(plan),
    await datasets.createCopy(plan),
  ];
  await using candidate = await startBuilt(MAIN, directDataset.directory, FROM_SOURCE);
  await using baseline = await startBuilt(THROUGH_PLUGINS, pluginDataset.directory, FROM_SOURCE);
  using load = new Load();
  const lines: Line[] = [];
  for (const { label, count, requests } of KINDS) {
    const measureServer = async (server: Server, dataset: Dataset) => {
      const requested = await requests(dataset, load, server);
      return async () => {
        const before = server.cpu_ms;
        await load.ask("send", { port: server.port, requests: requested, count });
        return ((server.cpu_ms - before) / count) * 1_000;
      };
    };
    const [direct, plugged] = [
      await measureServer(candidate, directDataset),
      await measureServer(baseline, pluginDataset),
    ];
    await measureAlternately(WARM_UP, direct, plugged);
    const results = await measureAlternately(ROUNDS, direct, plugged);
    const expected = { label: `${label}, past the plugins, CPU`, goal: GOAL, unit: "µs" };
    lines.push(
      lineAtMost(
        expected,
        ratioOf(results, (cpu_us) => cpu_us),
      ),
    );
  }
  return lines;
}

const folder = mkdtempSync(join(tmpdir(), "skein-direct-"));
try {
  for (const { label, result, spread, candidate, baseline } of await direct(new Datasets(folder))) {
    console.log([label, result, spread, candidate, baseline].join("  "));
  }
} finally {
  rmSync(folder, { recursive: true });
}
