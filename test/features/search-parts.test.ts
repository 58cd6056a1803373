// Search by parts of words and topic names, compared with plain lists, also in older data.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { decodeNarrow } from "../../src/features/messages/read/narrow.ts";
import { planNarrow } from "../../src/features/messages/read/plan.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { BitmapProbe } from "../../src/features/messages/sets/bitmap-probe.ts";
import { cachedMessages } from "../../src/features/messages/sets/received.ts";
import { idsFrom } from "../../src/features/messages/sets/sets.ts";
import { mergeIndex } from "../../src/features/search/jobs.ts";
import { indexTopicsStep, indexTopic, topicsHolding } from "../../src/features/search/topics.ts";
import {
  changeWords,
  dropWords,
  putWords,
  wordsWith,
} from "../../src/features/search/term-list.ts";
import type { Realm } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import type { SearchSegment } from "../../src/schema/records-messages.ts";
import type { Topic } from "../../src/schema/records.ts";
import { writeOldFormat, rowsUnder } from "../store/without-checksums.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { randomSource } from "./random-history.ts";

const PARTS_PREFIXES = [164, 165];
const SYLLABLES = "al be cor du el fi gra ho in ja ké lu mor".split(" ");
const roll = randomSource(20261123);
const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!;
const word = () => Array.from({ length: 1 + roll(4) }, () => pick(SYLLABLES)).join("");

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

/** A part of three letters or more, of an existing word or of none. */
function randomPart(words: readonly string[]): string {
  const full = roll(4) === 0 ? `${word()}${word()}` : pick(words);
  const from = roll(Math.max(1, full.length - 2));
  return full.slice(from, from + 3 + roll(4)).padEnd(3, "x");
}

test("finds each word part, and no other, among more topics than bits", async () => {
  const segment: SearchSegment = { level: 2, number: 900, until: null, firsts: [""] };
  const all = new Set(Array.from({ length: 2_000 }, word));
  const sorted = [...all].sort();
  await testServer.realm.write((tx) => {
    for (let index = 0; index < sorted.length; index += 25)
      putWords(tx, segment, sorted.slice(index, index + 25));
  });
  const check = () => {
    for (let i = 0; i < 200; i++) {
      const part = randomPart(sorted);
      const found = wordsWith(testServer.realm.read, segment, part, Buffer.from(part));
      expect(found.sort(), part).toEqual([...all].filter((item) => item.includes(part)).sort());
    }
  };
  check();
  for (let round = 0; round < 5; round++) {
    const gained = [...new Set(Array.from({ length: 20 }, () => word() + word() + "q"))].filter(
      (item) => !all.has(item),
    );
    const lost = new Set(Array.from({ length: 20 }, () => pick([...all])));
    await testServer.realm.write((tx) => changeWords(tx, segment, gained, lost));
    for (const item of lost) all.delete(item);
    for (const item of gained) all.add(item);
    check();
  }
  await testServer.realm.write((tx) => dropWords(tx, segment));
  const { read } = testServer.realm;
  expect(read.search_parts.has(2, 900)).toBe(false);
  expect([...read.search_words.range({ from: [2, 900], to: [2, 901] })]).toEqual([]);
});

