// Edit history, and its visibility by the organization's setting.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let garden: number;
let kitchen: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const make = async (name: string) => {
    const subscribers = [testServer.idOf("bo"), testServer.idOf("cy")];
    return (await testServer.request("bo", "POST /channels/create", { name, subscribers }))
      .id as number;
  };
  [garden, kitchen] = [await make("garden"), await make("kitchen")];
});
afterEach(() => testServer.close());

let id: number;
beforeEach(async () => {
  const message = { type: "stream", to: garden, topic: "peas", content: "one two" };
  id = (await testServer.request("bo", "POST /messages", message)).id;
});

const edit = (params: Params) =>
  testServer.request("bo", `PATCH /messages/${id}`, {
    send_notification_to_new_thread: false,
    ...params,
  });
const historyFor = async (name: Name, params: Params = {}): Promise<Json[]> =>
  (await testServer.request(name, `GET /messages/${id}/history`, params)).message_history;
const setPolicy = (message_edit_history_visibility_policy: "all" | "moves" | "none") =>
  testServer.realm.write((tx) => {
    const { settings, ...realm } = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...settings, message_edit_history_visibility_policy } });
  });

const anyTime = expect.any(Number);

test("returns every version, oldest first, with its changes", async () => {
  await edit({ content: "one *three* two" });
  await edit({ topic: "", propagate_mode: "change_all" });
  await edit({ stream_id: kitchen });
  await edit({ content: "four", topic: "beans" });
  const user_id = testServer.idOf("bo");
  const [v1, v3, v4] = [
    { content: "one two", rendered_content: "<p>one two</p>" },
    { content: "one *three* two", rendered_content: "<p>one <em>three</em> two</p>" },
    { content: "four", rendered_content: "<p>four</p>" },
  ] as const;
  const previousContent = ({ content, rendered_content }: typeof v1 | typeof v3) => ({
    prev_content: content,
    prev_rendered_content: rendered_content,
  });
  const inserted = '<em><span class="highlight_text_inserted">three</span></em>';
  expect(await historyFor("cy", { allow_empty_topic_name: true })).toEqual([
    { topic: "peas", ...v1, timestamp: anyTime, user_id },
    {
      topic: "peas",
      ...v3,
      ...previousContent(v1),
      timestamp: anyTime,
      user_id,
      content_html_diff: expect.stringContaining(inserted),
    },
    { topic: "", ...v3, prev_topic: "peas", timestamp: anyTime, user_id },
    { topic: "", ...v3, prev_stream: garden, stream: kitchen, timestamp: anyTime, user_id },
    {
      topic: "beans",
      prev_topic: "",
      ...v4,
      ...previousContent(v3),
      timestamp: anyTime,
      user_id,
      content_html_diff: expect.stringContaining("highlight_text_deleted"),
    },
  ]);
  const history = await historyFor("cy");
  expect(history.map(({ topic }) => topic)).toEqual([
    "peas",
    "peas",
    "general chat",
    "general chat",
    "beans",
  ]);
  expect(history[4].prev_topic).toBe("general chat");
});

test("shows a changed URL behind the same text", async () => {
  await edit({ content: "see [the page](http://one.example)" });
  await edit({ content: "see [the page](http://two.example)" });
  const diffHtml = (await historyFor("cy")).at(-1)!.content_html_diff;
  const removedHtml = '<span class="highlight_text_deleted"> Link: http://one.example</span>';
  const fresh = '<span class="highlight_text_inserted"> Link: http://two.example</span>';
  expect(diffHtml).toContain(`the page${removedHtml}${fresh}</a>`);
});

test("includes the topic of the time in each entry if only moves are visible", async () => {
  await edit({ content: "two" });
  await edit({ topic: "beans" });
  await edit({ stream_id: kitchen });
  await edit({ content: "three", topic: "corn", propagate_mode: "change_all" });
  await edit({ content: "four" });
  await edit({ topic: "Corn" });
  const all = await historyFor("cy");
  await setPolicy("moves");
  const moves = await historyFor("cy");
  expect(moves.map(({ topic }) => topic)).toEqual(["peas", "beans", "beans", "corn", "Corn"]);
  const read = (item: Json) => [item.topic, item.prev_topic, item.stream, item.prev_stream];
  const isMove = (item: Json, index: number) =>
    (index === 0 || item.prev_topic) ?? item.prev_stream;
  expect(moves.map(read)).toEqual(all.filter(isMove).map(read));
});

test("omits earlier content if only moves are visible", async () => {
  await edit({ content: "secret" });
  await edit({ content: "clean", topic: "beans" });
  await setPolicy("moves");
  const versions = await historyFor("cy");
  expect(JSON.stringify(versions)).not.toMatch(/secret|one two|diff/);
  expect(versions.map(({ topic }) => topic)).toEqual(["peas", "beans"]);
  const { message } = await testServer.request("cy", `GET /messages/${id}`);
  expect(message.edit_history).toHaveLength(1);
  expect(message.edit_history[0]).not.toHaveProperty("prev_content");
  await setPolicy("none");
  const response = await testServer.request("cy", `GET /messages/${id}`);
  expect(response.message).not.toHaveProperty("edit_history");
  const { message: msg } = messageErrors.editHistoryDisabled();
  const refusal = await testServer.refused("cy", `GET /messages/${id}/history`);
  expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST", msg });
  await setPolicy("all");
});

test("returns the history only of readable messages", async () => {
  await testServer.request("bo", "POST /channels/create", {
    name: "shed",
    subscribers: [testServer.idOf("bo")],
    invite_only: true,
  });
  const shed = testServer.realm.read.channels.findBy("name", "shed")!.stream_id;
  await edit({ stream_id: shed });
  const { message: msg } = messageErrors.messageNotFound();
  expect(await testServer.refused("cy", `GET /messages/${id}/history`)).toMatchObject({ msg });
});

test("sends a message first and then its changes to a client after a restart", async () => {
  const cy = await testServer.listen("cy");
  const message = { type: "stream", to: garden, topic: "leeks", content: "first" };
  id = (await testServer.request("bo", "POST /messages", message)).id;
  await edit({ content: "/me second", topic: "chard", propagate_mode: "change_all" });
  await edit({ topic: "kale" });
  await testServer.restart();
  const events = (await cy.takeAll()).filter(({ type }) => /message/.test(type));
  expect(events.map(({ type }) => type)).toEqual(["message", "update_message", "update_message"]);
  expect(events[0].message).toMatchObject({
    content: "first",
    subject: "leeks",
    is_me_message: false,
  });
  expect(events[0].message).not.toHaveProperty("edit_history");
  expect(events[1]).toMatchObject({ orig_subject: "leeks", subject: "chard", is_me_message: true });
});
