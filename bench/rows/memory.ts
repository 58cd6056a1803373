// Memory of a waiting poll, and of an idle server.
import { Load, type Server, startBareServer, startSkein } from "../processes.ts";
import { park, registerQueues, deleteQueues } from "../queues.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { getRequest } from "../requests.ts";
import { lineAtMost, type Line, lineWithin } from "../row.ts";
import type { Datasets } from "../datasets.ts";

const POLLS = 10_000;
/** These are opened before, because the first ones load code and fill caches. */
const FIRST_POLLS = 1_000;
const PEOPLE = 1_000;
const ROUNDS = 3;
/** Time until garbage collection has run. */
const QUIET_MS = 5_000;
const MEBIBYTE = 2 ** 20;
const KIBIBYTE = 2 ** 10;

export async function queues(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createShared({ people: PEOPLE });
  const someone = dataset.people[0]!;
  const skein = async () => {
    const { directory } = await datasets.createCopy({ people: PEOPLE });
    using firstLoad = new Load();
    using load = new Load();
    await using server = await startSkein(directory);
    await park(firstLoad, await registerQueues(firstLoad, server, dataset.people, FIRST_POLLS));
    return await growth(server, async () => {
      await park(load, await registerQueues(load, server, dataset.people, POLLS));
    });
  };
  const bareServer = async () => {
    using firstLoad = new Load();
    using load = new Load();
    await using server = await startBareServer("fan-out", "1000");
    await park(firstLoad, deleteQueues(server, someone, FIRST_POLLS));
    return await growth(server, () => park(load, deleteQueues(server, someone, POLLS)));
  };
  const results = await measureAlternately(ROUNDS, skein, bareServer);
  const perQueue = ratioOf(results, (bytes) => bytes / POLLS / KIBIBYTE);
  const label = "memory of an open queue with a parked poll, 10,000 more of them";
  return [lineAtMost({ label, goal: 1.5, unit: "KiB" }, perQueue)];
}

async function growth(server: Server, work: () => Promise<void>): Promise<number> {
  await Bun.sleep(QUIET_MS);
  const before = server.memory_bytes;
  await work();
  await Bun.sleep(QUIET_MS);
  return server.memory_bytes - before;
}

export async function idle(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  const [resident, own]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    using load = new Load();
    await using skein = await startSkein(dataset.directory);
    const requests = [getRequest(dataset.people[0]!, "/users/me")];
    await load.ask("ask", { port: skein.port, requests });
    await Bun.sleep(QUIET_MS);
    resident.push(skein.resident_bytes / MEBIBYTE);
    own.push(skein.memory_bytes / MEBIBYTE);
  }
  const all = { label: "resident memory idle, 1,000 users", goal: 80, unit: "MiB" };
  const part = { label: "private memory idle, 1,000 users", goal: 64, unit: "MiB" };
  return [lineWithin(all, median(resident), resident), lineWithin(part, median(own), own)];
}
