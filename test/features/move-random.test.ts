// Random moves and edits, compared with a plain list of messages and their receivers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import { canReadMessage, hasReceived } from "../../src/features/messages/access.ts";
import { compose } from "../../src/features/messages/content/compose.ts";
import { removeMessages } from "../../src/features/messages/delete/remove.ts";
import { editHistoryOf } from "../../src/features/messages/edit-history-wire.ts";
import type { PropagateMode } from "../../src/features/messages/edit/events.ts";
import { updateFlags } from "../../src/features/messages/flags/flags.ts";
import { editMessage } from "../../src/features/messages/patch/edit.ts";
import { FLAG_MENTIONED } from "../../src/features/messages/rules.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { ownSet, cachedMessages } from "../../src/features/messages/sets/received.ts";
import { idsFrom, ListedSet, NarrowedSet } from "../../src/features/messages/sets/sets.ts";
import { unreadByConversation } from "../../src/features/messages/unread/by-conversation.ts";
import { flagsOf } from "../../src/features/messages/unread/personal-flags.ts";
import type { User } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { randomSource } from "./random-history.ts";
import { expectChannel } from "./compare-channel-indexes.ts";

interface Row {
  read: boolean;
  /** Access granted by a move or kept by a star, without having received the message. */
  later: boolean;
}

interface SentMessage {
  id: number;
  channel: string;
  topic: string;
  content: string;
  /** The mentioned user. */
  mentioned: Name | undefined;
  rows: Map<Name, Row>;
  stars: Set<Name>;
  /** Newest first. */
  history: Record<string, unknown>[];
}

const CHANNELS = ["open", "public", "shared", "secret"] as const;
const TOPICS = ["tea", "milk", "cake", "jam", ""];
const PEOPLE: readonly Name[] = ["ada", "mo", "bo", "cy", "gus"];

let testServer: TestServer;
const roll = randomSource(4711);
const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!;
const messages: SentMessage[] = [];
const subscribed = new Map<string, Set<Name>>(CHANNELS.map((name) => [name, new Set()]));

const user = (name: Name): User => testServer.realm.read.users.get(testServer.idOf(name))!;
const channelOf = (name: string) => testServer.realm.read.channels.findBy("name", name)!;
const isIncluded = (name: Name, channel: string) => subscribed.get(channel)!.has(name);
const canRead = (name: Name, channel: string) =>
  isIncluded(name, channel) || (name !== "gus" && (channel === "open" || channel === "public"));
const couldRead = (name: Name, { channel, rows }: SentMessage) =>
  canRead(name, channel) && (channel !== "secret" || rows.has(name));

beforeAll(async () => {
  testServer = await startTestServer();
  await testServer.realm.write((tx) => {
    const { settings, ...realm } = tx.realm.get(1)!;
    const limits = { message_content_edit_limit_seconds: null };
    tx.realm.put({ ...realm, settings: { ...settings, ...limits } });
    for (const name of CHANNELS) {
      const invite_only = name === "shared" || name === "secret";
      const history_public_to_subscribers = name !== "secret";
      createChannel(tx, user("olga"), { name, invite_only, history_public_to_subscribers });
    }
  });
  for (const name of CHANNELS) for (const userName of PEOPLE) await join(userName, name);
  await testServer.realm.write((tx) => void tx.next("messages", 4096));
});
afterAll(() => testServer.close());

async function join(name: Name, channel: string): Promise<void> {
  await testServer.realm.write(
    (tx) => void subscribe(tx, null, [user(name)], [channelOf(channel)]),
  );
  subscribed.get(channel)!.add(name);
}

async function leave(name: Name, channel: string): Promise<void> {
  await testServer.realm.write((tx) => unsubscribe(tx, null, [user(name)], [channelOf(channel)]));
  subscribed.get(channel)!.delete(name);
  for (const message of messages)
    if (message.channel === channel && message.rows.has(name)) message.rows.get(name)!.read = true;
}

function randomContent(): { content: string; mentioned: Name | undefined } {
  const mentioned = roll(3) === 0 ? pick(PEOPLE) : undefined;
  const content = `${mentioned ? `@**${user(mentioned).full_name}** ` : ""}words ${roll(1000)}`;
  return { content, mentioned };
}

