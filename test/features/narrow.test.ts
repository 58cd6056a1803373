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
  randomSource,
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
let history: RandomHistory;
beforeAll(async () => {
  testServer = await startTestServer();
  history = new RandomHistory(testServer, randomSource(20261121));
  await history.setUp();
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
      return !direct && topic.toLowerCase() === topicOfOperand(operand as string);
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
      return operand === "all" || !history.isMuted(userName, message);
    case "near":
      return true;
    default:
      return matchesIs(userName, operand as string, message, row);
  }
}

function matchesIs(
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
      return history.isUnread(name, message);
    case "starred":
      return row?.starred === true;
    case "mentioned":
      return row?.mentioned === true;
    case "muted":
      return history.isMuted(name, message);
    case "followed":
      return channel !== null && history.policyOf(name, channel, topic) === 3;
    default:
      return channel !== null && topic.startsWith("✔ ");
  }
}

const topicOfOperand = (operand: string) =>
  operand === "general chat" ? "" : operand.toLowerCase();
const nameOf = (id: unknown) => PEOPLE.find((name) => testServer.idOf(name) === id);
const nameOfChannel = (operand: unknown) =>
  CHANNELS.find((name) => name === operand || history.channel(name).stream_id === operand);

/** Ids of the messages in a narrow, found by checking every message. */
function expectedIds(name: Name, terms: readonly Term[]): number[] {
  const searchesAll = seesHistory(name, terms);
  const inScope = (message: SentMessage) =>
    searchesAll ? history.canReadMessage(name, message) : history.isOwn(name, message);
  const matching = history.sentMessages.filter((message) => {
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
    return channel !== "secret" && history.canRead(name, channel);
  });
}

function randomTerm(): Term {
  const negated = history.rollDie(3) === 0;
  const randomPersonId = () => testServer.idOf(history.pick(PEOPLE));
  const channel = () => {
    const name = history.pick(CHANNELS);
    return history.rollDie(2) === 0 ? name.toUpperCase() : history.channel(name).stream_id;
  };
  const flags = ["dm", "unread", "starred", "mentioned", "muted", "followed", "resolved"];
  const terms: [string, () => unknown][] = [
    ["channel", channel],
    ["channels", () => "public"],
    ["topic", () => history.pick([...TOPICS, "TEA", "general chat", "no such topic"])],
    ["sender", randomPersonId],
    [
      "dm",
      () => PEOPLE.filter(() => history.rollDie(3) === 0).map((name) => testServer.idOf(name)),
    ],
    ["dm-including", randomPersonId],
    ["group-pm-with", randomPersonId],
    ["id", () => history.pick(history.sentMessages).id],
    ["in", () => history.pick(["home", "all"])],
    ["near", () => 1],
    ["is", () => history.pick(flags)],
    ["is", () => history.pick(flags)],
  ];
  const [operator, operand] = history.pick(terms);
  return { operator, operand: operand(), negated };
}

/** Returns random terms in lower case, as in the list, that do not exclude each other. */
function randomNarrow(): Term[] {
  const terms = Array.from({ length: history.rollDie(4) }, randomTerm);
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
  const set = planNarrow(read, history.user(name), decodeNarrow(terms), messageOf);
  const lowered = terms.map((term) =>
    term.operator === "channel" ? { ...term, operand: lowerCase(term.operand) } : term,
  );
  const first = history.sentMessages[0]!.id;
  const own = expectedIds(name, lowered).filter((id) => id >= first);
  const path = history.pick(["newest", "oldest", "first_unread", "id", "id", "id"]);
  const anchor =
    path === "id"
      ? history.pick(history.sentMessages).id + history.rollDie(2)
      : anchorId(read, history.user(name), set, messageOf, path);
  if (path === "first_unread") {
    const notifying = history.sentMessages.filter(
      (message) => history.isUnread(name, message) && !history.isMuted(name, message),
    );
    const expected = notifying.find(({ id }) => own.includes(id))?.id ?? NEWEST;
    expect(anchor, describeNarrow(name, terms)).toBe(expected);
  }
  const [num_before, num_after] = [history.rollDie(20), history.rollDie(20)];
  const selected = fetchWindow(read, set, { anchor, include_anchor: true, num_before, num_after });
  const before = own.filter((id) => id < anchor).slice(-num_before || own.length);
  const after = own.filter((id) => id > anchor).slice(0, num_after);
  const target = [...before, ...own.filter((id) => id === anchor), ...after];
  const ids = selected.ids.filter((id) => id >= first);
  expect(ids, `${describeNarrow(name, terms)} ${set.text}`).toEqual(target);
}

const lowerCase = (operand: unknown) =>
  typeof operand === "string" ? operand.toLowerCase() : operand;
const describeNarrow = (name: Name, terms: Term[]) => `${name}: ${JSON.stringify(terms)}`;

describe("returns the same messages as a scan of all messages", () => {
  for (let round = 1; round <= 6; round++) {
    test(`after ${round * 250} random actions`, async () => {
      await history.runSteps(250);
      for (let i = 0; i < 400; i++) checkNarrow(history.pick(PEOPLE), randomNarrow());
    });
  }
});
