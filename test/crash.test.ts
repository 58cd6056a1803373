/** Kills, stops and restarts the executable under load and on full disks; all guarantees hold. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "./built-executable.ts";
import type { Answer } from "./crash/client.ts";
import { sendParams, deliver, type ClientsByPerson, GENERAL, generateLoad } from "./crash/load.ts";
import type { Poller } from "./crash/poller.ts";
import {
  addLateClient,
  closeParticipants,
  type Participants,
  openParticipants,
  untilTrue,
} from "./crash/participants.ts";
import { killAll, Server, setUp } from "./crash/server.ts";
import {
  canLimit,
  canMount,
  limitedFiles,
  type SmallDisk,
  smallFileSystem,
} from "./crash/small-disk.ts";
import { newHistory, type Send, type History } from "./crash/history.ts";
import { duplicatedSends, wrongEvents, missingSends, reusedIds } from "./crash/verify.ts";
import { countOf } from "./repetitions.ts";
import { noise, SEED } from "./random.ts";
import { chanceOf } from "./store/sample-schema.ts";
import { stateAfterEvents, normalizeSnapshot } from "./sync.ts";
import type { Json } from "./test-server.ts";
import { hydrate } from "../src/web/store/state.ts";

const ROUNDS = countOf("crashes");
/** Each other kind has one round in this many; the rest are kills under load. */
const ROUNDS_PER_TURN = 7;
/** Maximum number of sends before a kill; long rounds have `SENDS_LONG`. */
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

test(`${ROUNDS} crashes and stops lose and duplicate nothing for polling clients`, async () => {
  const directory = scratch();
  const accounts = await setUp(directory);
  await using server = new Server(directory, await builtBinary());
  await server.start();
  const browserSessions = await openParticipants(server, accounts, SEED);
  const { clients, pollers } = browserSessions;
  const history = newHistory();
  const busy = generateLoad(clients, history, SEED);
  const listening = pollers.map((poller) => poller.run(() => history.isOver));

  await testCrashes(server, browserSessions, history);
  history.isOver = true;
  await busy;
  await closeParticipants(browserSessions, history, listening);
  await server.end("SIGKILL");
  await server.start();

  const activePollers = pollers.filter(({ isGone }) => !isGone);
  const repeated = await Promise.all(activePollers.map((poller) => poller.drain()));
  if (repeated.some((count) => count > 0))
    history.faults.push(`heard more in the end: ${repeated}`);
  expectNothing([
    ...history.faults,
    ...server.errors,
    ...(await wrongIn(browserSessions, history)),
  ]);
  for (const poller of activePollers) await expectInSync(poller);
  expect(history.losses).toBeGreaterThan(ROUNDS);
});

/** Most rounds end with a kill under load; some with a stop, or a kill during start or stop. */
async function testCrashes(
  server: Server,
  browserSessions: Participants,
  history: History,
): Promise<void> {
  const random = chanceOf(SEED);
  for (let round = 1; round <= ROUNDS; round++) {
    // Report faults at once.
    if (browserSessions.pollers.some(({ faults }) => faults.length > 0)) break;
    if (round > 1) await server.start();
    const roundOfTurn = round % ROUNDS_PER_TURN;
    // In one round per turn, the server runs long enough for the runtime to optimize its code.
    await untilSends(history, roundOfTurn === 2 ? SENDS_LONG : random.below(SENDS_PER_ROUND_MAX));
    if (roundOfTurn === 1) {
      const code = await server.end("SIGTERM");
      if (code !== 0) history.faults.push(`round ${round}: the server stopped with ${code}`);
    } else if (roundOfTurn === 3) {
      await server.killTwice(random.below(20));
    } else {
      // Kills the server right after a register response, so the queue must already be on disk.
      if (roundOfTurn === 4) await addLateClient(browserSessions, SEED);
      await server.end("SIGKILL");
      if (roundOfTurn !== 5) continue;
      server.spawn();
      await Bun.sleep(random.below(150));
      await server.end("SIGKILL");
    }
  }
  await server.start();
}

/** Waits for progress and not for a time, so that slow machines are killed at the same points. */
async function untilSends(history: History, further: number): Promise<void> {
  const expected = history.sends.length + further;
  while (history.sends.length < expected && history.faults.length === 0) await Bun.sleep(1);
}

async function wrongIn({ clients, pollers }: Participants, history: History): Promise<string[]> {
  return [
    ...wrongEvents(clients, history, pollers),
    ...reusedIds(history, pollers),
    ...(await missingSends(clients, history)),
    ...(await duplicatedSends(clients, history)),
  ];
}

function expectNothing(wrong: string[]): void {
  expect({ SEED, wrong: firstOfEachKind(wrong) }).toEqual({ SEED, wrong: [] });
}

/** A single fault often affects hundreds of messages, which must not hide other faults. */
function firstOfEachKind(wrong: string[]): string[] {
  const kinds = Map.groupBy(wrong, (sentence) => sentence.replaceAll(/\d+/g, "#"));
  return [...kinds.values()]
    .map(([first, ...extra]) => (extra.length > 0 ? `${first} (and ${extra.length} more)` : first!))
    .slice(0, SHOWN_MAX);
}

/**
 * Queues with all events must equal a fresh snapshot after all crashes; others have partial state.
 */
async function expectInSync({ name, client, form, registered, events }: Poller): Promise<void> {
  if (form["event_types"]) return;
  const stateOfEvents = stateAfterEvents(hydrate(structuredClone(registered)), events);
  const { body } = await client.requestUntilSuccess("POST /register", form);
  const unread_msgs = truncatedLike(body.unread_msgs, stateOfEvents["unread_msgs"]);
  const actual = { ...stateOfEvents, unread_msgs };
  expect({ SEED, name, ...normalizeSnapshot(actual) }).toEqual({
    SEED,
    name,
    ...normalizeSnapshot(body),
  });
}

