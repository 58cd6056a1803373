// The search index during random changes of messages, compared with a plain list.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { compose } from "../../src/features/messages/content/compose.ts";
import { removeMessages } from "../../src/features/messages/delete/remove.ts";
import { finishMove } from "../../src/features/messages/move/move.ts";
import { type Changes, editMessage } from "../../src/features/messages/patch/edit.ts";
import { decodeNarrow } from "../../src/features/messages/read/narrow.ts";
import { planNarrow } from "../../src/features/messages/read/plan.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { cachedMessages } from "../../src/features/messages/sets/received.ts";
import { idsBack, idsFrom } from "../../src/features/messages/sets/sets.ts";
import { mergeIndex } from "../../src/features/search/jobs.ts";
import { mergeStep } from "../../src/features/search/merge.ts";
import { isOpen } from "../../src/features/search/segments.ts";
import type { Reader } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import type { User } from "../../src/schema/records.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { randomSource } from "./random-history.ts";

const WORDS =
  "alder beech cedar ebony fir 樹木 juniper larch maple oak pine rowan spruce willow yew";
const VOCABULARY = WORDS.split(" ");
const TOPICS = ["tall", "small trees", "oak", "undergrowth", "the overgrown path"];
const SENDS_PER_WRITE = 40;

interface SentMessage {
  words: string[];
  topic: string;
}

let testServer: TestServer;
let bo: User;
let stream_id: number;
const roll = randomSource(20261122);
const details = new Map<number, SentMessage>();
const levels = new Set<number>();
const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!;

beforeAll(async () => {
  testServer = await startTestServer();
  bo = testServer.realm.read.users.get(testServer.idOf("olga"))!;
  const created = await testServer.request("olga", "POST /channels/create", {
    name: "woods",
    subscribers: [bo.user_id],
  });
  stream_id = created.id;
});
afterAll(() => testServer.close());

/** Parts of words, of topic names, and of nothing. */
const PARTS = [
  "edar",
  "uniper",
  "apl",
  "owa",
  "lde",
  "ndergr",
  "vergr",
  "mal",
  "qqx",
  "zzz",
  "tre",
];

/** Returns some names of trees, and a word that hardly any other message contains. */
function randomWords(): string[] {
  const trees = VOCABULARY.filter(() => roll(5) === 0);
  return [...trees, `z${roll(400).toString(26)}q`];
}

/** Skips ids occasionally, so that each level is reached with few messages. */
async function sendRandom(leap: number): Promise<void> {
  const messages = Array.from({ length: SENDS_PER_WRITE }, () => {
    return { words: randomWords(), topic: pick(TOPICS) };
  });
  await testServer.realm.write((tx) => {
    for (const { words, topic } of messages) {
      if (leap > 0 && roll(2) === 0) tx.next("messages", 1 + roll(leap));
      const { id } = sendMessage(tx, bo, { stream_id, topic }, words.join(" "));
      details.set(id, { words, topic });
    }
  });
}

/** Runs some or all steps of the indexing job; without them, sends must do its work. */
async function fold(): Promise<void> {
  const max = pick([0, 1, 3, 30]);
  for (let steps = 0; steps < max; steps++) await testServer.realm.write((tx) => mergeStep(tx));
}

async function change(): Promise<void> {
  const id = pick([...details.keys()]);
  const message = details.get(id)!;
  if (roll(3) === 0) {
    await testServer.realm.write((tx) => removeMessages(tx, [tx.messages.get(id)!], bo));
    details.delete(id);
    return;
  }
  message.words = randomWords();
  const content = compose(testServer.realm.read, bo, message.words.join(" "));
  const changes = { content, propagate_mode: "change_one", notify_old: false, notify_new: false };
  await testServer.realm.write((tx) => void editMessage(tx, bo, id, changes as Changes));
}

/** Moves part or all of a topic, to a new name or into another topic. */
async function move(): Promise<void> {
  const target = pick([...details.keys()]);
  const { topic } = details.get(target)!;
  const to = pick(TOPICS.filter((name) => name !== topic));
  const propagate_mode = pick(["change_one", "change_later", "change_all"] as const);
  const changes = { topic: to, propagate_mode, notify_old: false, notify_new: false };
  const move_id = await testServer.realm.write((tx) =>
    editMessage(tx, bo, target, changes as Changes),
  );
  if (move_id !== undefined) await finishMove(testServer.realm, move_id);
  for (const [id, message] of details) {
    const isUsed =
      propagate_mode === "change_one"
        ? id === target
        : propagate_mode === "change_all" || id >= target;
    if (isUsed && message.topic === topic) message.topic = to;
  }
}

