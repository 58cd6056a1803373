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
import { RandomHistory, dice, PEOPLE, type Said } from "./random-history.ts";

const ERAS = 8;

let testServer: TestServer;
let chronicle: RandomHistory;
beforeEach(async () => {
  testServer = await startTestServer();
  chronicle = new RandomHistory(testServer, dice(11));
  await chronicle.begin();
});
afterEach(() => testServer.close());

/** Unread messages by place, one line per place, to be compared in any order. */
function placesOf(unread: Json): string[] {
  const { streams, pms, huddles } = unread;
  return [
    ...streams.map((one: Json) => `${one.stream_id} ${one.topic}: ${one.unread_message_ids}`),
    ...pms.map((one: Json) => `with ${one.other_user_id}: ${one.unread_message_ids}`),
    ...huddles.map((one: Json) => `among ${one.user_ids_string}: ${one.unread_message_ids}`),
  ].sort();
}

function placesIn(who: Name, unread: readonly Said[]): string[] {
  const placeOf = ({ channel, topic, people }: Said) => {
    if (channel !== null) return `${chronicle.channel(channel).stream_id} ${topic}`;
    const ids = people.map((name) => testServer.idOf(name)).sort((a, b) => a - b);
    if (ids.length > 2) return `among ${ids}`;
    return `with ${ids.find((id) => id !== testServer.idOf(who)) ?? testServer.idOf(who)}`;
  };
  const places = Map.groupBy(unread, placeOf);
  return [...places].map(([place, all]) => `${place}: ${all.map((one) => one.id)}`).sort();
}

function checkPerson(who: Name): void {
  const { read } = testServer.realm;
  const [user, { said }] = [chronicle.user(who), chronicle];
  const { unread_msgs } = unreadSnapshot(read, user, { capabilities: CAN_EMPTY_TOPIC }) as Json;
  const unread = said.filter((one) => chronicle.isUnread(who, one));
  expect(placesOf(unread_msgs)).toEqual(placesIn(who, unread));
  const loud = unread.filter((one) => !chronicle.isMuted(who, one));
  expect(unread_msgs.count).toBe(loud.length);
  expect(unread_msgs.old_unreads_missing).toBe(false);
  const calling = unread.filter(({ rows, everyone }, at) => {
    const row = rows.get(who)!;
    return row.mentioned && (!everyone || row.named || loud.includes(unread[at]!));
  });
  expect(unread_msgs.mentions).toEqual(calling.map((one) => one.id));

  const own = said.filter((one) => chronicle.isOwn(who, one));
  const starred = said.filter((one) => one.rows.get(who)?.starred);
  expect(starredSnapshot(read, user).starred_messages).toEqual(starred.map((one) => one.id));
  const reached = said.findLast((one) => one.rows.get(who)?.later === false);
  if (reached) expect(maxMessageIdSnapshot(read, user).max_message_id).toBe(reached.id);
  checkRecent(who, own);
}

function checkRecent(who: Name, own: readonly Said[]): void {
  const recent = new Map<string, number>();
  for (const { channel, people, id } of own) {
    const others = people.filter((name) => name !== who).map((name) => testServer.idOf(name));
    if (channel === null) recent.set(`${others.sort((a, b) => a - b)}`, id);
  }
  const told = recentConversationsSnapshot(testServer.realm.read, chronicle.user(who));
  const conversations = told.recent_private_conversations.filter(({ max_message_id }) =>
    own.some((one) => one.id === max_message_id),
  );
  const wanted = [...recent].sort(([, a], [, b]) => b - a);
  expect(conversations.map((one) => [`${one.user_ids}`, one.max_message_id])).toEqual(wanted);
}

describe("returns the same at register as a scan of all messages", () => {
  test("does so at every point of a long history", async () => {
    for (let era = 0; era < ERAS; era++) {
      await chronicle.live(150);
      for (const who of PEOPLE) checkPerson(who);
    }
  });

  test("completes chunks of the past while the user reads, and raises the floor", async () => {
    const { read } = testServer.realm;
    await chronicle.live(ERAS * 150);
    const before = read.read_floors.get(testServer.idOf("cy"))?.floor ?? 0;
    await testServer.ask("cy", "POST /mark_all_as_read");
    expect(read.read_floors.get(testServer.idOf("cy"))!.floor).toBeGreaterThan(before);
    for (const one of chronicle.said) if (one.rows.has("cy")) one.rows.get("cy")!.read = true;
    await chronicle.live(100);
    for (const who of PEOPLE) checkPerson(who);
  });
});
