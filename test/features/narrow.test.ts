// Random narrows of random histories, compared with a plain list, and errors of invalid ones.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anchorId, fetchWindow, NEWEST } from "../../src/features/messages/read/fetch-window.ts";
import { decodeNarrow } from "../../src/features/messages/read/narrow.ts";
import { planNarrow } from "../../src/features/messages/read/plan.ts";
import { cachedMessages } from "../../src/features/messages/sets/received.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import {
  CHANNELS,
  RandomHistory,
  dice,
  PEOPLE,
  type SentMessage,
  TOPICS,
} from "./random-history.ts";

interface Term {
  operator: string;
  operand: unknown;
  negated: boolean;
}

let testServer: TestServer;
let chronicle: RandomHistory;
beforeAll(async () => {
  testServer = await startTestServer();
  chronicle = new RandomHistory(testServer, dice(20261121));
  await chronicle.begin();
});
afterAll(() => testServer.close());

/** Whether a term matches a message for this user. */
function matches(userName: Name, { operator, operand }: Term, message: SentMessage): boolean {
  const { channel, topic, people } = message;
  const direct = channel === null;
  const other = nameOf(operand);
  const row = message.rows.get(userName);
  switch (operator) {
    case "channel":
      return channel === nameOfChannel(operand);
    case "channels":
      return channel === "open" || channel === "public";
    case "topic":
      return !direct && topic.toLowerCase() === topicMeant(operand as string);
    case "sender":
      return message.sender === other;
    case "dm": {
      const userIds = operand as number[];
      const expected = new Set([userName, ...userIds.map((id) => nameOf(id)!)]);
      return (
        direct &&
        userIds.length > 0 &&
        expected.size === people.length &&
        people.every((name) => expected.has(name))
      );
    }
    case "dm-including":
      return direct && people.includes(other!);
    case "group-pm-with":
      return direct && people.length > 2 && people.includes(other!);
    case "id":
      return message.id === operand;
    case "in":
      return operand === "all" || !chronicle.isMuted(userName, message);
    case "near":
      return true;
    default:
      return holdsIs(userName, operand as string, message, row);
  }
}

function holdsIs(
  name: Name,
  operand: string,
  message: SentMessage,
  row = message.rows.get(name),
): boolean {
  const { channel, topic } = message;
  switch (operand) {
    case "dm":
      return channel === null;
    case "unread":
      return chronicle.isUnread(name, message);
    case "starred":
      return row?.starred === true;
    case "mentioned":
      return row?.mentioned === true;
    case "muted":
      return chronicle.isMuted(name, message);
    case "followed":
      return channel !== null && chronicle.policyOf(name, channel, topic) === 3;
    default:
      return channel !== null && topic.startsWith("✔ ");
  }
}

const topicMeant = (operand: string) => (operand === "general chat" ? "" : operand.toLowerCase());
const nameOf = (id: unknown) => PEOPLE.find((name) => testServer.idOf(name) === id);
const nameOfChannel = (operand: unknown) =>
  CHANNELS.find((name) => name === operand || chronicle.channel(name).stream_id === operand);

/** Ids of the messages in a narrow, found by checking every message. */
function found(name: Name, terms: readonly Term[]): number[] {
  const searchesAll = seesHistory(name, terms);
  const inScope = (message: SentMessage) =>
    searchesAll ? chronicle.canReadMessage(name, message) : chronicle.isOwn(name, message);
  const matching = chronicle.sentMessages.filter((message) => {
    const isTrue = (term: Term) => isEmpty(term) || matches(name, term, message) !== term.negated;
    return inScope(message) && terms.every(isTrue);
  });
  return matching.map((message) => message.id);
}

/** Operators that exclude nothing, negated or not. */
const isEmpty = ({ operator, operand }: Term) =>
  operator === "near" || (operator === "in" && operand === "all");

function seesHistory(name: Name, terms: readonly Term[]): boolean {
  if (terms.some(({ operator, operand }) => operator === "is" && operand !== "resolved")) {
    return false;
  }
  return terms.some(({ operator, operand, negated }) => {
    if (negated) return false;
    if (operator === "channels") return name !== "gus";
    const channel = operator === "channel" ? nameOfChannel(operand)! : "secret";
    return channel !== "secret" && chronicle.canRead(name, channel);
  });
}

