// Memory of a waiting poll, and of an idle server.
import { Load, type Server, startLeast, startSkein } from "../processes.ts";
import { park, registered, unregistered } from "../queues.ts";
import { inTurn, median, ratioOf } from "../ratio.ts";
import { getting } from "../requests.ts";
import { atMost, type Line, within } from "../row.ts";
import type { TestServers } from "../towns.ts";

const POLLS = 10_000;
const PEOPLE = 1_000;
const ROUNDS = 3;
/** Time until garbage collection has run. */
const QUIET_MS = 5_000;
const MEBIBYTE = 2 ** 20;
const KIBIBYTE = 2 ** 10;

export async function queues(testServers: TestServers): Promise<Line[]> {
  const testServer = await testServers.shared({ people: PEOPLE });
  const someone = testServer.people[0]!;
  const skein = async () => {
    const { directory } = await testServers.copied({ people: PEOPLE });
    using load = new Load();
    await using server = await startSkein(directory);
    return await growth(server, async () => {
      await park(load, await registered(load, server, testServer.people, POLLS));
    });
  };
  const least = async () => {
    using load = new Load();
    await using server = await startLeast("tell", "1000");
    return await growth(server, () => park(load, unregistered(server, someone, POLLS)));
  };
  const results = await inTurn(ROUNDS, skein, least);
  const perQueue = ratioOf(results, (bytes) => bytes / POLLS / KIBIBYTE);
  const what = "memory an open queue with a parked poll, 10,000 of them";
  return [atMost({ what, goal: 1.5, unit: "KiB" }, perQueue)];
}

async function growth(server: Server, work: () => Promise<void>): Promise<number> {
  await Bun.sleep(QUIET_MS);
  const before = server.memory_bytes;
  await work();
  await Bun.sleep(QUIET_MS);
  return server.memory_bytes - before;
}

export async function idle(testServers: TestServers): Promise<Line[]> {
  const testServer = await testServers.copied({ people: PEOPLE });
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    using load = new Load();
    await using skein = await startSkein(testServer.directory);
    const requests = [getting(testServer.people[0]!, "/users/me")];
    await load.ask("ask", { port: skein.port, requests });
    await Bun.sleep(QUIET_MS);
    taken.push(skein.memory_bytes / MEBIBYTE);
  }
  const what = "resident memory idle, 1,000 users";
  return [within({ what, goal: 64, unit: "MiB" }, median(taken), taken)];
}
