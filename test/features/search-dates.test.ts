// Narrows by date, in the zone of the user's settings.
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import { badNarrow } from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { type Params, startTestServer, type TestServer } from "../test-server.ts";
import { randomSource } from "./random-history.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const ZONES = { bo: "Europe/Berlin", cy: "America/St_Johns", gus: "" } as const;
type Reader = keyof typeof ZONES;

let testServer: TestServer;
/** Ordered by id. */
const sent: { id: number; timestamp: number; who: Name }[] = [];
const roll = randomSource(20261128);

const send = async (name: Name, params: Params = {}): Promise<number> => {
  const message = { type: "channel", to: "web", topic: "t", content: "hello", ...params };
  const { id } = await testServer.request(name, "POST /messages", message);
  const { timestamp } = testServer.realm.read.messages.get(id)!;
  sent.push({ id, timestamp, who: name });
  return id;
};

/** Messages of forty days; some claim to be sent up to a hundred days earlier. */
beforeAll(async () => {
  testServer = await startTestServer();
  testServer.clock.stop();
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const subscribers = (["ada", "bo", "cy", "gus"] as const).map((name) => testServer.idOf(name));
  const web = { name: "web", is_web_public: true, subscribers };
  await testServer.request("olga", "POST /channels/create", web);
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("ada"))!, can_forge_sender: true });
  });
  for (const [name, timezone] of Object.entries(ZONES)) {
    if (timezone) await testServer.request(name as Reader, "PATCH /settings", { timezone });
  }
  for (let i = 0; i < 120; i++) {
    testServer.clock.passSeconds(roll(16) * HOUR_SECONDS);
    const time = testServer.realm.read.now - roll(100) * DAY_SECONDS;
    if (roll(3) === 0) await send("ada", { forged: "yes", time });
    else await send(roll(2) === 0 ? "ada" : "cy");
  }
});
afterAll(() => testServer.close());

/** The Swedish locale formats dates like ISO 8601. */
const dateOf = (timestamp: number, name: Reader): string =>
  new Date(timestamp * 1000).toLocaleDateString("sv-SE", { timeZone: ZONES[name] || "UTC" });

interface Term {
  operator: string;
  operand: string;
  negated?: boolean;
}

function matchesTerm({ operator, operand, negated = false }: Term, date: string): boolean {
  const [first, last = first] = operand.split("..") as [string, string?];
  const isInDateRange = {
    before: date < first,
    after: date > first,
    on: date >= first && date <= last,
  };
  return isInDateRange[operator as "on"] !== negated;
}

const ids = async (name: Reader, narrow: object[], extra: Params = {}): Promise<number[]> => {
  const params = { anchor: "newest", num_before: 1000, num_after: 0, narrow, ...extra };
  const { messages } = await testServer.request(name, "GET /messages", params);
  return messages.map(({ id }: { id: number }) => id);
};

const inWeb = { operator: "channel", operand: "web" };

function randomTerm(name: Reader): Term {
  const day = () => dateOf(sent[roll(sent.length)]!.timestamp + (roll(3) - 1) * DAY_SECONDS, name);
  const [earlier, later] = [day(), day()].toSorted() as [string, string];
  const operator = ["before", "after", "on"][roll(3)]!;
  const isRange = operator === "on" && roll(2) === 0;
  return { operator, operand: isRange ? `${earlier}..${later}` : earlier, negated: roll(4) === 0 };
}

test("finds messages by their dates in the zone of the caller", async () => {
  for (let i = 0; i < 150; i++) {
    const name = (["bo", "cy", "gus"] as const)[roll(3)]!;
    const terms = Array.from({ length: 1 + roll(2) }, () => randomTerm(name));
    const own = roll(2) === 0 ? [{ operator: "sender", operand: "ada@example.com" }] : [];
    const expected = sent.filter(
      (item) =>
        (own.length === 0 || item.who === "ada") &&
        terms.every((term) => matchesTerm(term, dateOf(item.timestamp, name))),
    );
    const response = await ids(name, [inWeb, ...own, ...terms]);
    expect(response, JSON.stringify([name, ...terms])).toEqual(expected.map(({ id }) => id));
  }
});

