// The log is trimmed up to the slowest queue, which loses no event.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { trimLog } from "../../src/features/register/checkpoint.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const SENDS = 20;
/** More than one step deletes. */
const MANY = 2_500;
/** More rows than the journal keeps. */
const JOURNAL_ROWS = 17_000;

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const numbers = () => [...testServer.realm.read.log.range()].map(({ seq }) => seq);

async function send(name: "ada" | "bo", content: string) {
  const to = JSON.stringify([testServer.idOf("bo")]);
  await testServer.request(name, "POST /messages", { type: "direct", to, content });
}

test("keeps events that a queue has not delivered, even after a restart", async () => {
  await send("ada", "before anyone listens");
  const listener = await testServer.listen("bo", { event_types: ["message"] });
  const opened_at: number = listener.registered["last_event_id"];
  await trimLog(testServer.realm);
  expect(numbers().filter((seq) => seq <= opened_at)).toEqual([]);

  for (let index = 0; index < SENDS; index++) await send("ada", `number ${index}`);
  const before = numbers();
  await trimLog(testServer.realm);
  expect(numbers()).toEqual(before);

  await testServer.restart();
  await trimLog(testServer.realm);
  const contents = (await listener.takeAll()).map(({ message }) => message.content);
  expect(contents).toEqual(Array.from({ length: SENDS }, (_, index) => `number ${index}`));

  await listener.takeAll();
  await trimLog(testServer.realm);
  expect(numbers()).toEqual([]);
});

/** Emits events in one transaction. */
async function emitMany(count: number): Promise<void> {
  const user_ids = [testServer.idOf("bo")];
  await testServer.realm.write((tx) => {
    for (let index = 0; index < count; index++) {
      const event = { type: "typing", op: "start", message_type: "direct" } as never;
      tx.emit(event, { to: "people", user_ids });
    }
  });
}

test("trims everything that no queue needs, also after more events and a restart", async () => {
  await emitMany(MANY);
  await trimLog(testServer.realm);
  expect(numbers()).toEqual([]);
  await emitMany(MANY);
  await trimLog(testServer.realm);
  expect(numbers()).toEqual([]);
  await emitMany(MANY);
  await testServer.restart();
  await trimLog(testServer.realm);
  expect(numbers()).toEqual([]);
});

test("a full journal drops the events that no queue needs", async () => {
  await emitMany(JOURNAL_ROWS);
  expect(numbers()).toEqual([]);
  const listener = await testServer.listen("bo", { event_types: ["message"] });
  await send("ada", "waits");
  const before = numbers();
  await emitMany(JOURNAL_ROWS);
  expect(numbers().slice(0, before.length)).toEqual(before);
  expect(numbers()).toHaveLength(before.length + JOURNAL_ROWS);
  await testServer.restart();
  expect((await listener.takeAll()).map(({ message }) => message.content)).toEqual(["waits"]);
});
