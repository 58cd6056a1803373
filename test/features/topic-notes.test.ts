// Topic notes: who may read and change them, their history, and their end.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { channelNotFound } from "../../src/contract/errors/channels.ts";
import {
  noteChanged,
  postingNotAllowed,
  topicNotFound,
} from "../../src/contract/errors/messages.ts";
import { NOTE_VERSIONS_MAX } from "../../src/features/topic-notes/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, type Params, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
let nth = 0;

beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());
beforeEach(async () => {
  stream_id = await createChannel({});
});

async function createChannel(extra: Params): Promise<number> {
  const subscribers = (["olga", "bo", "cy"] as const).map((name) => testServer.idOf(name));
  const params = { name: `notes ${(nth += 1)}`, subscribers, ...extra };
  return (await testServer.request("olga", "POST /channels/create", params)).id;
}

const post = async (topic = "t", to = stream_id): Promise<number> => {
  const message = { type: "channel", to, topic, content: "x" };
  return (await testServer.request("bo", "POST /messages", message)).id;
};
const write = (name: Name, content: string, version: number, extra: Params = {}): Promise<Json> =>
  testServer.request(name, "PUT /skein_topic_notes", {
    stream_id,
    topic: "t",
    content,
    version,
    ...extra,
  });
const refusedWrite = (name: Name, content: string, version: number, extra: Params = {}) =>
  testServer.refused(name, "PUT /skein_topic_notes", {
    ...{ stream_id, topic: "t", content, version, ...extra },
  });
const noteOf = (name: Name, extra: Params = {}): Promise<Json> =>
  testServer.request(name, "GET /skein_topic_notes", { stream_id, topic: "t", ...extra });
const historyOf = async (name: Name, of = stream_id): Promise<Json[]> => {
  const params = { stream_id: of, topic: "t" };
  return (await testServer.request(name, "GET /skein_topic_notes/history", params)).versions;
};

test("a note is Markdown with a history, and an empty one removes it", async () => {
  await post();
  expect(await noteOf("cy")).toMatchObject({ note: null, version: 0 });
  await write("bo", "**Agenda**", 0);
  await write("cy", "Agenda: *tea*", 1);
  const { note } = await noteOf("olga", { topic: "T" });
  expect(note).toMatchObject({
    ...{ content: "Agenda: *tea*", version: 2, updated_by: testServer.idOf("cy") },
    rendered_content: "<p>Agenda: <em>tea</em></p>",
  });
  await write("bo", " ", 2);
  expect(await noteOf("cy")).toMatchObject({ note: null, version: 3 });
  expect((await historyOf("cy")).map(({ content }) => content)).toEqual([
    ...["", "Agenda: *tea*", "**Agenda**"],
  ]);
});

test("a change of an older version is refused, so that nothing is lost", async () => {
  await post();
  await write("bo", "one", 0);
  expect((await refusedWrite("cy", "two", 0)).msg).toBe(noteChanged().message);
  expect((await noteOf("cy")).note.content).toBe("one");
});

test("the history is bounded", async () => {
  await post();
  for (let index = 0; index < NOTE_VERSIONS_MAX + 3; index++) await write("bo", `${index}`, index);
  const versions = await historyOf("bo");
  expect(versions).toHaveLength(NOTE_VERSIONS_MAX);
  expect(versions.at(-1).content).toBe("3");
});

test("notifies only subscribers whose clients request notes, without the topic", async () => {
  await post();
  const { events } = await staysInSync(testServer, ["cy", "mo"], () => write("bo", "one", 0));
  expect(events.cy).toMatchObject([{ type: "skein_topic_notes", stream_id }]);
  expect(Object.keys(events.cy![0]!).sort()).toEqual(["id", "stream_id", "type"]);
  expect(events.mo).toEqual([]);
  const plainListener = await testServer.listen("cy", { event_types: ["skein_topic_notes"] });
  await write("bo", "two", 1);
  expect(await plainListener.takeAll()).toEqual([]);
});

test("users who may not post can read the note, but not change it", async () => {
  await post();
  await write("bo", "one", 0);
  const owners = testServer.realm.read.groups.findBy("name", "role:owners")!;
  await testServer.request("olga", `PATCH /streams/${stream_id}`, {
    can_send_message_group: JSON.stringify({ new: owners.id }),
  });
  expect((await refusedWrite("cy", "two", 1)).msg).toBe(postingNotAllowed().message);
  expect((await noteOf("cy")).note.content).toBe("one");
  expect((await write("olga", "two", 1)).version).toBe(2);
});

