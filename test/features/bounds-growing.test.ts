// Limits of objects that requests create: names, pictures, invitations and edits.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { tooMany } from "../../src/contract/errors/channels.ts";
import { invitationsTooMany } from "../../src/contract/errors/people.ts";
import { BOT_STORAGE_NAMES_MAX } from "../../src/features/bots/rules.ts";
import { CUSTOM_EMOJI_MAX } from "../../src/features/emoji/rules.ts";
import { INVITATIONS_KEPT_MAX } from "../../src/features/invitations/rules.ts";
import {
  EDIT_HISTORY_LENGTH_MAX,
  EDIT_HISTORY_MAX,
  TOPIC_RENAMES_MAX,
} from "../../src/features/messages/edit-history-wire.ts";
import { DOMAINS_MAX } from "../../src/features/realm/rules.ts";
import { EVENT_TYPES_MAX } from "../../src/features/register/rules.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "own", subscribers: [] })
  ).id;
});
afterEach(() => testServer.close());

const content = "words";

test("limits the length of queue ids, local ids and client names", async () => {
  const eventTypeNames = (count: number, name = "message") =>
    Array.from({ length: count }, () => name);
  for (const field of ["event_types", "fetch_event_types"]) {
    await testServer.request("bo", "POST /register", { [field]: eventTypeNames(EVENT_TYPES_MAX) });
    for (const long of [eventTypeNames(EVENT_TYPES_MAX + 1), eventTypeNames(1, "x".repeat(101))]) {
      expect((await testServer.refused("bo", "POST /register", { [field]: long })).status).toBe(
        400,
      );
    }
  }
  const message = { type: "stream", to: stream_id, topic: "t", content };
  const queueFields = { queue_id: "q", local_id: "x".repeat(1_000) };
  await testServer.request("bo", "POST /messages", { ...message, ...queueFields });
  for (const name of ["queue_id", "local_id"]) {
    const params = { ...message, ...queueFields, [name]: "x".repeat(1_001) };
    expect((await testServer.refused("bo", "POST /messages", params)).msg).toContain("too long");
  }
});

test("limits the number of objects that an organization creates", async () => {
  const numberedNames = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  await testServer.realm.write((tx) => {
    const emoji = {
      author_id: testServer.idOf("bo"),
      file: "x.webp",
      still: null,
      deactivated: true,
    };
    for (const name of numberedNames(CUSTOM_EMOJI_MAX)) {
      tx.custom_emoji.put({ ...emoji, id: tx.next("custom_emoji"), name });
    }
    for (const name of numberedNames(DOMAINS_MAX - 1)) {
      const id = tx.next("realm_domains");
      tx.realm_domains.put({ domain: `${name}.example`, id, allow_subdomains: false });
    }
  });
  const tooManyEmoji = tooMany("custom emoji", CUSTOM_EMOJI_MAX).message;
  expect((await testServer.refused("bo", "POST /realm/emoji/one_more")).msg).toBe(tooManyEmoji);
  const domain = { domain: "last.example", allow_subdomains: false };
  await testServer.request("olga", "POST /realm/domains", domain);
  const more = { ...domain, domain: "more.example" };
  const { message: msg } = tooMany("domains", DOMAINS_MAX);
  expect(await testServer.refused("olga", "POST /realm/domains", more)).toMatchObject({ msg });
});

test("counts expired invitations for a while, which limits all invitations", async () => {
  const params = { invite_as: 400, stream_ids: [], invite_expires_in_minutes: 60 };
  await testServer.request("ada", "POST /invites/multiuse", params);
  await testServer.realm.write((tx) => {
    const [invitation] = tx.invitations.listBy("inviter", testServer.idOf("ada"));
    for (let n = 1; n < INVITATIONS_KEPT_MAX; n++) {
      const revoked = { ...invitation!, id: 1_000_000 + n, hash: `${n}`, revoked: tx.now };
      tx.invitations.put(revoked);
    }
  });
  const { message: msg } = invitationsTooMany(INVITATIONS_KEPT_MAX);
  expect(await testServer.refused("ada", "POST /invites/multiuse", params)).toMatchObject({ msg });
});

test("limits the number of texts in a bot's storage, however short", async () => {
  const texts = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${from + index}`, ""]));
  const store = (storage: object) => testServer.request("bot", "PUT /bot_storage", { storage });
  await store(texts(0, BOT_STORAGE_NAMES_MAX));
  await store({ 0: "x" });
  const { message: msg } = tooMany("texts in the storage of a bot", BOT_STORAGE_NAMES_MAX);
  const first = { storage: { more: "" } };
  expect(await testServer.refused("bot", "PUT /bot_storage", first)).toMatchObject({ msg });
  await testServer.request("bot", "DELETE /bot_storage", { keys: ["1"] });
  await store({ more: "" });
  expect(await testServer.refused("bot", "PUT /bot_storage", { storage: { 1: "" } })).toMatchObject(
    {
      msg,
    },
  );
});

test("keeps the newest edits of a message and its original", async () => {
  const message = { type: "stream", to: stream_id, topic: "t", content: "as sent" };
  const { id } = await testServer.request("bo", "POST /messages", message);
  const edit = (params: Params) => testServer.request("bo", `PATCH /messages/${id}`, params);
  for (let n = 0; n < EDIT_HISTORY_MAX + 5; n++) await edit({ content: `edit ${n}` });
  const historyLength = async () =>
    (await testServer.request("bo", `GET /messages/${id}/history`)).message_history as Json[];
  const first = await historyLength();
  expect(first).toHaveLength(EDIT_HISTORY_MAX + 1);
  expect(first[0].content).toBe("as sent");
  expect(first.at(-2).content).toBe(`edit ${EDIT_HISTORY_MAX + 3}`);
  for (let n = 0; n < 20; n++) await edit({ content: `${n}`.padEnd(9_000, "x") });
  const [entries] = [testServer.realm.read.messages.get(id)!.edit_history!];
  const length = entries.reduce((sum, { prev_content = "" }) => sum + prev_content.length, 0);
  expect(length).toBeLessThanOrEqual(EDIT_HISTORY_LENGTH_MAX);
  expect((await historyLength())[0].content).toBe("as sent");

  const moveParams = { propagate_mode: "change_all", send_notification_to_new_thread: false };
  for (let n = 0; n < TOPIC_RENAMES_MAX + 5; n++) await edit({ topic: `t${n}`, ...moveParams });
  const { topic_id } = testServer.realm.read.messages.get(id)!;
  const range = { from: [topic_id], to: [topic_id + 1] };
  expect([...testServer.realm.read.topic_renames.range(range)]).toHaveLength(TOPIC_RENAMES_MAX);
  expect((await testServer.request("bo", `GET /messages/${id}`)).message.subject).toBe(
    `t${TOPIC_RENAMES_MAX + 4}`,
  );
});