async function post(userName: Name, channel: string): Promise<void> {
  if (!isIncluded(userName, channel)) return;
  const { content, mentioned } = randomContent();
  const topic = pick(TOPICS);
  const { stream_id } = channelOf(channel);
  const options = { read_by_sender: true };
  const { id } = await testServer.realm.write((tx) => {
    if (roll(10) === 0) tx.next("messages", roll(3000));
    return sendMessage(tx, user(userName), { stream_id, topic }, content, options);
  });
  const rows = [...subscribed.get(channel)!].map((name): [Name, Row] => {
    return [name, { read: name === userName, later: false }];
  });
  const fresh = { stars: new Set<Name>(), history: [] };
  messages.push({ id, channel, topic, content, mentioned, rows: new Map(rows), ...fresh });
}

async function move(userName: Name): Promise<void> {
  const target = pick(messages);
  const { channel, topic } = target;
  if (!couldRead(userName, target)) return;
  const to = roll(3) === 0 ? pick(CHANNELS) : channel;
  const name = roll(3) === 0 ? topic : pick(TOPICS);
  if ((to === channel && name === topic) || !canRead(userName, to)) return;
  if (to !== channel && userName === "gus") return;
  const propagate_mode: PropagateMode = pick(["change_one", "change_later", "change_all"]);
  const inTopic = messages.filter(
    (message) => message.channel === channel && message.topic === topic,
  );
  const movable = inTopic.filter((message) => {
    if (to !== channel && !couldRead(userName, message)) return false;
    if (propagate_mode === "change_one") return message === target;
    return propagate_mode === "change_all" || message.id >= target.id;
  });
  const from = channelOf(channel).stream_id;
  const stream_id = channelOf(to).stream_id;
  const changes = { topic: name, stream_id, propagate_mode, notify_old: false, notify_new: false };
  const move_id = await testServer.realm.write((tx) =>
    editMessage(tx, user(userName), target.id, changes),
  );
  expect(move_id).toBe(undefined);
  for (const message of movable) {
    message.channel = to;
    message.topic = name;
    message.history.unshift({
      user_id: testServer.idOf(userName),
      ...(name !== topic && { prev_topic: topic, topic: name }),
      ...(to !== channel && { prev_stream: from, stream: stream_id }),
    });
    if (to !== channel) moveRows(message, to);
  }
}

function moveRows(message: SentMessage, to: string): void {
  for (const [name, row] of message.rows) {
    if (isIncluded(name, to)) continue;
    if (row.later) {
      row.read = true;
      continue;
    }
    message.rows.delete(name);
    const isStored = message.stars.has(name) && canRead(name, to) && to !== "secret";
    if (isStored) message.rows.set(name, { read: true, later: true });
    else message.stars.delete(name);
  }
  if (to !== "secret") return;
  for (const name of subscribed.get(to)!) {
    if (!message.rows.has(name)) message.rows.set(name, { read: true, later: true });
  }
}

async function edit(): Promise<void> {
  const target = pick(messages);
  const sender = PEOPLE.find((name) => {
    return testServer.idOf(name) === testServer.realm.read.messages.get(target.id)!.sender_id;
  })!;
  if (!couldRead(sender, target)) return;
  const { content, mentioned } = randomContent();
  const prev_content = target.content;
  await testServer.realm.write((tx) =>
    editMessage(tx, user(sender), target.id, {
      content: compose(tx, user(sender), content),
      propagate_mode: "change_one",
      notify_old: false,
      notify_new: false,
    }),
  );
  Object.assign(target, { content, mentioned });
  target.history.unshift({ user_id: testServer.idOf(sender), prev_content });
}

async function flag(userName: Name, name: "read" | "starred", op: "add" | "remove"): Promise<void> {
  const own = messages.filter(
    (message) => message.rows.has(userName) && couldRead(userName, message),
  );
  const movedMessages = own.filter(
    ({ channel }) => roll(3) === 0 && (isIncluded(userName, channel) || name !== "read"),
  );
  await testServer.realm.write(
    (tx) =>
      void updateFlags(
        tx,
        user(userName),
        op,
        name,
        movedMessages.map(({ id }) => id),
      ),
  );
  for (const message of movedMessages) {
    if (name === "read") message.rows.get(userName)!.read = op === "add";
    else if (op === "add") message.stars.add(userName);
    else message.stars.delete(userName);
  }
}

