// Unread, starred and recent messages in the snapshot, compared with a plain list.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CAN_EMPTY_TOPIC } from "../../src/contract/events.ts";
import {
  maxMessageIdSnapshot,
  recentConversationsSnapshot,
  starredSnapshot,
  unreadSnapshot,
} from "../../src/features/messages/unread/snapshot.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Json, type TestServer } from "../test-server.ts";
import { RandomHistory, randomSource, PEOPLE, type SentMessage } from "./random-history.ts";

const ERAS = 8;

let testServer: TestServer;
let history: RandomHistory;
beforeEach(async () => {
  testServer = await startTestServer();
  history = new RandomHistory(testServer, randomSource(11));
  await history.setUp();
});
afterEach(() => testServer.close());

/** Unread messages by place, one line per place, to be compared in any order. */
function placesOf(unread: Json): string[] {
  const { streams, pms, huddles } = unread;
  return [
    ...streams.map(
      (stream: Json) => `${stream.stream_id} ${stream.topic}: ${stream.unread_message_ids}`,
    ),
    ...pms.map((item: Json) => `with ${item.other_user_id}: ${item.unread_message_ids}`),
    ...huddles.map(
      (huddle: Json) => `among ${huddle.user_ids_string}: ${huddle.unread_message_ids}`,
    ),
  ].sort();
}

function placesIn(userName: Name, unread: readonly SentMessage[]): string[] {
  const placeOf = ({ channel, topic, people }: SentMessage) => {
    if (channel !== null) return `${history.channel(channel).stream_id} ${topic}`;
    const ids = people.map((name) => testServer.idOf(name)).sort((a, b) => a - b);
    if (ids.length > 2) return `among ${ids}`;
    const own_id = testServer.idOf(userName);
    return `with ${ids.find((id) => id !== own_id) ?? own_id}`;
  };
  const places = Map.groupBy(unread, placeOf);
  return [...places].map(([path, all]) => `${path}: ${all.map((message) => message.id)}`).sort();
}

function checkPerson(name: Name): void {
  const { read } = testServer.realm;
  const [user, { sentMessages: messages }] = [history.user(name), history];
  const { unread_msgs } = unreadSnapshot(read, user, { capabilities: CAN_EMPTY_TOPIC }) as Json;
  const unread = messages.filter((message) => history.isUnread(name, message));
  expect(placesOf(unread_msgs)).toEqual(placesIn(name, unread));
  const notifying = unread.filter((message) => !history.isMuted(name, message));
  expect(unread_msgs.count).toBe(notifying.length);
  expect(unread_msgs.old_unreads_missing).toBe(false);
  const calling = unread.filter(({ rows, everyone }, index) => {
    const row = rows.get(name)!;
    return (
      row.mentioned && (!everyone || row.mentionedByName || notifying.includes(unread[index]!))
    );
  });
  expect(unread_msgs.mentions).toEqual(calling.map((message) => message.id));

  const own = messages.filter((message) => history.isOwn(name, message));
  const starred = messages.filter((message) => message.rows.get(name)?.starred);
  expect(starredSnapshot(read, user).starred_messages).toEqual(
    starred.map((message) => message.id),
  );
  const reached = messages.findLast((message) => message.rows.get(name)?.later === false);
  if (reached) expect(maxMessageIdSnapshot(read, user).max_message_id).toBe(reached.id);
  checkRecent(name, own);
}

function checkRecent(userName: Name, own: readonly SentMessage[]): void {
  const recent = new Map<string, number>();
  for (const { channel, people, id } of own) {
    const others = people.filter((name) => name !== userName).map((name) => testServer.idOf(name));
    if (channel === null) recent.set(`${others.sort((a, b) => a - b)}`, id);
  }
  const payload = recentConversationsSnapshot(testServer.realm.read, history.user(userName));
  const conversations = payload.recent_private_conversations.filter(({ max_message_id }) =>
    own.some((message) => message.id === max_message_id),
  );
  const expected = [...recent].sort(([, a], [, b]) => b - a);
  expect(
    conversations.map((conversation) => [`${conversation.user_ids}`, conversation.max_message_id]),
  ).toEqual(expected);
}

describe("returns the same at register as a scan of all messages", () => {
  test("does so at every point of a long history", async () => {
    for (let round = 0; round < ERAS; round++) {
      await history.runSteps(150);
      for (const name of PEOPLE) checkPerson(name);
    }
  });

  test("completes chunks of the past while the user reads, and raises the floor", async () => {
    const { read } = testServer.realm;
    await history.runSteps(ERAS * 150);
    const before = read.read_floors.get(testServer.idOf("cy"))?.floor ?? 0;
    await testServer.request("cy", "POST /mark_all_as_read");
    expect(read.read_floors.get(testServer.idOf("cy"))!.floor).toBeGreaterThan(before);
    for (const message of history.sentMessages)
      if (message.rows.has("cy")) message.rows.get("cy")!.read = true;
    await history.runSteps(100);
    for (const name of PEOPLE) checkPerson(name);
  });
});
