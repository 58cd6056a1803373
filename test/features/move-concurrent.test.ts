// Actions on a topic during its move act as if they came before or after the move.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { editMessage } from "../../src/features/messages/patch/edit.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { topicSet } from "../../src/features/messages/sets/muted.ts";
import { idsFrom } from "../../src/features/messages/sets/sets.ts";
import { staysInSync } from "../sync.ts";
import type { Json, Params } from "../test-server.ts";
import { expectExact } from "./compare-indexes.ts";
import { type ChannelFixture, openChannelFixture } from "./channel-fixture.ts";

/** More messages than one transaction moves. */
const MESSAGES = 530;

let fixture: ChannelFixture;
let ids: number[];
beforeAll(async () => {
  fixture = await openChannelFixture();
});
afterAll(() => fixture.testServer.close());
beforeEach(async () => {
  fixture.nextTopic();
  // In a move to an existing topic, messages are moved one by one instead of renaming the topic.
  await fixture.post("bo", fixture.garden, "host", `${fixture.topic} moved`);
  ids = await postMany(MESSAGES, fixture.topic);
});

function postMany(count: number, topic: string): Promise<number[]> {
  const bo = fixture.testServer.realm.read.users.get(fixture.testServer.idOf("bo"))!;
  const to = { stream_id: fixture.garden, topic };
  return fixture.testServer.realm.write((tx) =>
    Array.from({ length: count }, () => sendMessage(tx, bo, to, "words").id),
  );
}

/** Number of the messages by channel and topic. */
function countByConversation(of: readonly number[]): Record<string, number> {
  const { read } = fixture.testServer.realm;
  const counts: Record<string, number> = {};
  for (const id of of) {
    const message = read.messages.get(id);
    const channel = message && read.channels.get(message.stream_id)!.name;
    const path = message ? `${channel}>${read.topics.get(message.topic_id)!.name}` : "gone";
    counts[path] = (counts[path] ?? 0) + 1;
  }
  return counts;
}

const moveAll = (id: number, params: Params): Promise<Json> =>
  fixture.move("ada", id, { propagate_mode: "change_all", ...params });

function expectWhole(): void {
  const { read } = fixture.testServer.realm;
  expect(read.unfinished_moves.count()).toBe(0);
  for (const topic of read.topics.range()) {
    const idsOfTopic = idsFrom(topicSet(read, topic.topic_id), 0, read.last("messages"), Infinity);
    expect([topic.first_id, topic.last_id, topic.count]).toEqual([
      idsOfTopic[0]!,
      idsOfTopic.at(-1)!,
      idsOfTopic.length,
    ]);
  }
}

/** Starts a move in steps, and performs the second action before it is complete. */
async function moveConcurrently(second: () => Promise<Json>): Promise<Json> {
  const moved = `${fixture.topic} moved`;
  const { result } = await staysInSync(fixture.testServer, ["cy"], async () => {
    let isDone = false;
    const first = moveAll(ids[0]!, { topic: moved }).finally(() => (isDone = true));
    const isPending = () => fixture.testServer.realm.read.unfinished_moves.count() > 0;
    while (!isPending() && !isDone) await Bun.sleep(0);
    expect(isDone).toBe(false);
    const response = await second();
    await first;
    return response;
  });
  expectWhole();
  return result;
}

