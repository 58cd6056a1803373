/** Kills, stops and starts the built executable under load, and fills its disk: promises hold. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "./binary.ts";
import type { Answer } from "./crash/client.ts";
import { asked, deliver, type Desks, GENERAL, keepBusy } from "./crash/load.ts";
import type { Poller } from "./crash/poller.ts";
import { comeLate, leaveSeats, type Seats, takeSeats, untilSo } from "./crash/seats.ts";
import { killAll, Server, setUp } from "./crash/server.ts";
import {
  canLimit,
  canMount,
  limitedFiles,
  type SmallDisk,
  smallFileSystem,
} from "./crash/small-disk.ts";
import { newStory, type Send, type Story } from "./crash/story.ts";
import { doubled, misheard, missing, reused } from "./crash/verdict.ts";
import { countOf } from "./long.ts";
import { noise, SEED } from "./seed.ts";
import { chanceOf } from "./store/sample.ts";
import { caughtUp, settled } from "./sync.ts";
import type { Json } from "./test-server.ts";
import { hydrate } from "../src/web/state.ts";

const ROUNDS = countOf("crashes");
/** In every so many rounds, one of each kind that is not a kill under load. */
const ROUNDS_PER_TURN = 7;
/** How many sends are begun before the kill, and in a round that runs for longer. */
const SENDS_PER_ROUND_MAX = 200;
const SENDS_LONG = 500;
const SHOWN_MAX = 20;

const directories: string[] = [];
afterAll(() => {
  killAll();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "skein-crash-"));
  directories.push(directory);
  return directory;
}

test(`${ROUNDS} crashes and stops lose nothing, double nothing, and clients poll on`, async () => {
  const directory = scratch();
  const accounts = await setUp(directory);
  await using server = new Server(directory, await builtBinary());
  await server.start();
  const browserSessions = await takeSeats(server, accounts, SEED);
  const { desks, pollers } = browserSessions;
  const story = newStory();
  const busy = keepBusy(desks, story, SEED);
  const listening = pollers.map((poller) => poller.run(() => story.isOver));

  await crashes(server, browserSessions, story);
  story.isOver = true;
  await busy;
  await leaveSeats(browserSessions, story, listening);
  await server.end("SIGKILL");
  await server.start();

  const there = pollers.filter(({ isGone }) => !isGone);
  const again = await Promise.all(there.map((poller) => poller.drain()));
  if (again.some((count) => count > 0)) story.faults.push(`heard more in the end: ${again}`);
  expectNothing([...story.faults, ...server.errors, ...(await wrongIn(browserSessions, story))]);
  for (const poller of there) await expectInSync(poller);
  expect(story.losses).toBeGreaterThan(ROUNDS);
});

/** Most end in a kill under load; some in a stop, or in a kill of a server that starts or stops. */
async function crashes(server: Server, browserSessions: Seats, story: Story): Promise<void> {
  const chance = chanceOf(SEED);
  for (let round = 1; round <= ROUNDS; round++) {
    // What is wrong is said at once.
    if (browserSessions.pollers.some(({ faults }) => faults.length > 0)) break;
    if (round > 1) await server.start();
    const turn = round % ROUNDS_PER_TURN;
    // Now and then it gets to run for long enough to be fast.
    await untilSends(story, turn === 2 ? SENDS_LONG : chance.below(SENDS_PER_ROUND_MAX));
    if (turn === 1) {
      const code = await server.end("SIGTERM");
      if (code !== 0) story.faults.push(`round ${round}: the server stopped with ${code}`);
    } else if (turn === 3) {
      await server.endTwice(chance.below(20));
    } else {
      // What register answered is on disk.
      if (turn === 4) await comeLate(browserSessions, SEED);
      await server.end("SIGKILL");
      if (turn !== 5) continue;
      server.spawn();
      await Bun.sleep(chance.below(150));
      await server.end("SIGKILL");
    }
  }
  await server.start();
}

/** The moment of a kill is one of the story, not of the clock: a slow machine has the same one. */
async function untilSends(story: Story, further: number): Promise<void> {
  const wanted = story.sends.length + further;
  while (story.sends.length < wanted && story.faults.length === 0) await Bun.sleep(1);
}

async function wrongIn({ desks, pollers }: Seats, story: Story): Promise<string[]> {
  return [
    ...misheard(desks, story, pollers),
    ...reused(story, pollers),
    ...(await missing(desks, story)),
    ...(await doubled(desks, story)),
  ];
}

function expectNothing(wrong: string[]): void {
  expect({ SEED, wrong: firstOfEachKind(wrong) }).toEqual({ SEED, wrong: [] });
}

/** One fault is often found in hundreds of messages: they must not hide what else is wrong. */
function firstOfEachKind(wrong: string[]): string[] {
  const kinds = Map.groupBy(wrong, (sentence) => sentence.replaceAll(/\d+/g, "#"));
  return [...kinds.values()]
    .map(([first, ...more]) => (more.length > 0 ? `${first} (and ${more.length} more)` : first!))
    .slice(0, SHOWN_MAX);
}

/** The sync law, over all crashes. Queues that hear only some events have no whole state. */
async function expectInSync({ name, client, form, registered, events }: Poller): Promise<void> {
  if (form["event_types"]) return;
  const known = caughtUp(hydrate(structuredClone(registered)), events);
  const { body } = await client.insist("POST /register", form);
  const unread_msgs = cutLike(body.unread_msgs, known["unread_msgs"]);
  const there = { ...known, unread_msgs };
  expect({ SEED, name, ...settled(there) }).toEqual({ SEED, name, ...settled(body) });
}

