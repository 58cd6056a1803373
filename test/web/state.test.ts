// The client's state is the same for every division of events into batches.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Event, Snapshot } from "../../src/web/contract/snapshot.ts";
import { dehydrate, hydrate, reduce, type State } from "../../src/web/store/state.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let first: Snapshot;
let events: Event[];

const message = (name: Name, topic: string, content = "soil") =>
  testServer.request(name, "POST /messages", { type: "channel", to: "garden", topic, content });
const directMessage = (name: Name, to: Name[]) =>
  testServer.request(name, "POST /messages", {
    type: "direct",
    to: to.map((name) => testServer.idOf(name)),
    content: "psst",
  });
const flag = (op: string, name: string, messages: number[]) =>
  testServer.request("bo", "POST /messages/flags", { op, flag: name, messages });

beforeAll(async () => {
  testServer = await startTestServer();
  const principals = (["ada", "bo", "cy"] as const).map((name) => testServer.idOf(name));
  const subscriptions = [{ name: "garden" }, { name: "shed" }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  await message("ada", "weeds");
  const listener = await testServer.listen("bo", {
    include_subscribers: true,
    client_capabilities: { empty_topic_name: true, bulk_message_deletion: true },
  });
  first = listener.registered;
  await passDay();
  events = await listener.takeAll();
});

afterAll(() => testServer.close());

/** Makes changes of every kind that the counts depend on, one after the other. */
async function passDay(): Promise<void> {
  const ids: number[] = [];
  for (const topic of ["weeds", "Weeds", "rain", "snails", ""]) {
    ids.push((await message("ada", topic, "@**Bo Member** look")).id);
    ids.push((await message("cy", topic)).id);
  }
  ids.push((await directMessage("ada", ["bo"])).id, (await directMessage("cy", ["bo", "ada"])).id);
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "garden" });
  const shed = await testServer.request("bo", "GET /get_stream_id", { stream: "shed" });
  const topicPolicyEvent = (topic: string, visibility_policy: number) =>
    testServer.request("bo", "POST /user_topics", { stream_id, topic, visibility_policy });
  const channelEvent = (property: string, value: unknown) =>
    testServer.request("bo", "POST /users/me/subscriptions/properties", {
      subscription_data: [{ stream_id, property, value }],
    });
  await topicPolicyEvent("rain", 1);
  await flag("add", "read", ids.slice(0, 3));
  await channelEvent("is_muted", true);
  await topicPolicyEvent("snails", 2);
  await testServer.request("ada", `PATCH /messages/${ids[4]}`, {
    topic: "Drought",
    propagate_mode: "change_all",
  });
  await testServer.request("ada", `PATCH /messages/${ids[6]}`, {
    stream_id: shed.stream_id,
    propagate_mode: "change_later",
  });
  await testServer.request("ada", `PATCH /messages/${ids[0]}`, { content: "nobody is called" });
  await flag("remove", "read", ids.slice(0, 3));
  await flag("add", "starred", ids.slice(2, 6));
  await channelEvent("is_muted", false);
  await testServer.request("ada", `DELETE /messages/${ids[8]}`);
  await testServer.request("cy", `POST /messages/${ids[1]}/reactions`, { emoji_name: "tada" });
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["shed"] });
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "shed" }],
  });
}

const newState = (): State => hydrate(structuredClone(first));

test("returns what was stored", () => {
  expect(dehydrate(newState())).toEqual(first);
  const state = newState();
  reduce(state, structuredClone(events));
  const once = dehydrate(state);
  expect(dehydrate(hydrate(structuredClone(once)))).toEqual(once);
});

test("events give the same result in any batches", () => {
  const whole = newState();
  reduce(whole, structuredClone(events));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: events.length }), { maxLength: 6 }), (cuts) => {
      const state = newState();
      const ends = [...new Set([...cuts, events.length])].sort((a, b) => a - b);
      let from = 0;
      for (const to of ends) {
        reduce(state, structuredClone(events.slice(from, to)));
        from = to;
      }
      expect(state).toEqual(whole);
    }),
    { numRuns: 30 },
  );
});

test("a start from stored data gives the same state at any event", () => {
  const whole = newState();
  reduce(whole, structuredClone(events));
  for (let index = 0; index <= events.length; index++) {
    const before = newState();
    reduce(before, structuredClone(events.slice(0, index)));
    const after = hydrate(structuredClone(dehydrate(before)));
    reduce(after, structuredClone(events.slice(index)));
    expect({ at: index, ...dehydrate(after) }).toEqual({ at: index, ...dehydrate(whole) });
  }
});

test("marks a conversation without its newest message after a start from stored data", () => {
  const state = newState();
  reduce(state, structuredClone(events));
  const [key, { max_message_id: message_id }] = [...state.conversations.conversations][0]!;
  const removed = { id: -1, type: "delete_message", message_type: "private", message_id };
  reduce(state, [removed as Event]);
  const after = hydrate(structuredClone(dehydrate(state)));
  expect([...after.conversations.unverified]).toEqual([key]);
  expect(after.conversations).toEqual(state.conversations);
});

test("counts equal a recount after every event", () => {
  const state = newState();
  for (const event of structuredClone(events)) {
    reduce(state, [event]);
    const { conversations, all, directs, channels, mentions } = state.unread;
    const sum = (list: Iterable<{ ids: number[]; isMuted: boolean; mentions: number }>) => {
      const total = { shown: 0, muted: 0, mentions: 0 };
      for (const { ids, isMuted, mentions: called } of list) {
        total[isMuted ? "muted" : "shown"] += ids.length;
        total.mentions += called;
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
      }
      return total;
    };
    expect({ event: event.type, ...all }).toEqual({
      event: event.type,
      ...sum(conversations.values()),
    });
    const direct = [...conversations.values()].filter(({ stream_id }) => stream_id === null);
    expect(directs).toEqual(sum(direct));
    for (const channel of channels.values())
      expect(channel).toMatchObject(sum(channel.conversations));
    const recounted = [...mentions].filter((id) => state.unread.byMessage.has(id));
    expect(all.mentions).toBe(recounted.length);
  }
});

test("notifies views only of keys that an event changed", () => {
  const index = events.findIndex(({ type }) => type === "reaction");
  const reaction = events[index] as Event<"reaction">;
  const state = newState();
  reduce(state, structuredClone(events.slice(0, index)));
  const id = reaction.message_id;
  expect([...reduce(state, [structuredClone(reaction)])]).toEqual([`message:${id}`]);
  const [own] = state.messages.byId.get(id)!.reactions;
  expect(own).toMatchObject({ emoji_name: "tada", user_id: testServer.idOf("cy") });
  // A message that is not loaded is fetched later with the reaction, so the event changes nothing.
  expect([...reduce(newState(), [structuredClone(reaction)])]).toEqual([]);
});
