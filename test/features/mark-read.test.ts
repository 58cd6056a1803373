// Marking everything, a channel or a topic as read; and what muting excludes.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let kitchen: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = (["bo", "cy"] as const).map((name) => testServer.idOf(name));
  const created = await testServer.request("ada", "POST /channels/create", {
    name: "kitchen",
    subscribers,
  });
  kitchen = created.id;
});
afterEach(() => testServer.close());

async function post(name: Name, topic = "tea", content = "words"): Promise<number> {
  const params = { type: "channel", to: kitchen, topic, content, read_by_sender: true };
  return (await testServer.request(name, "POST /messages", params)).id;
}

async function notify(userName: Name, to: Name[]): Promise<number> {
  const params = { type: "direct", to: to.map((name) => testServer.idOf(name)), content: "psst" };
  return (await testServer.request(userName, "POST /messages", { ...params, read_by_sender: true }))
    .id;
}

const receivedBy = (received: Json[] | undefined) =>
  received!.filter((event) => event.type === "update_message_flags");

describe("marking a whole view as read", () => {
  test("marks everything as read", async () => {
    await post("bo");
    await notify("bo", ["cy"]);
    const { result, events } = await staysInSync(testServer, ["cy"], () =>
      testServer.request("cy", "POST /mark_all_as_read"),
    );
    expect(result.complete).toBe(true);
    expect(receivedBy(events.cy)).toMatchObject([
      { op: "add", flag: "read", messages: [], all: true },
    ]);
    const { unread_msgs } = await testServer.request("cy", "POST /register");
    expect(unread_msgs).toMatchObject({ count: 0, pms: [], streams: [], huddles: [] });
  });

  test("marks a channel, and a topic of it, as read", async () => {
    const [tea, milk] = [await post("bo", "tea"), await post("bo", "milk")];
    const byTopic = await staysInSync(testServer, ["cy"], () =>
      testServer.request("cy", "POST /mark_topic_as_read", {
        stream_id: kitchen,
        topic_name: "MILK",
      }),
    );
    expect(receivedBy(byTopic.events.cy)).toMatchObject([
      { op: "add", flag: "read", messages: [milk] },
    ]);
    const byChannel = await staysInSync(testServer, ["cy"], () =>
      testServer.request("cy", "POST /mark_stream_as_read", { stream_id: kitchen }),
    );
    expect(receivedBy(byChannel.events.cy)).toMatchObject([{ messages: [tea], all: false }]);
  });

  test("does not count muted messages, nor as first unread message", async () => {
    await testServer.request("cy", "POST /mark_all_as_read");
    const topic = { stream_id: kitchen, topic: "noise", visibility_policy: 1 };
    await testServer.request("cy", "POST /user_topics", topic);
    await post("bo", "noise", "@**all** noise");
    const wildcardMention = await post("bo", "tea", "@**all** tea");
    const { unread_msgs } = await testServer.request("cy", "POST /register");
    expect(unread_msgs).toMatchObject({ count: 1, mentions: [wildcardMention] });
    expect(unread_msgs.streams).toHaveLength(2);
    const params = { anchor: "first_unread", num_after: 1 };
    expect((await testServer.request("cy", "GET /messages", params)).anchor).toBe(wildcardMention);
  });
});

test("marks a channel as read when the user unsubscribes", async () => {
  const id = await post("bo", "farewell");
  const { events } = await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["kitchen"] }),
  );
  expect(receivedBy(events.cy)[0]).toMatchObject({ op: "add", flag: "read", all: false });
  expect(receivedBy(events.cy)[0].messages).toContain(id);
});

test("returns only the newest unread messages beyond the limit", async () => {
  const last = 60_000;
  await testServer.realm.write((tx) => {
    const { stream_id } = tx.channels.findBy("name", "general")!;
    const topic = {
      topic_id: tx.next("topics"),
      stream_id,
      name: "flood",
      count: last,
      rename_id: 0,
    };
    const from = tx.last("messages") + 1;
    tx.topics.put({ ...topic, first_id: from, last_id: from + last - 1 });
    for (let id = from; id < from + last; id++) {
      tx.channel_messages.add([stream_id], id);
      tx.topic_messages.add([topic.topic_id], id);
    }
    tx.next("messages", last);
  });
  const { unread_msgs } = await testServer.request("bo", "POST /register");
  expect(unread_msgs.old_unreads_missing).toBe(true);
  const flood = unread_msgs.streams.find((location: Json) => location.topic === "flood");
  expect(flood.unread_message_ids).toHaveLength(50_000);
  expect(flood.unread_message_ids.at(-1)).toBe(testServer.realm.read.last("messages"));
  await testServer.request("bo", "POST /mark_all_as_read");
  const after = await testServer.request("bo", "POST /register");
  expect(after.unread_msgs).toMatchObject({ count: 0, old_unreads_missing: false });
});