test("pages through a range of dates around an anchor, with and without the anchor", async () => {
  const date = dateOf(sent[60]!.timestamp, "bo");
  const narrow = [inWeb, { operator: "before", operand: date }];
  const all = await ids("bo", narrow);
  const middle = all[Math.floor(all.length / 2)]!;
  const window = { anchor: middle, num_before: 3, num_after: 0 };
  const index = all.indexOf(middle);
  expect(await ids("bo", narrow, window)).toEqual(all.slice(index - 3, index + 1));
  expect(await ids("bo", narrow, { ...window, include_anchor: false })).toEqual(
    all.slice(index - 3, index),
  );
  const oldest = { anchor: "oldest", num_before: 0, num_after: 2 };
  expect(await ids("bo", narrow, oldest)).toEqual(all.slice(0, 2));
});

test("starts at the first unread message of the range", async () => {
  const date = dateOf(sent[90]!.timestamp, "gus");
  const narrow = [inWeb, { operator: "on", operand: date }];
  const all = await ids("gus", narrow);
  const first = { anchor: "first_unread", num_before: 0, num_after: 0, narrow };
  expect((await testServer.request("gus", "GET /messages", first)).anchor).toBe(all[0]!);
  await testServer.request("gus", "POST /messages/flags/narrow", {
    ...{ anchor: "oldest", num_before: 0, num_after: 1000, op: "add", flag: "read" },
    narrow: [...narrow, { operator: "is", operand: "unread" }],
  });
  expect((await testServer.request("gus", "GET /messages", first)).anchor).toBe(1e16);
  const unread = await ids("gus", [inWeb, { operator: "is", operand: "unread" }]);
  expect(unread.length).toBe(sent.filter(({ id }) => !all.includes(id)).length);
});

test("matches only messages of the range, including new ones", async () => {
  const id = await send("cy");
  const operand = dateOf(testServer.realm.read.now, "bo");
  const matchedIds = async (operator: string) =>
    Object.keys(
      (
        await testServer.request("bo", "GET /messages/matches_narrow", {
          msg_ids: [id, sent[0]!.id],
          narrow: [{ operator, operand }],
        })
      ).messages,
    ).map(Number);
  expect(await matchedIds("on")).toEqual([id]);
  expect(await matchedIds("before")).toEqual([sent[0]!.id]);
  expect(await matchedIds("after")).toEqual([]);
});

test("does not show messages that the user may not read", async () => {
  const secret = { name: "secret", invite_only: true, subscribers: [testServer.idOf("ada")] };
  await testServer.request("ada", "POST /channels/create", secret);
  const id = await send("ada", { to: "secret" });
  sent.pop();
  const narrow = [{ operator: "after", operand: "2001-01-01" }];
  const response = await ids("bo", narrow);
  expect(response).not.toContain(id);
  expect(response.length).toBeGreaterThan(0);
});

test("uses UTC for spectators", async () => {
  const { timestamp } = sent[40]!;
  const operand = dateOf(timestamp, "gus");
  const narrow = [
    { operator: "channels", operand: "web-public" },
    { operator: "on", operand },
  ];
  const query = { anchor: "oldest", num_before: 0, num_after: 1000, narrow };
  const { messages } = await testServer.request(null, "GET /messages", query);
  const expected = sent.filter((item) => dateOf(item.timestamp, "gus") === operand);
  expect(messages.map(({ id }: { id: number }) => id)).toEqual(expected.map(({ id }) => id));
});

test.each([
  ["on", "yesterday", "'on' operand yesterday is not a date (YYYY-MM-DD)"],
  ["on", "2026-02-30", "'on' operand 2026-02-30 is not a date (YYYY-MM-DD)"],
  [
    "after",
    "2026-05-01..2026-05-02",
    "'after' operand 2026-05-01..2026-05-02 is not a date (YYYY-MM-DD)",
  ],
  ["since", "2026-05-01", "unknown operator since"],
])("refuses %s:%s", async (operator, operand, desc) => {
  const params = { anchor: "newest", narrow: [{ operator, operand }] };
  const refusal = await testServer.refused("bo", "GET /messages", params);
  expect(refusal).toMatchObject({ code: "BAD_NARROW", msg: badNarrow(desc).message });
});

test("rejects dates in the narrow of a queue, which receives only new messages", async () => {
  const narrow = [["after", "2026-05-01"]];
  const refusal = await testServer.refused("bo", "POST /register", { narrow });
  expect(refusal.msg).toBe(errors.narrowOperatorNotSupported("after").message);
});
