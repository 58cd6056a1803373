/** Kills the executable during bulk subscriptions: each user is subscribed exactly once. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUBSCRIBED_AT_ONCE_MAX } from "../src/features/channels/subscriptions/bulk-parts.ts";
import { builtBinary } from "./built-executable.ts";
import { Client } from "./crash/client.ts";
import { Poller } from "./crash/poller.ts";
import { killAll, Server, setUp } from "./crash/server.ts";
import { countOf } from "./repetitions.ts";
import { chanceOf } from "./store/sample-schema.ts";
import type { Json } from "./test-server.ts";

const STEPS = 3;
/** Minimum number of rounds. More follow until a kill has interrupted the request itself. */
const ROUNDS = countOf("crowds");
const WAIT_MS = 20;

const directory = mkdtempSync(join(tmpdir(), "skein-crash-crowd-"));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true, force: true });
});

test("subscribes many users once each while the server is killed", async () => {
  const accounts = await setUp(directory);
  const otherUsers = await createStrangers(STEPS * SUBSCRIBED_AT_ONCE_MAX);
  await using server = new Server(directory, await builtBinary());
  await server.start();
  const [bo, di] = [new Client(server.url, accounts.bo), new Client(server.url, accounts.di)];
  // Makes the poller lose no responses.
  const neverChance = { ...chanceOf(1), once: () => false } as ReturnType<typeof chanceOf>;
  const form = { event_types: ["stream", "subscription"], include_subscribers: true };
  const poller = await Poller.open("di", di, form, neverChance);
  let interrupted = 0;
  for (let round = 0; round < ROUNDS || interrupted === 0; round++) {
    const name = `crowd ${round}`;
    const requested = bo.request("POST /channels/create", { name, subscribers: otherUsers });
    await untilReceived(poller, (added) => added.length > 0, name);
    await server.end("SIGKILL");
    if (!(await requested)) interrupted += 1;
    await server.start();
    const { body } = await di.requestUntilSuccess("GET /get_stream_id", { stream: name });
    await untilReceived(poller, (added) => added.length >= otherUsers.length, name);
    const line = `GET /streams/${body.stream_id}/members`;
    expect(ascending((await di.requestUntilSuccess(line)).body.subscribers)).toEqual(otherUsers);
    expect(ascending(addedTo(poller, name))).toEqual(otherUsers);
    const repeated = { subscriptions: [{ name }], principals: otherUsers };
    const { already_subscribed } = (
      await bo.requestUntilSuccess("POST /users/me/subscriptions", repeated)
    ).body;
    expect(Object.keys(already_subscribed)).toHaveLength(otherUsers.length);
  }
  expect([poller.faults, server.errors]).toEqual([[], []]);
});

/** Creates users and returns their ids in ascending order. */
async function createStrangers(count: number): Promise<number[]> {
  const file = join(directory, "strangers");
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ email: `n${index}@example.com`, full_name: `No ${index}` }),
  );
  writeFileSync(file, lines.join("\n"));
  const command = [await builtBinary(), "user", "create", "--from", file];
  const { stdout } = Bun.spawnSync([...command, "--data", directory, "--json"]);
  const ids = stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).user_id);
  return ascending(ids);
}

/** Continues polling through restarts of the server, unless the queue is lost. */
async function untilReceived(
  poller: Poller,
  condition: (added: number[]) => boolean,
  name: string,
) {
  while (poller.faults.length === 0 && !condition(addedTo(poller, name))) {
    await Bun.sleep(WAIT_MS);
    await poller.drain();
  }
}

/** Users whose subscription to the channel the queue has received. */
function addedTo(poller: Poller, name: string): number[] {
  const streams: Json[] = poller.events.flatMap(({ streams: received }) => received ?? []);
  const { stream_id } = streams.find((stream) => stream.name === name) ?? {};
  const addedEvents = poller.events.filter((event) => {
    return event.op === "peer_add" && event.stream_ids.includes(stream_id);
  });
  return addedEvents.flatMap((event) => event.user_ids);
}

const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b);