test("finds topics by part after they are added, renamed and removed, indexed or not", async () => {
  const topics = new Map<number, Topic>();
  const { realm } = testServer;
  for (let round = 0; round < 30; round++) {
    await realm.write((tx) => {
      for (let i = 0; i < 10; i++) {
        const existingTopic =
          topics.size > 20 && roll(2) === 0 ? pick([...topics.values()]) : undefined;
        const topic_id = existingTopic?.topic_id ?? tx.next("topics", 1 + roll(3));
        const isRemoved = existingTopic !== undefined && roll(2) === 0;
        const name = roll(9) === 0 ? "" : `${word()} ${word()}`;
        const location = {
          topic_id,
          stream_id: 1,
          first_id: 1,
          last_id: 1,
          count: 1,
          rename_id: 0,
        };
        const now = isRemoved ? undefined : { ...location, name };
        if (now) tx.topics.put(now);
        else tx.topics.delete(topic_id);
        // Some as an earlier version stored them.
        if (existingTopic || roll(3) > 0) indexTopic(tx, existingTopic, now);
        if (now) topics.set(topic_id, now);
        else topics.delete(topic_id);
      }
    });
    if (roll(4) === 0) await realm.write((tx) => indexTopicsStep(tx));
    for (let i = 0; i < 20; i++) {
      const part = randomPart([...topics.values()].flatMap(({ name }) => name.split(" ")));
      const plain = part.replace(/é/g, "e");
      const found = topicsHolding(realm.read, plain).map(({ topic_id }) => topic_id);
      const expected = [...topics.values()].filter(({ name }) =>
        name.split(" ").some((item) => item.replace(/é/g, "e").includes(plain)),
      );
      const ids = new Set(expected.map(({ topic_id }) => topic_id));
      expect(new Set(found), part).toEqual(ids);
    }
  }
  await realm.write((tx) => {
    while (indexTopicsStep(tx)) continue;
    for (const topic of topics.values()) {
      tx.topics.delete(topic.topic_id);
      indexTopic(tx, topic, undefined);
    }
  });
  for (const part of ["cor", "gra", "mor"]) {
    expect([...realm.read.topic_parts.chunks([part])]).toEqual([]);
  }
});

test("opens data of the previous version, and finds parts as before", async () => {
  await testServer.request("olga", "POST /channels/create", {
    name: "port",
    subscribers: [testServer.idOf("olga")],
  });
  const send = (content: string, topic: string) =>
    testServer.realm.write((tx) => {
      // Each fills its own segment.
      tx.next("messages", 4_096);
      const olga = tx.users.get(testServer.idOf("olga"))!;
      const { stream_id } = tx.channels.findBy("name", "port")!;
      return sendMessage(tx, olga, { stream_id, topic }, content).id;
    });
  const ids: number[] = [];
  for (let i = 0; i < 20; i++) ids.push(await send("steamships anchored", "lighthouses"));
  await mergeIndex(testServer.realm);
  expect([...testServer.realm.read.search_words.range()].length).toBeGreaterThan(0);
  const data = `${testServer.directory}/older`;
  mkdirSync(data);
  await testServer.realm.copyTo(`${data}/data.mdb`);
  await makeOlder(data);
  const older = await openRunning({ ...testServer.realm.config, data });
  for (let round = 0; round < 2; round++) {
    for (const part of ["eamsh", "nchor", "ighthou"]) {
      expect(searchIds(older, part), part).toEqual(ids);
    }
    expect(searchIds(older, "eamshx")).toEqual([]);
    await mergeIndex(older);
  }
  expect(older.read.search_parts.count()).toBe(testServer.realm.read.search_parts.count());
  await older.close();
  rmSync(data, { recursive: true });
});

/** Removes data that the earlier version did not have. */
function makeOlder(data: string): Promise<void> {
  return writeOldFormat(data, 1, (db) => {
    for (const prefix of PARTS_PREFIXES) {
      for (const { key } of rowsUnder(db, prefix)) void db.remove(key);
    }
  });
}

function searchIds({ read }: Realm, operand: string): number[] {
  const olga = read.users.get(testServer.idOf("olga"))!;
  const terms = decodeNarrow([{ operator: "search", operand }]);
  const set = planNarrow(read, olga, terms, cachedMessages(read));
  return idsFrom(set, 0, read.last("messages"), Infinity);
}

test("answers repeated queries like a single scan, with few chunks or many", async () => {
  const { realm } = testServer;
  for (const chunks of [0, 1, 4, 5, 40]) {
    const key = [9_000 + chunks, 1];
    const ids = Array.from({ length: chunks }, (_, index) => index * 3 * 4_096 + roll(4_096));
    await realm.write((tx) => {
      for (const id of ids) tx.flags.add(key, id);
    });
    const spots = new BitmapProbe(realm.read.flags, key);
    for (let i = 0; i < 300; i++) {
      const id = roll(2) === 0 && chunks > 0 ? pick(ids) : roll(130 * 4_096);
      expect(spots.has(id)).toBe(ids.includes(id));
      if (ids.includes(id)) expect(spots.couldContain(Math.floor(id / 4_096))).toBe(true);
    }
  }
});