function randomTerm(): Term {
  const negated = chronicle.rollDie(3) === 0;
  const person = () => testServer.idOf(chronicle.pick(PEOPLE));
  const channel = () => {
    const name = chronicle.pick(CHANNELS);
    return chronicle.rollDie(2) === 0 ? name.toUpperCase() : chronicle.channel(name).stream_id;
  };
  const flags = ["dm", "unread", "starred", "mentioned", "muted", "followed", "resolved"];
  const terms: [string, () => unknown][] = [
    ["channel", channel],
    ["channels", () => "public"],
    ["topic", () => chronicle.pick([...TOPICS, "TEA", "general chat", "no such topic"])],
    ["sender", person],
    [
      "dm",
      () => PEOPLE.filter(() => chronicle.rollDie(3) === 0).map((name) => testServer.idOf(name)),
    ],
    ["dm-including", person],
    ["group-pm-with", person],
    ["id", () => chronicle.pick(chronicle.sentMessages).id],
    ["in", () => chronicle.pick(["home", "all"])],
    ["near", () => 1],
    ["is", () => chronicle.pick(flags)],
    ["is", () => chronicle.pick(flags)],
  ];
  const [operator, operand] = chronicle.pick(terms);
  return { operator, operand: operand(), negated };
}

/** Returns random terms in lower case, as in the list, that do not exclude each other. */
function randomNarrow(): Term[] {
  const terms = Array.from({ length: chronicle.rollDie(4) }, randomTerm);
  const isDirect = ({ operator, operand, negated }: Term) =>
    !negated && (/dm|pm/.test(operator) || operand === "dm");
  const isChannel = ({ operator, operand, negated }: Term) =>
    operator === "is"
      ? negated && operand === "dm"
      : !negated && /^(channels?|topic)$/.test(operator);
  return terms.some(isDirect) && terms.some(isChannel) ? randomNarrow() : terms;
}

/** Fetches each narrow at a random anchor, and compares with the expected window. */
function checkNarrow(name: Name, terms: Term[]): void {
  const { read } = testServer.realm;
  const messageOf = cachedMessages(read);
  const set = planNarrow(read, chronicle.user(name), decodeNarrow(terms), messageOf);
  const lowered = terms.map((term) =>
    term.operator === "channel" ? { ...term, operand: lower(term.operand) } : term,
  );
  const first = chronicle.sentMessages[0]!.id;
  const own = found(name, lowered).filter((id) => id >= first);
  const path = chronicle.pick(["newest", "oldest", "first_unread", "id", "id", "id"]);
  const anchor =
    path === "id"
      ? chronicle.pick(chronicle.sentMessages).id + chronicle.rollDie(2)
      : anchorId(read, chronicle.user(name), set, messageOf, path);
  if (path === "first_unread") {
    const loud = chronicle.sentMessages.filter(
      (message) => chronicle.isUnread(name, message) && !chronicle.isMuted(name, message),
    );
    const expected = loud.find(({ id }) => own.includes(id))?.id ?? NEWEST;
    expect(anchor, describeNarrow(name, terms)).toBe(expected);
  }
  const [num_before, num_after] = [chronicle.rollDie(20), chronicle.rollDie(20)];
  const selected = fetchWindow(read, set, { anchor, include_anchor: true, num_before, num_after });
  const before = own.filter((id) => id < anchor).slice(-num_before || own.length);
  const after = own.filter((id) => id > anchor).slice(0, num_after);
  const target = [...before, ...own.filter((id) => id === anchor), ...after];
  const ids = selected.ids.filter((id) => id >= first);
  expect(ids, `${describeNarrow(name, terms)} ${set.text}`).toEqual(target);
}

const lower = (operand: unknown) => (typeof operand === "string" ? operand.toLowerCase() : operand);
const describeNarrow = (name: Name, terms: Term[]) => `${name}: ${JSON.stringify(terms)}`;

describe("returns the same messages as a scan of all messages", () => {
  for (let era = 1; era <= 6; era++) {
    test(`era ${era}`, async () => {
      await chronicle.live(250);
      for (let i = 0; i < 400; i++) checkNarrow(chronicle.pick(PEOPLE), randomNarrow());
    });
  }
});