async function remove(): Promise<void> {
  const target = pick(messages);
  await testServer.realm.write((tx) => removeMessages(tx, [tx.messages.get(target.id)!], null));
  messages.splice(messages.indexOf(target), 1);
}

async function step(): Promise<void> {
  const [name, channel, dieRoll] = [pick(PEOPLE), pick(CHANNELS), roll(100)];
  if (dieRoll < 3 && !isIncluded(name, channel)) return join(name, channel);
  if (dieRoll < 3 && name !== "ada") return leave(name, channel);
  if (dieRoll < 8) return flag(name, "read", pick(["add", "add", "remove"]));
  if (dieRoll < 11) return flag(name, "starred", pick(["add", "remove"]));
  if (dieRoll < 13 && messages.length > 0) return remove();
  if (dieRoll < 20 && messages.length > 0) return edit();
  if (dieRoll < 50 && messages.length > 0) return move(name);
  return post(name, channel);
}

function checkIndexes(): void {
  const places = messages.map(({ id, channel, topic }) => {
    return { id, topic, stream_id: channelOf(channel).stream_id };
  });
  for (const name of CHANNELS) expectChannel(testServer.realm.read, channelOf(name), places);
}

function checkRecords(): void {
  const { read } = testServer.realm;
  for (const { id, channel, topic, content, history } of messages) {
    const message = read.messages.get(id)!;
    const { stream_id, recipient_id } = channelOf(channel);
    expect(message).toMatchObject({ stream_id, recipient_id, content });
    expect(read.topics.get(message.topic_id)!.name).toBe(topic);
    const entries = editHistoryOf(read)(message).edit_history ?? [];
    const plain = entries.map(
      ({ timestamp: _timestamp, prev_rendered_content: _html, ...entry }) => entry,
    );
    expect(plain).toEqual(history as never);
  }
}

function checkPeople(): void {
  const { read } = testServer.realm;
  for (const name of PEOPLE) {
    const own = idsFrom(
      ownSet(read, user(name), cachedMessages(read)),
      0,
      read.last("messages"),
      Infinity,
    );
    const ownMessages = messages.filter(
      (message) => message.rows.has(name) && canRead(name, message.channel),
    );
    const first = 4096;
    expect(
      own.filter((id) => id > first),
      name,
    ).toEqual(ownMessages.map(({ id }) => id));
    const unread = ownMessages.filter(
      (message) => !message.rows.get(name)!.read && isIncluded(name, message.channel),
    );
    const conversations = unreadByConversation(read, user(name)).places;
    const found = conversations
      .flatMap((conversation) => conversation.ids)
      .filter((id) => id > first);
    expect(
      found.sort((a, b) => a - b),
      name,
    ).toEqual(unread.map(({ id }) => id));
    const rows = ownSet(read, user(name), cachedMessages(read));
    for (const modelMessage of messages) {
      const narrowed = new NarrowedSet([new ListedSet([modelMessage.id]), rows], []);
      expect(idsFrom(narrowed, modelMessage.id, modelMessage.id, 1)).toEqual(
        ownMessages.includes(modelMessage) ? [modelMessage.id] : [],
      );
      const message = read.messages.get(modelMessage.id)!;
      expect(canReadMessage(read, user(name), message), `${name} reads ${modelMessage.id}`).toBe(
        couldRead(name, modelMessage),
      );
      expect(hasReceived(read, user(name), message), `${name} has ${modelMessage.id}`).toBe(
        modelMessage.rows.has(name),
      );
      if (modelMessage.rows.get(name)?.later !== false) continue;
      const isMentioned = modelMessage.mentioned === name;
      expect(flagsOf(read, user(name), message).includes("mentioned")).toBe(isMentioned);
      expect(read.flags.has([testServer.idOf(name), FLAG_MENTIONED], modelMessage.id)).toBe(
        isMentioned,
      );
    }
  }
}

describe("random moves and edits match a plain list", () => {
  for (let round = 1; round <= 12; round++) {
    test(`after ${round * 60} random steps`, async () => {
      for (let index = 0; index < 60; index++) await step();
      checkIndexes();
      checkRecords();
      checkPeople();
    });
  }
});
