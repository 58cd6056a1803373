// Limits how much a send writes to disk.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { msgpack } from "../../src/store/codec.ts";
import { closeRaw, openRaw } from "../../src/store/copy/read-only.ts";
import { JOURNAL_PREFIX } from "../../src/store/journal/entries.ts";
import { AFTER, keyOf } from "../../src/store/key.ts";
import { unsealed } from "../../src/store/checksums/checksum.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

/** Prefixes of the rows that a send to a known topic writes, one each, in order. */
const WRITTEN_ROWS = {
  "the sequence of message ids": 1,
  topics: 10,
  messages: 16,
  log: 22,
  "messages of the channel": 64,
  "messages of the topic": 65,
  "messages of the sender": 67,
};
/** Keys and values of these rows, for a message of 80 characters. */
const ROW_BYTES_MAX = 370;
/** The row with its keys, and the record of the commit log. */
const WRITTEN_BYTES_MAX = 440;
/** Other work of the process may write at the same time, so the smallest of some counts. */
const TRIES = 8;
const SENDERS = 16;
/** Larger id sets would be long in the journal if it contained more than their changes. */
const ROUNDS = 60;
const CONTENT = "The new build is **ready** to be tried, and its notes are on the page: a, b, c.";

let copies = 0;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const subscriptions = [{ name: "garden" }];
  await server.request("olga", "POST /users/me/subscriptions", { subscriptions });
  const otherMessage = { type: "private", to: [server.idOf("bo")], content: "Elsewhere" };
  // Creates id sets without a pattern, as other conversations would.
  for (let round = 0; round < ROUNDS; round++) {
    await send(1);
    await server.request("cy", "POST /messages", otherMessage);
  }
});
afterAll(() => server.close());

/** Sends concurrently to a topic that exists. */
async function send(count: number): Promise<void> {
  const { realm } = server;
  const sender = realm.read.users.get(server.idOf("olga"))!;
  const { stream_id } = realm.read.channels.findBy("name", "garden")!;
  const recipient = { stream_id, topic: "cost" };
  const sendOne = () => realm.write((tx) => sendMessage(tx, sender, recipient, CONTENT));
  await Promise.all(Array.from({ length: count }, sendOne));
}

interface StoredRows {
  /** Rows by key, without the journal and the format number. */
  readonly rows: Map<string, string>;
  /** Keys and values of each journal row. */
  readonly journal: (string | Uint8Array | null)[][];
}

async function storedState(): Promise<StoredRows> {
  const copy = join(server.directory, `copy-${++copies}.mdb`);
  await server.realm.copyTo(copy);
  const db = openRaw(copy);
  const rows = new Map<string, string>();
  const journal: StoredRows["journal"] = [];
  const start = keyOf(JOURNAL_PREFIX, []);
  for (const { key, value } of db.getRange({ start: keyOf(1, []), end: start + AFTER })) {
    if (key < start) rows.set(key, value.toString("latin1"));
    else journal.push(msgpack.decode(unsealed(value)!) as StoredRows["journal"][number]);
  }
  await closeRaw(db, copy);
  return { rows, journal };
}

test("a send writes one row, to the journal, with its seven entries", async () => {
  let [others, entries, bytes] = [Infinity, [] as number[], Infinity];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await storedState();
    await send(1);
    const after = await storedState();
    const changedRows = [...after.rows].filter(([key, value]) => before.rows.get(key) !== value);
    const addedEntries = after.journal.slice(before.journal.length);
    if (addedEntries.length !== 1 || changedRows.length >= others) continue;
    others = changedRows.length;
    const keys = addedEntries[0]!.filter((_, index) => index % 2 === 0) as string[];
    entries = keys.map((key) => key.charCodeAt(0)).sort((a, b) => a - b);
    bytes = addedEntries[0]!.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  }
  expect({ others, entries }).toEqual({ others: 0, entries: Object.values(WRITTEN_ROWS) });
  expect(bytes).toBeLessThanOrEqual(ROW_BYTES_MAX);
});

test("a commit of one send writes one record to the commit log", async () => {
  let min = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = writtenBytes();
    await send(1);
    min = Math.min(min, writtenBytes() - before);
  }
  expect(min).toBeLessThanOrEqual(WRITTEN_BYTES_MAX);
  expect(min).toBeGreaterThan(CONTENT.length);
});

test("concurrent sends share a commit", async () => {
  const { realm } = server;
  const { onMade: onCreated } = realm;
  const writes: number[] = [];
  realm.onMade = (_ms, count) => writes.push(count);
  await send(SENDERS);
  realm.onMade = onCreated;
  const shared = writes.filter((count) => count > 1);
  expect(shared).toHaveLength(1);
  // Other work of the server may join the commit.
  expect(shared[0]).toBeGreaterThanOrEqual(SENDERS);
});

/** Bytes that this process passed to `write` and its variants. */
function writtenBytes(): number {
  return Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))![1]);
}
