// Cost of permissions, groups and many channels.
import { createGroup } from "../../src/features/groups/create.ts";
import { hasPermission } from "../../src/features/rights/access.ts";
import { openRunning } from "../../src/running.ts";
import { Load, type Server, startBareServer, startSkein } from "../processes.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { type Account, getRequest, postRequest, sendRequest } from "../requests.ts";
import { lineAtLeast, lineAtMost, type Line, lineWithin } from "../row.ts";
import { configOf, GENERAL, type Datasets } from "../datasets.ts";

const PEOPLE = 10_000;
const CHANNELS = 2_000;
const NAMING_SETTINGS = 1_000;
const DEPTH = 5;
const QUESTIONS = 1_000_000;
const ROUNDS = 9;
/** Not counted, because code that runs this rarely is not compiled before. */
const WARM_UP_TURNS = 5;
const MEMBER_TURNS = 31;
/** About ten channels are created meanwhile, each adding 10,000 records to memory. */
const SENDS_ASIDE = 100;
const ASIDE_TURNS = 5;
/** Time until the server is idle again. */
const SETTLE_MS = 200;

/** In-process: for each of 10,000 users, a permission through groups nested five deep. */
export async function permission(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: PEOPLE });
  const realm = await openRunning(configOf(dataset.directory));
  const owner = realm.read.users.get(dataset.owner.user_id)!;
  const people = dataset.people.map(({ user_id }) => realm.read.users.get(user_id)!);
  await realm.write((tx) => {
    const half = people.filter((_, index) => index % 2 === 0).map(({ user_id }) => user_id);
    const groupFields = { description: "", members: [], subgroups: [], settings: {} };
    let { id } = createGroup(tx, owner, { ...groupFields, name: "depth 0", members: half });
    for (let depth = 1; depth < DEPTH; depth++) {
      const nested = { ...groupFields, name: `depth ${depth}`, subgroups: [id] };
      id = createGroup(tx, owner, nested).id;
    }
    const settings = { ...tx.settings, can_invite_users_group: id };
    tx.realm.put({ ...tx.realm.get(1)!, settings });
  });
  const durations: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    let allowed = 0;
    const started = process.cpuUsage();
    for (let question = 0; question < QUESTIONS; question++) {
      if (hasPermission(realm.read, people[question % PEOPLE]!, "can_invite_users_group"))
        allowed += 1;
    }
    const { user } = process.cpuUsage(started);
    if (allowed !== QUESTIONS / 2) throw new Error(`${allowed} of ${QUESTIONS} were allowed`);
    if (round > 0) durations.push(user / QUESTIONS);
  }
  await realm.close();
  const label = '"may this user do this", 10,000 users, groups nested five deep, CPU';
  return [lineWithin({ label, goal: 1, unit: "µs" }, median(durations), durations)];
}

/** Creates channels with many subscribers while others send messages. */
export async function crowded(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: PEOPLE, channels: 1, subscribers: 10 });
  const [creator, other] = dataset.people as [Account, Account];
  using load = new Load();
  using otherLoad = new Load();
  await using skein = await startSkein(dataset.directory);
  const subscribers = dataset.people.map(({ user_id }) => user_id);
  let count = 0;
  const create = async () => {
    const params = { name: `crowd ${++count}`, subscribers };
    const requests = [postRequest(creator, "/channels/create", params)];
    await load.ask("ask", { port: skein.port, requests });
  };
  const cost: number[] = [];
  for (let round = 0; round < WARM_UP_TURNS + ROUNDS; round++) {
    const before = skein.cpu_ms;
    await create();
    await Bun.sleep(SETTLE_MS);
    if (round >= WARM_UP_TURNS) cost.push(skein.cpu_ms - before);
  }
  const asideRequests = [sendRequest(other, GENERAL, "aside")];
  const sends = { port: skein.port, requests: asideRequests, count: SENDS_ASIDE, pause_ms: 1 };
  const quietP99 = async () => (await otherLoad.ask("send", sends)).p99_ms;
  /** Creates one channel after another, and returns the p99 of the others' sends. */
  const busyP99 = async () => {
    let isOver = false;
    const running = quietP99().finally(() => (isOver = true));
    while (!isOver) await create();
    return await running;
  };
  const label = "creating a channel with 10,000 subscribers";
  const results = await measureAlternately(ASIDE_TURNS, busyP99, quietP99);
  return [
    lineWithin({ label: `${label}, CPU`, goal: 100, unit: "ms" }, median(cost), cost),
    lineAtMost(
      { label: `${label}: others' sends, p99 relative to no load`, goal: 2, unit: "ms" },
      ratioOf(results, (p99_ms) => p99_ms),
    ),
  ];
}

/** A group in the settings of 1,000 channels gets a member who has an open queue. */
export async function grouped(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: 1_000 });
  using load = new Load();
  await using skein = await startSkein(dataset.directory);
  const { port } = skein;
  const request = async (requests: string[]) => await load.ask("ask", { port, requests });
  const newMembers = dataset.people.slice(0, WARM_UP_TURNS + MEMBER_TURNS);
  const group = { name: "named", description: "", members: [dataset.owner.user_id] };
  const [created = ""] = await request([postRequest(dataset.owner, "/user_groups/create", group)]);
  const { group_id } = JSON.parse(created) as { group_id: number };
  const channels = Array.from({ length: NAMING_SETTINGS }, (_, index) => {
    const params = { name: `named ${index}`, subscribers: [dataset.owner.user_id] };
    return { ...params, invite_only: true, can_add_subscribers_group: group_id };
  });
  await request(channels.map((params) => postRequest(dataset.owner, "/channels/create", params)));
  await request(newMembers.map((person) => postRequest(person, "/register", {})));
  const cost: number[] = [];
  for (const { user_id } of newMembers) {
    const before = skein.cpu_ms;
    const params = { add: [user_id] };
    await request([postRequest(dataset.owner, `/user_groups/${group_id}/members`, params)]);
    await Bun.sleep(SETTLE_MS);
    cost.push(skein.cpu_ms - before);
  }
  const counted = cost.slice(WARM_UP_TURNS);
  const label = "a member added to a group that 1,000 channels' settings name, CPU";
  return [lineWithin({ label, goal: 10, unit: "ms" }, median(counted), counted)];
}

/** The list of channels, compared with a minimal server that sends the same number of bytes. */
export async function channels(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: 10, channels: CHANNELS, subscribers: 1 });
  const requests = dataset.people.map((person) => getRequest(person, "/streams"));
  using load = new Load();
  await using skein = await startSkein(dataset.directory);
  const [response = ""] = await load.ask("ask", {
    port: skein.port,
    requests: requests.slice(0, 1),
  });
  await using bareServer = await startBareServer("same", String(response.length));
  const measureServer = (server: Server) => async () => {
    const before = server.cpu_ms;
    const { port } = server;
    const { per_second } = await load.ask("send", { port, requests, count: 200 });
    return { per_second, per_cpu_second: 200 / ((server.cpu_ms - before) / 1000) };
  };
  const results = await measureAlternately(ROUNDS, measureServer(skein), measureServer(bareServer));
  const label = "GET /streams with 2,000 channels against a bare server, requests a second";
  const per_second = ratioOf(results, (item) => item.per_second);
  return [lineAtLeast({ label, goal: 0.5, unit: "/s" }, per_second)];
}
