// The deep check of doctor, which reads all data: what it finds, and what it quarantines.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configFor } from "../../src/commands/control.ts";
import { blobName } from "../../src/features/files/blob-names.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { TermChanges } from "../../src/features/search/change.ts";
import { mergeIndex } from "../../src/features/search/jobs.ts";
import { openRunning } from "../../src/running.ts";
import type { Writer } from "../../src/realm.ts";
import { environment } from "../../src/store/environment.ts";
import { keyOf } from "../../src/store/key.ts";
import type { Json } from "../test-server.ts";
import { changeData, OLGA, DoctorFixture } from "./doctor-fixture.ts";
import { linesOf, Server } from "./skein.ts";

let key: string;
const fixture = new DoctorFixture();

/** Enough messages for search segments of two levels, and for messages in no segment yet. */
const MESSAGES = 5_000;
const AT_ONCE = 1_000;

beforeAll(async () => {
  key = String(linesOf(await fixture.initialize())[0]!["api_key"]);
  const realm = await openRunning(configFor(fixture.sample));
  for (let offset = 0; offset < MESSAGES; offset += AT_ONCE)
    await realm.write((tx) => post(tx, offset));
  await mergeIndex(realm);
  await realm.close();
});
afterAll(() => fixture.close());

function post(tx: Writer, from: number): void {
  const olga = tx.users.findBy("email", OLGA)!;
  const { stream_id } = tx.channels.findBy("name", "general")!;
  for (let index = from; index < from + AT_ONCE; index++) {
    const recipient = { stream_id, topic: `topic ${index % 3}` };
    sendMessage(tx, olga, recipient, `shared word${index % 50} only${index}`);
  }
}

async function requestFrom(server: Server, line: string, params: Record<string, string> = {}) {
  const [method = "", path = ""] = line.split(" ");
  const url = new URL(`${server.url}/api/v1${path}`);
  const form = new URLSearchParams(params);
  if (method === "GET") url.search = form.toString();
  const headers = { Authorization: `Basic ${btoa(`${OLGA}:${key}`)}` };
  const body = method === "GET" ? {} : { body: form };
  return (await (await fetch(url, { method, headers, ...body })).json()) as Json;
}

async function searchIds(server: Server, text: string): Promise<string[]> {
  const narrow = JSON.stringify([{ operator: "search", operand: text }]);
  const range = { anchor: "newest", num_before: "5000", num_after: "0" };
  const received = await requestFrom(server, "GET /messages", {
    narrow,
    ...range,
    apply_markdown: "false",
  });
  return received.messages.map(({ content }: { content: string }) => content);
}

const DEEP = ["--only", "database", "--deep"];
const REPAIR_ARGS = ["--only", "database", "--mend"];

test("repairs a search index that disagrees with the messages", async () => {
  const data = fixture.pathOf("search");
  expect((await fixture.examine(data, ...DEEP)).get("database.search")).toMatchObject({
    state: "ok",
  });
  await changeData(data, (tx) => {
    const segments = [...tx.search_segments.range()];
    const large = segments.find(({ level }) => level === 1)!;
    const [searchSegment, ...small] = segments.filter(
      ({ level, until }) => level === 0 && until === null,
    );
    const stray = new TermChanges(tx);
    stray.add(2_000, "nonsense", true);
    stray.make();
    // Deletes a page, the list of terms, a block, and a segment's row.
    tx.search_pages.delete(1, large.number, large.firsts[1]!);
    const [row] = [...tx.search_words.range()];
    tx.search_words.delete(row!.level, row!.number, row!.first);
    for (const first of searchSegment!.firsts)
      tx.search_pages.delete(0, searchSegment!.number, first);
    tx.search_segments.delete(0, searchSegment!.number);
    tx.search_segments.delete(0, small[0]!.number);
  });
  const server = await Server.start(["--data", data]);
  try {
    expect((await searchIds(server, "word7")).length).toBeLessThan(MESSAGES / 50);
    const check = (await fixture.examine(data, ...DEEP)).get("database.search")!;
    expect(check).toMatchObject({ state: "fail", is_repaired: false });
    expect(check.remedy).toContain("--mend");
    expect((await fixture.examine(data, ...DEEP, "--fix")).get("database.search")!.state).toBe(
      "fail",
    );
    const repaired = (await fixture.examine(data, ...REPAIR_ARGS)).get("database.search");
    expect(repaired).toMatchObject({ state: "ok", is_repaired: true });
    expect(await searchIds(server, "word7")).toHaveLength(MESSAGES / 50);
    expect(await searchIds(server, "nonsense")).toEqual([]);
    for (const index of [0, 2_500, MESSAGES - 1]) {
      expect(await searchIds(server, `only${index}`)).toEqual([
        `shared word${index % 50} only${index}`,
      ]);
    }
    // Searches also find parts of words, and messages that are sent afterwards.
    expect(await searchIds(server, "ord7")).toHaveLength(MESSAGES / 50);
    await requestFrom(server, "POST /messages", {
      type: "channel",
      to: "general",
      topic: "later",
      content: "an afterthought",
    });
    expect(await searchIds(server, "afterthought")).toEqual(["an afterthought"]);
  } finally {
    await server.stop();
  }
  const after = await fixture.examine(data, ...DEEP);
  expect([...after.values()].filter(({ state }) => state !== "ok")).toEqual([]);
});

