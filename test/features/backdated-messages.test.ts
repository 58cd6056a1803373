// Messages with a given time, for programs that copy them from elsewhere.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { notAuthorizedForQuery } from "../../src/contract/errors/general.ts";
import { mirroredMessageInvalid } from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("ada"))!, can_forge_sender: true });
  });
});
afterEach(() => testServer.close());

const listMessages = (params: Params) => ({
  type: "stream",
  to: "general",
  topic: "old times",
  content: "as it was",
  ...params,
});
const send = (name: Name, params: Params) =>
  testServer.request(name, "POST /messages", listMessages(params));
const timeOf = async (id: number) =>
  (await testServer.request("bo", `GET /messages/${id}`)).message.timestamp as number;

test("lets permitted users set the time of a message, to the second", async () => {
  const { result, events } = await staysInSync(testServer, ["ada", "bo"], () =>
    send("ada", { forged: "yes", time: 1_000_000_000.75 }),
  );
  expect(await timeOf(result.id)).toBe(1_000_000_000);
  expect(events.bo![0]!["message"].timestamp).toBe(1_000_000_000);
  const { id } = await send("ada", { forged: "true", time: 5 });
  expect(await timeOf(id)).toBe(5);
});

test("uses the current time without both parameters", async () => {
  for (const params of [{ time: 5 }, { forged: "yes" }, { forged: "no", time: 5 }]) {
    const { id } = await send("ada", params);
    expect(await timeOf(id)).toBeGreaterThan(1_700_000_000);
  }
});

test.each<[Name, Params, string]>([
  ["bo", { forged: "yes" }, notAuthorizedForQuery().message],
  ["bo", { forged: "true", time: 5, sender: "x" }, notAuthorizedForQuery().message],
  ["bo", { sender: "cy@example.com" }, mirroredMessageInvalid().message],
  ["ada", { sender: "cy@example.com", forged: "yes" }, mirroredMessageInvalid().message],
  ["ada", { forged: "yes", time: -1 }, "time is too small"],
  ["ada", { forged: "yes", time: "soon" }, "time is not valid JSON"],
])("%s is refused %j", async (name, params, msg) => {
  const refusal = await testServer.refused(name, "POST /messages", listMessages(params));
  expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST", msg });
});

test("finds the first message at or after a date, regardless of who set the times", async () => {
  const input = { name: "copies", subscribers: [testServer.idOf("bo")] };
  const { id: to } = await testServer.request("ada", "POST /channels/create", input);
  const copy = async (time: number): Promise<number> =>
    (await send("ada", { to, topic: "t", forged: "yes", time })).id;
  const post = async (): Promise<number> => (await send("bo", { to, topic: "t" })).id;
  const now = testServer.realm.read.now;
  const year = (number: number) => Date.UTC(number) / 1000;

  const first = await post();
  const copies: number[] = [];
  for (const number of [2010, 2020, 2015]) copies.push(await copy(year(number)));
  const [old, recent, between] = copies as [number, number, number];
  for (let i = 0; i < 20; i++) await copy(year(2001 + i));
  const second = await post();
  const future = await copy(now + 900_000);
  const third = await post();

  const narrow = [{ operator: "channel", operand: to }];
  const firstIdSince = async (seconds: number, extra: object[] = []): Promise<number> => {
    const anchor_date = new Date(seconds * 1000).toISOString();
    const window = { anchor: "date", anchor_date, num_before: 0, num_after: 0 };
    const params = { ...window, narrow: [...narrow, ...extra] };
    const { anchor, messages } = await testServer.request("bo", "GET /messages", params);
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(messages.length ? [anchor] : []);
    return anchor;
  };
  expect(await firstIdSince(year(2000))).toBe(first);
  expect(await firstIdSince(now - 60)).toBe(first);
  expect(await firstIdSince(now + 60)).toBe(future);
  expect(await firstIdSince(now + 900_001)).toBe(10_000_000_000_000_000);

  const byAda = [{ operator: "sender", operand: "ada@example.com" }];
  expect(await firstIdSince(year(2005), byAda)).toBe(old);
  expect(await firstIdSince(year(2011), byAda)).toBe(recent);
  expect(await firstIdSince(year(2020) + 1, byAda)).toBe(future);
  await testServer.request("ada", `DELETE /messages/${recent}`);
  expect(await firstIdSince(year(2011), byAda)).toBe(between);
  expect(second).toBeLessThan(third);
});

test.each([
  ["old", 5],
  ["of the future", 4_000_000_000],
])("copies that are %s do not hide where today begins", async (_, time) => {
  const params = { name: `mirror ${time}`, subscribers: [testServer.idOf("bo")] };
  const { id: to } = await testServer.request("ada", "POST /channels/create", params);
  const yesterday = await send("bo", { to, topic: "t" });
  testServer.clock.passSeconds(86_400);
  const anchor_date = new Date(testServer.realm.read.now * 1000).toISOString();
  for (let i = 0; i < 30; i++) await send("ada", { to, topic: "t", forged: "yes", time });
  const today = await send("bo", { to, topic: "t" });
  const narrow = [
    { operator: "channel", operand: to },
    { operator: "sender", operand: "bo@example.com" },
  ];
  const window = { anchor: "date", anchor_date, num_before: 1, num_after: 0, narrow };
  const { anchor, messages } = await testServer.request("bo", "GET /messages", window);
  expect(anchor).toBe(today.id);
  expect(messages[0].id).toBe(yesterday.id);
});