/**
 * If there are very many unread messages, register returns only the newest, while a client with all
 * events knows all of them.
 */
function truncatedLike(fresh: Json, reference: Json): Json {
  if (!fresh.old_unreads_missing) return reference;
  const conversationsOf = ({ pms, streams, huddles }: Json): Json[] => [
    ...pms,
    ...streams,
    ...huddles,
  ];
  const unreadIds = conversationsOf(fresh).flatMap((location) => location.unread_message_ids);
  const oldest = unreadIds.reduce((least, id) => Math.min(least, id));
  const sinceOldest = (ids: number[]) => ids.filter((id) => id >= oldest);
  const cutConversations = (places: Json[]) =>
    places
      .map((location) => ({
        ...location,
        unread_message_ids: sinceOldest(location.unread_message_ids),
      }))
      .filter((location) => location.unread_message_ids.length > 0);
  const { pms, streams, huddles, mentions, ...rest } = reference;
  const unread = {
    pms: cutConversations(pms),
    streams: cutConversations(streams),
    huddles: cutConversations(huddles),
  };
  // No conversation is muted here, so all messages count.
  const count = conversationsOf(unread).flatMap((location) => location.unread_message_ids).length;
  return { ...rest, ...unread, mentions: sinceOldest(mentions), count, old_unreads_missing: true };
}

test("rejects a second server on the directory, and names the first process", async () => {
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
  expect(second.stderr.toString()).toContain(`${directory} is in use by process ${first.pid}.`);
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
  await using server = new Server(disk.directory, await builtBinary(), disk.wrapper);
  await server.start();
  const browserSessions = await openParticipants(server, accounts, SEED);
  const { clients, pollers } = browserSessions;
  const history = newHistory();
  const listening = pollers.map((poller) => poller.run(() => history.isOver));

  const refusal = await sendUntilRefused(server, clients, history, "first");
  // Short writes may still succeed; a later start then has no space for its own writes.
  for (let remaining = SHORT_REFUSED; remaining > 0; remaining--) {
    refusal.push(
      ...(await sendUntilRefused(server, clients, history, `short.${remaining}`, SHORT_BYTES)),
    );
  }
  await expectReading(browserSessions, history);
  expect(await server.end("SIGTERM")).not.toBe(null);
  await server.start();
  await expectReading(browserSessions, history, true);
  // A start frees some space of deleted data.
  refusal.push(...(await sendUntilRefused(server, clients, history, "again")));
  await server.end("SIGKILL");
  await server.start();
  await expectReading(browserSessions, history, true);

  disk.makeRoom(server.pid);
  for (const send of refusal) await deliver(clients, history, send, "lunch");
  history.sends.push(...refusal);
  await server.end("SIGTERM");
  await server.start();
  await closeParticipants(browserSessions, history, listening);
  expectNothing([...history.faults, ...(await wrongIn(browserSessions, history))]);
  for (const poller of pollers) await expectInSync(poller);
}

const FULL_DISK_ERROR = {
  status: 503,
  body: {
    result: "error",
    code: "STORE_FULL",
    msg: "The server cannot write to its disk at the moment",
  },
};

/** Returns the sends of the first commit that is refused. */
async function sendUntilRefused(
  server: Server,
  clients: ClientsByPerson,
  history: History,
  series: string,
  bytes = LONG_BYTES,
): Promise<Send[]> {
  for (let count = 0; ; count += 3) {
    const sends = [0, 1, 2].map((index) => randomSend(`${series}.${count + index}`, bytes));
    const responses = await Promise.all(sends.map((send) => sendTo(server, clients, send)));
    const refusedResponses = responses.filter((response) => response.status !== 200);
    for (const response of refusedResponses) expect(response).toMatchObject(FULL_DISK_ERROR);
    history.sends.push(...sends.filter((send) => send.id !== undefined));
    if (refusedResponses.length > 0) return sends.filter((send) => send.id === undefined);
  }
}

function randomSend(local_id: string, bytes: number): Send {
  const text = noise(bytes).toHex();
  const recipient = { stream_id: GENERAL.stream_id };
  return { sender: "olga", local_id, content: `[${local_id}] ${text}`, recipient, id: undefined };
}

async function sendTo(server: Server, clients: ClientsByPerson, send: Send): Promise<Answer> {
  const { client } = clients[send.sender];
  let response: Answer | undefined;
  // A kept-alive connection from before a restart fails when it is used.
  while (!response) {
    server.check();
    response = await client.request("POST /messages", sendParams(clients, send, "lunch"));
  }
  if (response.status === 200) send.id = response.body.id;
  return response;
}

/**
 * Acknowledged messages exist and were received; events of data that is not stored were received
 * too.
 */
/**
 * `isRestarted`: a start on a full disk may have no room to reserve event numbers, and sends no
 * ephemeral events until it has.
 */
async function expectReading(
  browserSessions: Participants,
  history: History,
  isRestarted = false,
): Promise<void> {
  const { ada, bo } = browserSessions.clients;
  const { events } = bo.poller;
  const before = events.length;
  const to = [bo.client.account.user_id];
  await ada.client.requestUntilSuccess("POST /typing", { type: "direct", op: "start", to });
  const isNotified = () =>
    isRestarted || events.slice(before).some(({ type }) => type === "typing");
  const newest = history.sends.at(-1)!.id;
  const hasAll = (poller: Poller) => poller.events.some(({ message }) => message?.id === newest);
  await untilTrue(
    browserSessions.pollers,
    () => isNotified() && browserSessions.pollers.every(hasAll),
  );
  expect(isNotified()).toBe(true);
  expectNothing(await wrongIn(browserSessions, history));
}
