// Random moves and edits, compared with a plain list of messages and their receivers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe, unsubscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { canReadMessage, hasReceived } from "../../src/features/messages/access.ts";
import { compose } from "../../src/features/messages/content/compose.ts";
import { removeMessages } from "../../src/features/messages/delete/remove.ts";
import { editHistoryOf } from "../../src/features/messages/edit-history-wire.ts";
import type { PropagateMode } from "../../src/features/messages/edit/events.ts";
import { updateFlags } from "../../src/features/messages/flags/flags.ts";
import { editMessage } from "../../src/features/messages/patch/edit.ts";
import { FLAG_MENTIONED } from "../../src/features/messages/rules.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { ownSet, rememberedMessages } from "../../src/features/messages/sets/received.ts";
import { idsFrom, Listed, Narrowed } from "../../src/features/messages/sets/sets.ts";
import { unreadByConversation } from "../../src/features/messages/unread/by-conversation.ts";
import { flagsOf } from "../../src/features/messages/unread/personal-flags.ts";
import type { User } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { dice } from "./random-history.ts";
import { expectChannel } from "./compare-channel-indexes.ts";

interface Row {
  read: boolean;
  /** Access granted by a move or kept by a star, without having received the message. */
  later: boolean;
}

interface Said {
  id: number;
  channel: string;
  topic: string;
  content: string;
  /** The mentioned user. */
  called: Name | undefined;
  rows: Map<Name, Row>;
  stars: Set<Name>;
  /** Newest first. */
  history: Record<string, unknown>[];
}

const CHANNELS = ["open", "public", "shared", "secret"] as const;
const TOPICS = ["tea", "milk", "cake", "jam", ""];
const PEOPLE: readonly Name[] = ["ada", "mo", "bo", "cy", "gus"];

let testServer: TestServer;
const roll = dice(4711);
const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!;
const said: Said[] = [];
const subscribed = new Map<string, Set<Name>>(CHANNELS.map((name) => [name, new Set()]));

const user = (name: Name): User => testServer.realm.read.users.get(testServer.idOf(name))!;
const channelOf = (name: string) => testServer.realm.read.channels.one("name", name)!;
const isIn = (who: Name, channel: string) => subscribed.get(channel)!.has(who);
const canRead = (who: Name, channel: string) =>
  isIn(who, channel) || (who !== "gus" && (channel === "open" || channel === "public"));
const mayRead = (who: Name, { channel, rows }: Said) =>
  canRead(who, channel) && (channel !== "secret" || rows.has(who));

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
  for (const name of CHANNELS) for (const who of PEOPLE) await join(who, name);
  await testServer.realm.write((tx) => void tx.next("messages", 4096));
});
afterAll(() => testServer.close());

async function join(who: Name, channel: string): Promise<void> {
  await testServer.realm.write((tx) => void subscribe(tx, null, [user(who)], [channelOf(channel)]));
  subscribed.get(channel)!.add(who);
}

async function leave(who: Name, channel: string): Promise<void> {
  await testServer.realm.write((tx) => unsubscribe(tx, null, [user(who)], [channelOf(channel)]));
  subscribed.get(channel)!.delete(who);
  for (const one of said)
    if (one.channel === channel && one.rows.has(who)) one.rows.get(who)!.read = true;
}

function words(): { content: string; called: Name | undefined } {
  const called = roll(3) === 0 ? pick(PEOPLE) : undefined;
  const content = `${called ? `@**${user(called).full_name}** ` : ""}words ${roll(1000)}`;
  return { content, called };
}

async function say(who: Name, channel: string): Promise<void> {
  if (!isIn(who, channel)) return;
  const { content, called } = words();
  const topic = pick(TOPICS);
  const { stream_id } = channelOf(channel);
  const options = { read_by_sender: true };
  const { id } = await testServer.realm.write((tx) => {
    if (roll(10) === 0) tx.next("messages", roll(3000));
    return sendMessage(tx, user(who), { stream_id, topic }, content, options);
  });
  const rows = [...subscribed.get(channel)!].map((name): [Name, Row] => {
    return [name, { read: name === who, later: false }];
  });
  const fresh = { stars: new Set<Name>(), history: [] };
  said.push({ id, channel, topic, content, called, rows: new Map(rows), ...fresh });
}

async function move(who: Name): Promise<void> {
  const target = pick(said);
  const { channel, topic } = target;
  if (!mayRead(who, target)) return;
  const to = roll(3) === 0 ? pick(CHANNELS) : channel;
  const name = roll(3) === 0 ? topic : pick(TOPICS);
  if ((to === channel && name === topic) || !canRead(who, to)) return;
  if (to !== channel && who === "gus") return;
  const propagate_mode: PropagateMode = pick(["change_one", "change_later", "change_all"]);
  const inTopic = said.filter((one) => one.channel === channel && one.topic === topic);
  const taken = inTopic.filter((one) => {
    if (to !== channel && !mayRead(who, one)) return false;
    if (propagate_mode === "change_one") return one === target;
    return propagate_mode === "change_all" || one.id >= target.id;
  });
  const from = channelOf(channel).stream_id;
  const stream_id = channelOf(to).stream_id;
  const changes = { topic: name, stream_id, propagate_mode, notify_old: false, notify_new: false };
  const move_id = await testServer.realm.write((tx) =>
    editMessage(tx, user(who), target.id, changes),
  );
  expect(move_id).toBe(undefined);
  for (const one of taken) {
    one.channel = to;
    one.topic = name;
    one.history.unshift({
      user_id: testServer.idOf(who),
      ...(name !== topic && { prev_topic: topic, topic: name }),
      ...(to !== channel && { prev_stream: from, stream: stream_id }),
    });
    if (to !== channel) moveRows(one, to);
  }
}

