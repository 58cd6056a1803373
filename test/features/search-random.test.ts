// The search index against a plain list, while messages come, change and go, over all its levels.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { compose } from "../../src/features/messages/compose.ts";
import { removeMessages } from "../../src/features/messages/remove.ts";
import { type Changes, editMessage } from "../../src/features/messages/edit.ts";
import { decodeNarrow } from "../../src/features/messages/narrow.ts";
import { planNarrow } from "../../src/features/messages/plan.ts";
import { rememberedMessages } from "../../src/features/messages/received.ts";
import { sendMessage } from "../../src/features/messages/send.ts";
import { idsBack, idsFrom } from "../../src/features/messages/sets.ts";
import { foldStep } from "../../src/features/search/fold.ts";
import { foldIndex } from "../../src/features/search/later.ts";
import { isOpen } from "../../src/features/search/segments.ts";
import type { User } from "../../src/records.ts";
import { openTown, type Town } from "../town.ts";
import { dice } from "./chronicle.ts";

const WORDS =
  "alder beech cedar ebony fir 樹木 juniper larch maple oak pine rowan spruce willow yew";
const VOCABULARY = WORDS.split(" ");
const SENDS_PER_WRITE = 40;

interface Said {
  words: string[];
  topic: string;
}

let town: Town;
let bo: User;
let stream_id: number;
const roll = dice(20261122);
const said = new Map<number, Said>();
const levels = new Set<number>();
const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!;

beforeAll(async () => {
  town = await openTown();
  bo = town.realm.read.users.get(town.idOf("olga"))!;
  const made = await town.ask("olga", "POST /channels/create", {
    name: "woods",
    subscribers: [bo.user_id],
  });
  stream_id = made.id;
});
afterAll(() => town.close());

/** A few trees, and a word that hardly any other message has. */
function someWords(): string[] {
  const trees = VOCABULARY.filter(() => roll(5) === 0);
  return [...trees, `z${roll(400).toString(26)}q`];
}

/** Leaps over ids now and then: each level is reached with few messages. */
async function sendSome(leap: number): Promise<void> {
  const messages = Array.from({ length: SENDS_PER_WRITE }, () => {
    return { words: someWords(), topic: pick(["tall", "small trees", "oak"]) };
  });
  await town.realm.write((tx) => {
    for (const { words, topic } of messages) {
      if (leap > 0 && roll(2) === 0) tx.next("messages", 1 + roll(leap));
      const { id } = sendMessage(tx, bo, { stream_id, topic }, words.join(" "));
      said.set(id, { words, topic });
    }
  });
}

/** As the round does it aside, some steps or all; without any, sends must do it themselves. */
async function fold(): Promise<void> {
  const most = pick([0, 1, 3, 30]);
  for (let steps = 0; steps < most; steps++) await town.realm.write((tx) => foldStep(tx));
}

async function change(): Promise<void> {
  const id = pick([...said.keys()]);
  const message = said.get(id)!;
  if (roll(3) === 0) {
    await town.realm.write((tx) => removeMessages(tx, [tx.messages.get(id)!], bo));
    said.delete(id);
    return;
  }
  message.words = someWords();
  const content = compose(town.realm.read, bo, message.words.join(" "));
  const changes = { content, propagate_mode: "change_one", notify_old: false, notify_new: false };
  await town.realm.write((tx) => void editMessage(tx, bo, id, changes as Changes));
}

function check(): void {
  const query = pick([
    () => [pick(VOCABULARY)],
    () => [pick(VOCABULARY), pick(VOCABULARY)],
    () => [`z${roll(400).toString(26)}q`],
    () => [pick(VOCABULARY), "z"],
    () => [pick(["al", "be", "ma", "oa", "zz", "z1"])],
    () => ["small", pick(VOCABULARY)],
    () => ["樹"],
  ])();
  const { read } = town.realm;
  const terms = decodeNarrow([
    { operator: "search", operand: query.join(" ") },
    { operator: "channel", operand: stream_id },
  ]);
  const set = planNarrow(read, bo, terms, rememberedMessages(read));
  const last = read.last("messages");
  const wanted = [...said].filter(([, message]) => isFound(message, query)).map(([id]) => id);
  expect(idsFrom(set, 0, last, Infinity), query.join(" ")).toEqual(wanted);
  expect(idsBack(set, 0, last, 10), query.join(" ")).toEqual(wanted.slice(-10).reverse());
}

/** The last word may be unfinished, and a single Chinese letter may stand anywhere. */
function isFound({ words, topic }: Said, query: readonly string[]): boolean {
  const all = [...words, ...topic.split(" ")];
  return query.every((wanted, at) => {
    const isOpen = wanted === "樹" || (at === query.length - 1 && wanted.length > 1);
    return all.some((word) => (isOpen ? word.startsWith(wanted) : word === wanted));
  });
}

for (const [era, leap] of [0, 30, 300, 3_000].entries()) {
  test(`era ${era + 1}: up to ${leap} ids between two messages`, async () => {
    for (let round = 0; round < 15; round++) {
      await sendSome(leap);
      await fold();
      for (let i = 0; i < 6; i++) await change();
      for (let i = 0; i < 6; i++) check();
      for (const { level } of town.realm.read.search_segments.range()) levels.add(level);
    }
  });
}

test("the round puts all in order but the newest messages, and the same is found", async () => {
  await foldIndex(town.realm);
  const segments = [...town.realm.read.search_segments.range()];
  expect(segments.filter(isOpen)).toHaveLength(1);
  expect(segments.filter(({ level, until }) => level > 0 && until !== null)).toEqual([]);
  for (let i = 0; i < 20; i++) check();
});

test("all levels were reached, and hold nothing that is not so", () => {
  const { read } = town.realm;
  expect(levels).toEqual(new Set([0, 1, 2]));
  const terms = new Set([...said.values()].flatMap(({ words }) => words));
  for (const { lines } of read.search_words.range()) {
    for (const line of lines.split("\n")) {
      if (/^z.*q$/.test(line)) expect(terms).toContain(line);
    }
  }
});
