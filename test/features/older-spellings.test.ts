// Topics that earlier versions stored with invisible characters are found in either spelling.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, openChannelFixture } from "./channel-fixture.ts";

/** Today's spelling and the stored one. `N` is the number of the topic. */
const SPELLINGS: Record<string, readonly [written: string, stored: string]> = {
  "a character of no width": ["Garden tools N", "Garden\u200b tools N"],
  "controls of direction": ["gate N", "\u202egate N\u202c"],
  "both, and a space that does not break": ["oak tree N", "oak\u00a0tr\u2060e\u200ee N"],
  "letters taken apart, and a soft hyphen": ["\u00c9l\u00e9ment N", "E\u0301le\u0301\u00adment N"],
  "stacked marks": [`\u017a${"\u0301".repeat(8)} N`, `z${"\u0301".repeat(40)} N`],
};

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await openChannelFixture();
});
afterAll(() => fixture.testServer.close());
beforeEach(() => fixture.nextTopic());

/** Creates a topic as an earlier version stored it, and restarts the server. */
async function storeSpelling(kind: string) {
  const { testServer } = fixture;
  const [written, name] = SPELLINGS[kind]!.map((item) => item.replace("N", fixture.topic)) as [
    string,
    string,
  ];
  const id = await fixture.post("bo", fixture.garden, "kept", `plain ${fixture.topic}`);
  await testServer.realm.write((tx) => {
    const { topic_id } = tx.messages.get(id)!;
    tx.topics.put({ ...tx.topics.get(topic_id)!, name });
  });
  await testServer.restart();
  const { topic_id } = testServer.realm.read.messages.get(id)!;
  return { written, name, id, topic_id };
}

async function fetchTopicIds(name: Name, topic: string): Promise<number[]> {
  const narrow = [
    { operator: "channel", operand: fixture.garden },
    { operator: "topic", operand: topic },
  ];
  const params = { anchor: "newest", num_before: 20, num_after: 0, narrow };
  const { messages } = await fixture.testServer.request(name, "GET /messages", params);
  return messages.map(({ id }: { id: number }) => id);
}

test.each(Object.keys(SPELLINGS))("a topic stored with %s is found and kept", async (kind) => {
  const { written, name, id, topic_id } = await storeSpelling(kind);
  const { testServer, garden } = fixture;
  const spellings = [written, name, written.toUpperCase()];
  for (const topic of spellings) expect(await fetchTopicIds("cy", topic)).toEqual([id]);

  const ids = [id];
  const { events } = await staysInSync(testServer, ["cy", "gus"], async () => {
    for (const topic of [written, name]) ids.push(await fixture.post("bo", garden, "more", topic));
  });
  const received = events.cy!.filter(({ type }) => type === "message");
  expect(received.map(({ message }) => message.subject)).toEqual([name, name]);

  for (const topic of [written, name]) {
    for (const visibility_policy of [1, 0]) {
      const muting = { stream_id: garden, topic, visibility_policy };
      await testServer.request("cy", "POST /user_topics", muting);
      const { user_topics } = await testServer.request("cy", "POST /register");
      const own = { stream_id: garden, topic_name: name, visibility_policy };
      expect(user_topics).toEqual(
        visibility_policy === 0 ? [] : [{ ...own, last_updated: expect.any(Number) }],
      );
    }
  }

  for (const topic of [written, name]) {
    const other = await fixture.post("bo", garden, "elsewhere", `elsewhere ${fixture.topic}`);
    await fixture.move("bo", other, { topic });
    ids.push(other);
    expect(await fixture.getMessage("cy", other)).toMatchObject({ subject: name });
  }
  for (const topic of spellings) expect(await fetchTopicIds("cy", topic)).toEqual(ids);
  expect(testServer.realm.read.topics.get(topic_id)).toMatchObject({ name, count: ids.length });
});

test("a topic that keeps its spelling in another channel is found there too", async () => {
  const { written, name, id } = await storeSpelling("a character of no width");
  const { kitchen } = fixture;
  // The job has already searched the kitchen before this topic appears.
  const before = await fixture.post("bo", kitchen, "first", `new ${fixture.topic}`);
  const all = { stream_id: kitchen, propagate_mode: "change_all" };
  await fixture.move("bo", id, all);
  const response = await fixture.post("bo", kitchen, "more", written);
  expect(await fixture.getMessage("bo", response)).toMatchObject({
    subject: name,
    stream_id: kitchen,
  });
  expect(before).toBeLessThan(response);
});

test("a topic in an earlier spelling gets the current one when it is renamed to it", async () => {
  const { written, name, id, topic_id } = await storeSpelling("controls of direction");
  await fixture.move("bo", id, { topic: written, propagate_mode: "change_all" });
  expect(await fixture.getMessage("cy", id)).toMatchObject({ subject: written });
  expect(fixture.testServer.realm.read.topics.get(topic_id)).toMatchObject({ name: written });
  for (const topic of [written, name]) expect(await fetchTopicIds("cy", topic)).toEqual([id]);
});
