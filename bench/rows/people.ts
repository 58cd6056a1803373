// Cost of many users: presence, first load, and password guessing.
import { Load, type Server, startSkein } from "../processes.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { type Account, getRequest, signInRequest, postRequest } from "../requests.ts";
import { lineAtMost, type Line, lineWithin } from "../row.ts";
import { PASSWORD, type Dataset, type Datasets } from "../datasets.ts";

const PEOPLE = 10_000;
const FEW_PEOPLE = 1_000;
const ROUNDS = 9;
const PING_SECONDS = 60;
/** Number of users whose presence changes between two polls. */
const CHANGES = 20;
const PRESENCE_PINGS = 200;
const REGISTER_CALLS = 4;
const ATTACKERS = 16;
const ATTACKS_PER_SECOND = 1_000;
const ATTACK_SECONDS = 2;
const OTHERS = 50;
const OTHERS_REQUESTS = 600;
/** Few enough to stay below the rate limit of one user. */
const ATTACK_TURNS = 5;

/** All clients ping once a minute: the cost of one ping times the pings per second. */
export async function presence(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  using load = new Load();
  await using skein = await startSkein(dataset.directory);
  const requests = dataset.people.map((person) => pinging(person, { ping_only: true }));
  const share: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const before = skein.cpu_ms;
    await load.ask("ask", { port: skein.port, requests });
    if (round > 0) share.push((skein.cpu_ms - before) / 1000 / PING_SECONDS);
  }
  const label = "presence: 10,000 people pinging once a minute, share of one core";
  const looks = await presenceLine(datasets);
  return [lineWithin({ label, goal: 0.05, unit: "" }, median(share), share), looks];
}

/**
 * The cost after changes of 20 users since the last poll: with 10,000 active users, compared with
 * 1,000.
 */
async function presenceLine(datasets: Datasets): Promise<Line> {
  const manyPeople = await datasets.createCopy({ people: PEOPLE });
  const few = await datasets.createCopy({ people: FEW_PEOPLE });
  await using large = await startSkein(manyPeople.directory);
  await using smallServer = await startSkein(few.directory);
  using load = new Load();
  const benchPresence = async (dataset: Dataset, server: Server) => {
    const { port } = server;
    const [viewer, ...others] = dataset.people as [Account, ...Account[]];
    const everyone = others.map((person) => pinging(person, { ping_only: true }));
    await load.ask("ask", { port, requests: everyone });
    const [response = ""] = await load.ask("ask", { port, requests: [pinging(viewer, {})] });
    const last_update_id = presenceIdIn(response) - CHANGES;
    const requests = [pinging(viewer, { last_update_id })];
    return async () => {
      const before = server.cpu_ms;
      await load.ask("send", { port, requests, count: PRESENCE_PINGS });
      return ((server.cpu_ms - before) / PRESENCE_PINGS) * 1000;
    };
  };
  const results = await measureAlternately(
    ROUNDS,
    await benchPresence(manyPeople, large),
    await benchPresence(few, smallServer),
  );
  const label = "presence with last_update_id, 20 changes, CPU, 10,000 people over 1,000";
  return lineAtMost(
    { label, goal: 1.2, unit: "µs" },
    ratioOf(results, (us) => us),
  );
}

/** Measures requests of signed-in users while an attacker at one address guesses passwords. */
export async function attack(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: OTHERS });
  await using skein = await startSkein(dataset.directory, { rate_limits: true });
  using load = new Load();
  using attacker = new Load();
  const { port } = skein;
  const requests = dataset.people.map((person) => getRequest(person, "/users/me/subscriptions"));
  const pause_ms = (ATTACK_SECONDS * 1000 * OTHERS) / OTHERS_REQUESTS;
  const sends = { port, requests, count: OTHERS_REQUESTS, pause_ms };
  const quietP99 = async () => (await load.ask("send", sends)).p99_ms;
  const guess = signInRequest(dataset.owner.email, `not ${PASSWORD}`);
  const guesses = {
    port,
    requests: Array.from({ length: ATTACKERS }, () => guess),
    count: ATTACKS_PER_SECOND * ATTACK_SECONDS,
    pause_ms: (ATTACKERS / ATTACKS_PER_SECOND) * 1000,
    expectsRejection: true,
  };
  const p99UnderAttack = async () => {
    const [p99_ms] = await Promise.all([quietP99(), attacker.ask("send", guesses)]);
    return p99_ms;
  };
  const results = await measureAlternately(ATTACK_TURNS, p99UnderAttack, quietP99);
  const label =
    "1,000 wrong passwords a second from one address: others' requests, p99 relative to no load";
  return [
    lineAtMost(
      { label, goal: 2, unit: "ms" },
      ratioOf(results, (ms) => ms),
    ),
  ];
}

/** The first load in organizations of different sizes. */
export async function populous(datasets: Datasets): Promise<Line[]> {
  const manyPeople = await datasets.createCopy({ people: PEOPLE });
  const few = await datasets.createCopy({ people: FEW_PEOPLE });
  await using large = await startSkein(manyPeople.directory);
  await using smallServer = await startSkein(few.directory);
  using load = new Load();
  const cost = (dataset: Dataset, server: Server) => async () => {
    const before = server.cpu_ms;
    const requests = [postRequest(dataset.people[0]!, "/register", { apply_markdown: true })];
    await load.ask("send", { port: server.port, requests, count: REGISTER_CALLS });
    return ((server.cpu_ms - before) / REGISTER_CALLS / dataset.people.length) * 1000;
  };
  const label = "register, CPU for each person of the organization, 10,000 over 1,000";
  const results = await measureAlternately(ROUNDS, cost(manyPeople, large), cost(few, smallServer));
  return [
    lineAtMost(
      { label, goal: 1.5, unit: "µs" },
      ratioOf(results, (us) => us),
    ),
  ];
}

function pinging(person: Account, params: Record<string, unknown>): string {
  return postRequest(person, "/users/me/presence", {
    status: "active",
    slim_presence: true,
    ...params,
  });
}

function presenceIdIn(response: string): number {
  return (JSON.parse(response) as { presence_last_update_id: number }).presence_last_update_id;
}
