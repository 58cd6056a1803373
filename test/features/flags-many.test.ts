// Flags on more messages than fit a transaction: set on all of them, or on none after an error.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { compose } from "../../src/features/messages/content/compose.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const MESSAGES = 600;

let testServer: TestServer;
let ids: number[];
beforeEach(async () => {
  testServer = await startTestServer();
  const { realm } = testServer;
  const { stream_id } = realm.read.channels.findBy("name", "general")!;
  ids = await realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    const words = compose(tx, bo, "words");
    const recipient = { stream_id, topic: "tea" };
    return Array.from({ length: MESSAGES }, () => sendMessage(tx, bo, recipient, words).id);
  });
});
afterEach(() => testServer.close());

const flag = (op: string, name: string, messages: number[]): Promise<Json> =>
  testServer.request("cy", "POST /messages/flags", { messages, op, flag: name });
const flagsOf = async (id: number): Promise<string[]> =>
  (await testServer.request("cy", `GET /messages/${id}`)).message.flags;

test.each([
  ["add", "starred"],
  ["add", "read"],
  ["remove", "read"],
  ["remove", "starred"],
])("%s %s: emits each message once, and lists all in the response", async (op, name) => {
  const requested = [...ids].reverse();
  if (op === "remove") await flag("add", name, ids);
  const { result, events } = await staysInSync(testServer, ["cy"], () => flag(op, name, requested));
  expect(result.messages).toEqual(requested);
  const received = events.cy!.filter(({ type }) => type === "update_message_flags");
  expect(received.flatMap(({ messages }) => messages)).toEqual(ids);
  expect((await flagsOf(ids.at(-1)!)).includes(name)).toBe(op === "add");
});

test("rejects all messages if one does not exist", async () => {
  const listener = await testServer.listen("cy", { event_types: ["update_message_flags"] });
  const refusal = await testServer.refused("cy", "POST /messages/flags", {
    ...{ messages: [...ids, ids.at(-1)! + 1_000], op: "add", flag: "starred" },
  });
  expect(refusal).toMatchObject({ status: 400, msg: messageErrors.messageNotFound().message });
  expect(await listener.takeAll()).toEqual([]);
  expect(await flagsOf(ids[0]!)).not.toContain("starred");
});

test("returns the number of changed messages of a larger narrow", async () => {
  const narrow = [{ operator: "topic", operand: "tea" }];
  const window = { anchor: "oldest", num_before: 0, num_after: MESSAGES };
  await flag("add", "starred", ids.slice(0, 10));
  const params = { ...window, narrow, op: "add", flag: "starred" };
  expect(await testServer.request("cy", "POST /messages/flags/narrow", params)).toMatchObject({
    ...{ processed_count: MESSAGES, updated_count: MESSAGES - 10, last_processed_id: ids.at(-1) },
    ...{ found_oldest: true, ignored_because_not_subscribed_channels: [] },
  });
  expect(await flagsOf(ids.at(-1)!)).toContain("starred");
});