/** Of very many unread messages register names the newest, where who has heard of all knows all. */
function cutLike(fresh: Json, known: Json): Json {
  if (!fresh.old_unreads_missing) return known;
  const placesOf = ({ pms, streams, huddles }: Json): Json[] => [...pms, ...streams, ...huddles];
  const named = placesOf(fresh).flatMap((place) => place.unread_message_ids);
  const oldest = named.reduce((least, id) => Math.min(least, id));
  const cut = (ids: number[]) => ids.filter((id) => id >= oldest);
  const cutIn = (places: Json[]) =>
    places
      .map((place) => ({ ...place, unread_message_ids: cut(place.unread_message_ids) }))
      .filter((place) => place.unread_message_ids.length > 0);
  const { pms, streams, huddles, mentions, ...rest } = known;
  const places = { pms: cutIn(pms), streams: cutIn(streams), huddles: cutIn(huddles) };
  // Nobody mutes anything here, so all of them count.
  const count = placesOf(places).flatMap((place) => place.unread_message_ids).length;
  return { ...rest, ...places, mentions: cut(mentions), count, old_unreads_missing: true };
}

test("a second server on the directory is refused, and told which process is first", async () => {
  const directory = scratch();
  await setUp(directory);
  await using first = new Server(directory, await builtBinary());
  await first.start();
  const second = Bun.spawnSync([
    await builtBinary(),
    "serve",
    "--data",
    directory,
    "--listen",
    "127.0.0.1:0",
  ]);
  expect(second.exitCode).toBe(1);
  expect(second.stderr.toString()).toBe(`skein: ${directory} is in use by process ${first.pid}\n`);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test.skipIf(!canMount())("a full disk refuses writes and nothing else, until there is room", () =>
  outlastsFull(smallFileSystem()),
);

test.skipIf(!canLimit())("so does a file that may not grow", () => outlastsFull(limitedFiles()));

const LONG_BYTES = 4_000;
const SHORT_BYTES = 10;
const SHORT_REFUSED = 5;

async function outlastsFull(small: SmallDisk): Promise<void> {
  using disk = small;
  const accounts = await setUp(disk.directory);
  await using server = new Server(disk.directory, await builtBinary(), disk.under);
  await server.start();
  const browserSessions = await takeSeats(server, accounts, SEED);
  const { desks, pollers } = browserSessions;
  const story = newStory();
  const listening = pollers.map((poller) => poller.run(() => story.isOver));

  const refused = await sendUntilRefused(server, desks, story, "first");
  // What is short may still find room; a start after that finds none for what it writes itself.
  for (let left = SHORT_REFUSED; left > 0; left--) {
    refused.push(...(await sendUntilRefused(server, desks, story, `short.${left}`, SHORT_BYTES)));
  }
  await expectReading(browserSessions, story);
  expect(await server.end("SIGTERM")).not.toBe(null);
  await server.start();
  await expectReading(browserSessions, story);
  // A start frees a little, of what was deleted.
  refused.push(...(await sendUntilRefused(server, desks, story, "again")));
  await server.end("SIGKILL");
  await server.start();
  await expectReading(browserSessions, story);

  disk.makeRoom(server.pid);
  for (const send of refused) await deliver(desks, story, send, "lunch");
  story.sends.push(...refused);
  await server.end("SIGTERM");
  await server.start();
  await leaveSeats(browserSessions, story, listening);
  expectNothing([...story.faults, ...(await wrongIn(browserSessions, story))]);
  for (const poller of pollers) await expectInSync(poller);
}

const FULL = {
  status: 503,
  body: {
    result: "error",
    code: "STORE_FULL",
    msg: "The server cannot write to its disk at the moment",
  },
};

/** Gives the sends of the first that share a commit and are refused. */
async function sendUntilRefused(
  server: Server,
  desks: Desks,
  story: Story,
  series: string,
  bytes = LONG_BYTES,
): Promise<Send[]> {
  for (let count = 0; ; count += 3) {
    const sends = [0, 1, 2].map((nth) => noisySend(`${series}.${count + nth}`, bytes));
    const answers = await Promise.all(sends.map((send) => sendTo(server, desks, send)));
    const refused = answers.filter((answer) => answer.status !== 200);
    for (const answer of refused) expect(answer).toMatchObject(FULL);
    story.sends.push(...sends.filter((send) => send.id !== undefined));
    if (refused.length > 0) return sends.filter((send) => send.id === undefined);
  }
}

function noisySend(local_id: string, bytes: number): Send {
  const words = noise(bytes).toHex();
  const recipient = { stream_id: GENERAL.stream_id };
  return { sender: "olga", local_id, content: `[${local_id}] ${words}`, recipient, id: undefined };
}

async function sendTo(server: Server, desks: Desks, send: Send): Promise<Answer> {
  const { client } = desks[send.sender];
  let answer: Answer | undefined;
  // A connection that is kept from before a start breaks when it is used.
  while (!answer) {
    server.check();
    answer = await client.ask("POST /messages", asked(desks, send, "lunch"));
  }
  if (answer.status === 200) send.id = answer.body.id;
  return answer;
}

/** What was acknowledged is there and was told, and what is kept nowhere is told too. */
async function expectReading(browserSessions: Seats, story: Story): Promise<void> {
  const { ada, bo } = browserSessions.desks;
  const { events } = bo.poller;
  const before = events.length;
  const to = [bo.client.account.user_id];
  await ada.client.insist("POST /typing", { type: "direct", op: "start", to });
  const isTold = () => events.slice(before).some(({ type }) => type === "typing");
  const newest = story.sends.at(-1)!.id;
  const hasAll = (poller: Poller) => poller.events.some(({ message }) => message?.id === newest);
  await untilSo(browserSessions.pollers, () => isTold() && browserSessions.pollers.every(hasAll));
  expect(isTold()).toBe(true);
  expectNothing(await wrongIn(browserSessions, story));
}