function moveRows(message: Said, to: string): void {
  for (const [name, row] of message.rows) {
    if (isIn(name, to)) continue;
    if (row.later) {
      row.read = true;
      continue;
    }
    message.rows.delete(name);
    const isKept = message.stars.has(name) && canRead(name, to) && to !== "secret";
    if (isKept) message.rows.set(name, { read: true, later: true });
    else message.stars.delete(name);
  }
  if (to !== "secret") return;
  for (const name of subscribed.get(to)!) {
    if (!message.rows.has(name)) message.rows.set(name, { read: true, later: true });
  }
}

async function edit(): Promise<void> {
  const target = pick(said);
  const sender = PEOPLE.find((name) => {
    return testServer.idOf(name) === testServer.realm.read.messages.get(target.id)!.sender_id;
  })!;
  if (!mayRead(sender, target)) return;
  const { content, called } = words();
  const prev_content = target.content;
  await testServer.realm.write((tx) =>
    editMessage(tx, user(sender), target.id, {
      content: compose(tx, user(sender), content),
      propagate_mode: "change_one",
      notify_old: false,
      notify_new: false,
    }),
  );
  Object.assign(target, { content, called });
  target.history.unshift({ user_id: testServer.idOf(sender), prev_content });
}

async function flag(who: Name, name: "read" | "starred", op: "add" | "remove"): Promise<void> {
  const own = said.filter((one) => one.rows.has(who) && mayRead(who, one));
  const some = own.filter(
    ({ channel }) => roll(3) === 0 && (isIn(who, channel) || name !== "read"),
  );
  await testServer.realm.write(
    (tx) =>
      void updateFlags(
        tx,
        user(who),
        op,
        name,
        some.map(({ id }) => id),
      ),
  );
  for (const one of some) {
    if (name === "read") one.rows.get(who)!.read = op === "add";
    else if (op === "add") one.stars.add(who);
    else one.stars.delete(who);
  }
}

async function remove(): Promise<void> {
  const target = pick(said);
  await testServer.realm.write((tx) => removeMessages(tx, [tx.messages.get(target.id)!], null));
  said.splice(said.indexOf(target), 1);
}

async function step(): Promise<void> {
  const [who, channel, what] = [pick(PEOPLE), pick(CHANNELS), roll(100)];
  if (what < 3 && !isIn(who, channel)) return join(who, channel);
  if (what < 3 && who !== "ada") return leave(who, channel);
  if (what < 8) return flag(who, "read", pick(["add", "add", "remove"]));
  if (what < 11) return flag(who, "starred", pick(["add", "remove"]));
  if (what < 13 && said.length > 0) return remove();
  if (what < 20 && said.length > 0) return edit();
  if (what < 50 && said.length > 0) return move(who);
  return say(who, channel);
}

function checkIndexes(): void {
  const placed = said.map(({ id, channel, topic }) => {
    return { id, topic, stream_id: channelOf(channel).stream_id };
  });
  for (const name of CHANNELS) expectChannel(testServer.realm.read, channelOf(name), placed);
}

function checkRecords(): void {
  const { read } = testServer.realm;
  for (const { id, channel, topic, content, history } of said) {
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
  for (const who of PEOPLE) {
    const own = idsFrom(
      ownSet(read, user(who), rememberedMessages(read)),
      0,
      read.last("messages"),
      Infinity,
    );
    const mine = said.filter((one) => one.rows.has(who) && canRead(who, one.channel));
    const first = 4096;
    expect(
      own.filter((id) => id > first),
      who,
    ).toEqual(mine.map(({ id }) => id));
    const unread = mine.filter((one) => !one.rows.get(who)!.read && isIn(who, one.channel));
    const places = unreadByConversation(read, user(who)).places;
    const found = places.flatMap((place) => place.ids).filter((id) => id > first);
    expect(
      found.sort((a, b) => a - b),
      who,
    ).toEqual(unread.map(({ id }) => id));
    const rows = ownSet(read, user(who), rememberedMessages(read));
    for (const one of said) {
      const asked = new Narrowed([new Listed([one.id]), rows], []);
      expect(idsFrom(asked, one.id, one.id, 1)).toEqual(mine.includes(one) ? [one.id] : []);
      const message = read.messages.get(one.id)!;
      expect(canReadMessage(read, user(who), message), `${who} reads ${one.id}`).toBe(
        mayRead(who, one),
      );
      expect(hasReceived(read, user(who), message), `${who} has ${one.id}`).toBe(one.rows.has(who));
      if (one.rows.get(who)?.later !== false) continue;
      const isMentioned = one.called === who;
      expect(flagsOf(read, user(who), message).includes("mentioned")).toBe(isMentioned);
      expect(read.flags.has([testServer.idOf(who), FLAG_MENTIONED], one.id)).toBe(isMentioned);
    }
  }
}

describe("random moves and edits match a plain list", () => {
  for (let era = 1; era <= 12; era++) {
    test(`era ${era}`, async () => {
      for (let at = 0; at < 60; at++) await step();
      checkIndexes();
      checkRecords();
      checkPeople();
    });
  }
});