/** Flips one bit of a row on disk. */
async function flipBitOf(data: string, path: string): Promise<Buffer> {
  const db = environment(join(data, "data.mdb"));
  const row = Buffer.from(db.getBinary(path)!);
  row[row.length >> 1]! ^= 1;
  await db.put(path, row);
  await db.close();
  return row;
}

const MESSAGE = 1_234;

test("moves damaged rows aside that no others need", async () => {
  const data = fixture.pathOf("rows");
  await changeData(data, (tx) => {
    const draft = { type: "private", to: [], topic: "", content: "half a", timestamp: 1 } as const;
    tx.drafts.put({ user_id: 4, draft_id: 1, ...draft } as never);
  });
  const row = await flipBitOf(data, keyOf(16, [MESSAGE]));
  await flipBitOf(data, keyOf(35, [4, 1]));
  const check = (await fixture.examine(data, "--only", "database")).get("database.rows")!;
  expect(check.message).toContain(`messages ${MESSAGE} is damaged`);
  expect(check.remedy).toContain("--mend");
  // Rows that cannot be read are not reported as faults of the search index.
  expect((await fixture.examine(data, ...DEEP)).get("database.search")).toMatchObject({
    state: "ok",
  });
  const server = await Server.start(["--data", data]);
  try {
    const types = { event_types: JSON.stringify(["delete_message"]) };
    const { queue_id } = await requestFrom(server, "POST /register", types);
    const repaired = await fixture.examine(data, ...REPAIR_ARGS);
    expect(repaired.get("database.rows")).toMatchObject({ state: "ok", is_repaired: true });
    // Search terms of deleted messages need no repair: search skips them until they are removed.
    expect(repaired.get("database.search")).toMatchObject({ state: "ok", is_repaired: false });
    const { events } = await requestFrom(server, "GET /events", { queue_id, last_event_id: "-1" });
    expect(events[0]).toMatchObject({ type: "delete_message", message_id: MESSAGE });
    expect(await searchIds(server, `only${MESSAGE}`)).toHaveLength(1);
    expect(await searchIds(server, `only${MESSAGE - 4}`)).toEqual([]);
  } finally {
    await server.stop();
  }
  const [quarantinedFile = ""] = readdirSync(join(data, "quarantine"));
  const rows = readFileSync(join(data, "quarantine", quarantinedFile), "utf8")
    .trim()
    .split("\n");
  const [, message] = rows
    .map((line) => JSON.parse(line) as { place: string; bytes: string })
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  expect(message).toMatchObject({ place: `messages ${MESSAGE}`, bytes: row.toString("base64") });
  const after = await fixture.examine(data, ...DEEP);
  expect([...after.values()].filter(({ state }) => state !== "ok")).toEqual([]);

  // A topic is needed to find its messages, so only a backup can restore it.
  const topic = await flipBitOf(data, keyOf(10, [1]));
  const remaining = (await fixture.examine(data, ...REPAIR_ARGS)).get("database.rows")!;
  expect(remaining).toMatchObject({ state: "fail", is_repaired: false });
  expect(remaining.remedy).not.toContain("--mend");
  const db = environment(join(data, "data.mdb"));
  expect(Buffer.from(db.getBinary(keyOf(10, [1]))!).equals(topic)).toBe(true);
  await db.close();
  const quick = (await fixture.examine(data, "--only", "database", "--quick")).get(
    "database.rows",
  )!;
  expect(quick.message).toContain("sample");
  expect(quick.state).toBe("fail");
});

test("finds a changed file, and no longer serves it", async () => {
  const data = fixture.pathOf("files");
  const server = await Server.start(["--data", data]);
  try {
    const form = new FormData();
    form.set("file", new File(["what was meant to be kept"], "note.txt"));
    const headers = { Authorization: `Basic ${btoa(`${OLGA}:${key}`)}` };
    const response = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: "POST",
      headers,
      body: form,
    });
    const { url } = (await response.json()) as { url: string };
    const path = join(data, "uploads", blobName(url.slice("/user_uploads/".length)));
    expect((await fixture.examine(data, ...DEEP)).get("database.files")!.state).toBe("ok");
    writeFileSync(path, "what was meant to be lost");
    expect((await fixture.examine(data, "--only", "database")).get("database.files")!.state).toBe(
      "ok",
    );
    const result = (await fixture.examine(data, ...DEEP)).get("database.files")!;
    expect(result.message).toStartWith("1 files differ from the uploaded ones: files/");
    const repaired = (await fixture.examine(data, ...REPAIR_ARGS)).get("database.files")!;
    expect(repaired.message).toContain("1 of 1 files are missing");
    const [quarantinedFile = ""] = readdirSync(join(data, "quarantine"));
    expect(readFileSync(join(data, "quarantine", quarantinedFile), "utf8")).toEndWith("lost");
    expect((await fetch(`${server.url}${url}`, { headers })).status).toBe(404);
  } finally {
    await server.stop();
  }
});