describe("while a topic moves in batches", () => {
  test("a second move continues from its source", async () => {
    for (const index of [0, -1]) {
      await moveConcurrently(() => moveAll(ids.at(index)!, { topic: `${fixture.topic} again` }));
      expect(countByConversation(ids)).toEqual({ [`garden>${fixture.topic} again`]: MESSAGES });
      await moveAll(ids[0]!, { topic: fixture.topic });
      await fixture.post("bo", fixture.garden, "host", `${fixture.topic} moved`);
    }
  });

  test("a move to another channel moves all of it", async () => {
    await moveConcurrently(() => moveAll(ids.at(-1)!, { stream_id: fixture.kitchen }));
    expect(countByConversation(ids)).toEqual({ [`kitchen>${fixture.topic} moved`]: MESSAGES });
  });

  test("the same move requested twice is done once", async () => {
    const topic = `${fixture.topic} moved`;
    const line = `PATCH /messages/${ids.at(-1)!}`;
    const params = { topic, propagate_mode: "change_all" };
    await moveConcurrently(async () => (await fixture.testServer.send("ada", line, params)).json());
    expect(countByConversation(ids)).toEqual({ [`garden>${topic}`]: MESSAGES });
  });

  test("it is resolved and unresolved as a whole", async () => {
    await moveConcurrently(() => moveAll(ids.at(-1)!, { topic: `✔ ${fixture.topic} moved` }));
    expect(countByConversation(ids)).toEqual({ [`garden>✔ ${fixture.topic} moved`]: MESSAGES });
    await fixture.post("bo", fixture.garden, "host", `${fixture.topic} moved`);
    await moveConcurrently(() => moveAll(ids.at(-1)!, { topic: `✔ ${fixture.topic} moved` }));
    expect(countByConversation(ids)).toEqual({ [`garden>✔ ${fixture.topic} moved`]: MESSAGES });
  });

  test("a message at its end is moved alone, and one from elsewhere is not included", async () => {
    const single = { topic: `${fixture.topic} alone`, propagate_mode: "change_one" };
    await moveConcurrently(() => moveAll(ids.at(-1)!, single));
    expect(countByConversation(ids)).toEqual({
      [`garden>${fixture.topic} moved`]: MESSAGES - 1,
      [`garden>${fixture.topic} alone`]: 1,
    });
  });

  test("messages moved into it from elsewhere stay there", async () => {
    const [early, ...rest] = ids;
    await moveAll(early!, { topic: `${fixture.topic} aside`, propagate_mode: "change_one" });
    const last = rest.at(-1)!;
    await moveAll(last, { topic: `${fixture.topic} aside`, propagate_mode: "change_one" });
    ids = rest.slice(0, -1);
    await moveConcurrently(() => moveAll(last, { topic: fixture.topic }));
    expect(countByConversation(ids)).toEqual({ [`garden>${fixture.topic} moved`]: MESSAGES - 2 });
    expect(countByConversation([early!, last])).toEqual({ [`garden>${fixture.topic}`]: 2 });
  });

  test.each(["", " moved"])("deleting its topic%s leaves nothing behind", async (suffix) => {
    const line = `POST /streams/${fixture.garden}/delete_topic`;
    const params = { topic_name: `${fixture.topic}${suffix}` };
    await moveConcurrently(() => fixture.testServer.request("ada", line, params));
    const remaining =
      suffix === "" ? { [`garden>${fixture.topic} moved`]: MESSAGES } : { gone: MESSAGES };
    expect(countByConversation(ids)).toEqual(remaining);
  });

  test("a message that is still to move is moved before it is edited", async () => {
    const last = ids.at(-1)!;
    const line = `PATCH /messages/${last}`;
    await moveConcurrently(() =>
      fixture.testServer.request("bo", line, { content: "other words" }),
    );
    expect(countByConversation(ids)).toEqual({ [`garden>${fixture.topic} moved`]: MESSAGES });
    const { edit_history } = await fixture.getMessage("cy", last);
    const kinds = edit_history.map((entry: Json) => ("topic" in entry ? "move" : "edit"));
    expect(kinds).toEqual(["edit", "move"]);
  });

  test("a message that is being moved is deleted at once", async () => {
    const last = ids.at(-1)!;
    await moveConcurrently(() => fixture.testServer.request("ada", `DELETE /messages/${last}`));
    expect(countByConversation(ids)).toEqual({
      [`garden>${fixture.topic} moved`]: MESSAGES - 1,
      gone: 1,
    });
  });
});

test("a topic that is being deleted is not moved", async () => {
  const line = `POST /streams/${fixture.garden}/delete_topic`;
  const removed = fixture.testServer.request("ada", line, { topic_name: fixture.topic });
  while (fixture.testServer.realm.read.messages.has(ids.at(-1)!)) await Bun.sleep(0);
  const params = { topic: "elsewhere", propagate_mode: "change_all" };
  const refusal = await fixture.testServer.refused("ada", `PATCH /messages/${ids[0]!}`, params);
  expect(refusal.msg).toBe("Invalid message(s)");
  expect((await removed).complete).toBe(true);
  expect(countByConversation(ids)).toEqual({ gone: MESSAGES });
  expectWhole();
});

test("many concurrent moves of one topic end in one place", async () => {
  const names = ["a", "b", "c", "d", "e"].map((name) => `${fixture.topic} ${name}`);
  for (const topic of names) await fixture.post("bo", fixture.garden, "host", topic);
  const moves = names.map((topic, index) => moveAll(ids[index * 100]!, { topic }));
  await Promise.all(moves);
  expectWhole();
  expect(Object.values(countByConversation(ids))).toEqual([MESSAGES]);
});

test("after a stop in the middle, the next action first completes the move", async () => {
  const ada = fixture.testServer.realm.read.users.get(fixture.testServer.idOf("ada"))!;
  const quiet = { notify_old: false, notify_new: false };
  const move = { topic: `${fixture.topic} moved`, propagate_mode: "change_all", ...quiet } as const;
  await fixture.testServer.realm.write((tx) => editMessage(tx, ada, ids[0]!, move));
  await fixture.testServer.restart();
  expect(fixture.testServer.realm.read.unfinished_moves.count()).toBe(1);
  await moveAll(ids.at(-1)!, { topic: `${fixture.topic} again` });
  expect(countByConversation(ids)).toEqual({ [`garden>${fixture.topic} again`]: MESSAGES });
  expectWhole();
  expectExact(fixture.testServer.realm.read);
});