function check(read: Reader = testServer.realm.read): void {
  const query = pick([
    () => [pick(VOCABULARY)],
    () => [pick(VOCABULARY), pick(VOCABULARY)],
    () => [`z${roll(400).toString(26)}q`],
    () => [pick(VOCABULARY), "z"],
    () => [pick(["al", "be", "ma", "oa", "zz", "z1"])],
    () => ["small", pick(VOCABULARY)],
    () => ["樹"],
    () => [pick(PARTS)],
    () => [pick(PARTS), pick(PARTS)],
    () => [pick(VOCABULARY), pick(PARTS)],
  ])();
  const terms = decodeNarrow([
    { operator: "search", operand: query.join(" ") },
    { operator: "channel", operand: stream_id },
  ]);
  const set = planNarrow(read, bo, terms, cachedMessages(read));
  const last = read.last("messages");
  const full = [...details].filter(([, message]) => isFound(message, query));
  const found =
    full.length > 0 ? full : [...details].filter(([, message]) => matches(message, query));
  const expected = found.map(([id]) => id);
  expect(idsFrom(set, 0, last, Infinity), query.join(" ")).toEqual(expected);
  expect(idsBack(set, 0, last, 10), query.join(" ")).toEqual(expected.slice(-10).reverse());
}

/** The last word may be incomplete, and a single Chinese character matches anywhere. */
function isFound({ words, topic }: SentMessage, query: readonly string[]): boolean {
  const all = [...words, ...topic.split(" ")];
  return query.every((expected, index) => {
    const isOpen = expected === "樹" || (index === query.length - 1 && expected.length > 1);
    return all.some((word) => (isOpen ? word.startsWith(expected) : word === expected));
  });
}

/** Parts of words are searched only if no message contains all words exactly. */
function matches({ words, topic }: SentMessage, query: readonly string[]): boolean {
  const all = [...words, ...topic.split(" ")];
  return query.every((part) => all.some((word) => word === part || isInside(word, part)));
}

const isInside = (word: string, part: string) => part.length > 2 && word.includes(part);

/** Maximum number of ids between two messages. */
const TIME_STEPS_MS = [0, 30, 300, 3_000];

test("finds the same messages as a scan after random changes", async () => {
  for (const leap of TIME_STEPS_MS) await runEra(leap);
  await expectSameAfterCrash();
  await expectOrder();
  expectNothingElse();
});

async function runEra(leap: number): Promise<void> {
  for (let round = 0; round < 15; round++) {
    await sendRandom(leap);
    await fold();
    for (let i = 0; i < 6; i++) await change();
    if (roll(3) === 0) await move();
    for (let i = 0; i < 6; i++) check();
    for (const { level } of testServer.realm.read.search_segments.range()) levels.add(level);
  }
}

/** Checks that searches return the same results after a crash. */
async function expectSameAfterCrash(): Promise<void> {
  await sendRandom(30);
  await change();
  await move();
  const { config } = testServer.realm;
  const data = `${testServer.directory}/left`;
  mkdirSync(data);
  for (const name of readdirSync(config.data).filter((file) => file.startsWith("data.mdb")))
    cpSync(`${config.data}/${name}`, `${data}/${name}`);
  const reopened = await openRunning({ ...config, data });
  for (let i = 0; i < 40; i++) check(reopened.read);
  await mergeIndex(reopened);
  for (let i = 0; i < 40; i++) check(reopened.read);
  await reopened.close();
  rmSync(data, { recursive: true });
}

/** Checks that the job sorts all but the newest messages, with equal search results. */
async function expectOrder(): Promise<void> {
  // The first job may end a run that started before the last messages.
  await mergeIndex(testServer.realm);
  await mergeIndex(testServer.realm);
  const segments = [...testServer.realm.read.search_segments.range()];
  expect(segments.filter(isOpen)).toHaveLength(1);
  expect(segments.filter(({ level, until }) => level > 0 && until !== null)).toEqual([]);
  for (let i = 0; i < 20; i++) check();
}

/** Checks that all levels were reached, and that they contain nothing wrong. */
function expectNothingElse(): void {
  const { read } = testServer.realm;
  expect(levels).toEqual(new Set([0, 1, 2]));
  const terms = new Set([...details.values()].flatMap(({ words }) => words));
  for (const { lines } of read.search_words.range()) {
    for (const line of lines.split("\n")) {
      if (/^z.*q$/.test(line)) expect(terms).toContain(line);
    }
  }
}