test("hides notes from those who may not read the topic", async () => {
  const hiddenId = await createChannel({ invite_only: true, history_public_to_subscribers: false });
  const hiddenChannel = { stream_id: hiddenId };
  await post("t", hiddenId);
  await write("bo", "secret", 0, hiddenChannel);
  const params = { ...hiddenChannel, topic: "t" };
  const outside = await testServer.refused("mo", "GET /skein_topic_notes", params);
  expect(outside.msg).toBe(channelNotFound().message);
  const { name } = testServer.realm.read.channels.get(hiddenId)!;
  await testServer.request("olga", "POST /users/me/subscriptions", {
    ...{ subscriptions: [{ name }], principals: [testServer.idOf("mo")] },
  });
  // The same response as for a topic that does not exist.
  expect(await noteOf("mo", hiddenChannel)).toEqual(
    await noteOf("mo", { ...hiddenChannel, topic: "none" }),
  );
  const refusal = await testServer.refused("mo", "GET /skein_topic_notes/history", params);
  expect(refusal.msg).toBe(topicNotFound("t").message);
  expect((await refusedWrite("mo", "mine", 1, hiddenChannel)).msg).toBe(topicNotFound("t").message);
  await post("t", hiddenId);
  expect((await noteOf("mo", hiddenChannel)).note.content).toBe("secret");
});

test("later subscribers of protected history get no earlier version of a note", async () => {
  const hiddenId = await createChannel({ invite_only: true, history_public_to_subscribers: false });
  const hiddenChannel = { stream_id: hiddenId };
  await post("t", hiddenId);
  await write("bo", "before", 0, hiddenChannel);
  await write("bo", "now", 1, hiddenChannel);
  const { name } = testServer.realm.read.channels.get(hiddenId)!;
  await testServer.request("olga", "POST /users/me/subscriptions", {
    ...{ subscriptions: [{ name }], principals: [testServer.idOf("mo")] },
  });
  // A message of their own in the topic gives no access to its history.
  const message = { type: "channel", to: hiddenId, topic: "t", content: "x" };
  await testServer.request("mo", "POST /messages", message);
  const historyContents = async (reader: Name) =>
    (await historyOf(reader, hiddenId)).map(({ content }) => content);
  expect(await historyContents("mo")).toEqual(["now"]);
  expect(await historyContents("cy")).toEqual(["now", "before"]);
  await write("mo", "next", 2, hiddenChannel);
  expect(await historyContents("mo")).toEqual(["next"]);
});

test("hides earlier versions when the first messages of a topic are gone", async () => {
  const hiddenId = await createChannel({ invite_only: true, history_public_to_subscribers: false });
  const hiddenChannel = { stream_id: hiddenId };
  const early = await post("t", hiddenId);
  const moved = await post("t", hiddenId);
  await write("olga", "secret", 0, hiddenChannel);
  const { name } = testServer.realm.read.channels.get(hiddenId)!;
  await testServer.request("olga", "POST /users/me/subscriptions", {
    ...{ subscriptions: [{ name }], principals: [testServer.idOf("mo")] },
  });
  await write("olga", "clean", 1, hiddenChannel);
  await post("t", hiddenId);
  const historyContents = async (reader: Name) =>
    (await historyOf(reader, hiddenId)).map(({ content }) => content);
  const hidden = async () => {
    expect(await historyContents("mo")).toEqual(["clean"]);
    expect(await historyContents("bo")).toEqual(["clean", "secret"]);
  };
  await hidden();
  await testServer.request("olga", `DELETE /messages/${early}`);
  await hidden();
  const move = { topic: "elsewhere", propagate_mode: "change_one" };
  await testServer.request("olga", `PATCH /messages/${moved}`, move);
  await hidden();
  await write("olga", "newest", 2, hiddenChannel);
  expect(await historyContents("mo")).toEqual(["newest", "clean"]);
  // Nor do they see versions from a time when they were not subscribed.
  const subscriptions = [name];
  await testServer.request("mo", "DELETE /users/me/subscriptions", { subscriptions });
  await write("olga", "while away", 3, hiddenChannel);
  await testServer.request("olga", "POST /users/me/subscriptions", {
    ...{ subscriptions: [{ name }], principals: [testServer.idOf("mo")] },
  });
  await write("olga", "back", 4, hiddenChannel);
  await post("t", hiddenId);
  expect(await historyContents("mo")).toEqual(["back", "newest", "clean"]);
});

test("renaming a topic keeps its note; deleting and merging it end the note", async () => {
  const id = await post();
  await write("bo", "one", 0);
  const rename = { topic: "renamed", propagate_mode: "change_all" };
  await testServer.request("olga", `PATCH /messages/${id}`, rename);
  expect((await noteOf("cy", { topic: "renamed" })).note.content).toBe("one");
  await post("other");
  const merge = { topic: "other", propagate_mode: "change_all" };
  await testServer.request("olga", `PATCH /messages/${id}`, merge);
  expect((await noteOf("cy", { topic: "other" })).note).toBeNull();
  const last = await post("last");
  await write("bo", "gone", 0, { topic: "last" });
  await testServer.request("olga", `DELETE /messages/${last}`);
  await post("last");
  expect(await noteOf("cy", { topic: "last" })).toMatchObject({ note: null, version: 0 });
  expect(
    [...testServer.realm.read.topic_note_versions.range()].map(({ content }) => content),
  ).not.toContain("gone");
});
