// Data of every earlier format is opened, checked, rolled back, and killed during migration.
import { expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { configFor } from "../../src/commands/control.ts";
import { purgeSnapshots } from "../../src/features/backup/snapshots-jobs.ts";
import { schema } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import { openRaw } from "../../src/store/copy/read-only.ts";
import { walkDatabase } from "../../src/store/copy/walk.ts";
import { environment } from "../../src/store/environment.ts";
import { formatOf, putFormat } from "../../src/store/format/number.ts";
import { keyOf } from "../../src/store/key.ts";
import { lockDirectory } from "../../src/store/lock.ts";
import { Server, skein } from "../commands/skein.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { dataOf, FORMATS, MESSAGES, NEWEST, OWNER } from "./fixtures.ts";

const older = FORMATS.filter((format) => format < NEWEST);
const snapshots = (data: string) => {
  const folder = join(data, "snapshots");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** Checks the known content of each directory. */
async function expectComplete(data: string): Promise<void> {
  const realm = await openRunning(configFor(data));
  const { read } = realm;
  const owner = read.users.findBy("email", OWNER)!;
  const garden = read.channels.findBy("name", "garden")!;
  expect([...read.messages.range()]).toHaveLength(MESSAGES);
  expect(read.topics.listBy("name", garden.stream_id)).toHaveLength(4);
  expect(read.subscriptions.get(owner.user_id, garden.stream_id)?.active).toBe(true);
  const yard = read.channels.findBy("name", "yard")!;
  expect(read.subscriptions.get(owner.user_id, yard.stream_id)?.active).toBe(false);
  expect(read.messages.get(5)!.reactions).toHaveLength(1);
  expect([...read.attachments.range()].map(({ name }) => name)).toEqual(["note.txt"]);
  await realm.close();
  const path = join(data, "data.mdb");
  expect((await walkDatabase(path, schema)).damage).toEqual([]);
  const db = openRaw(path);
  const { prefix } = schema.tables.search_fresh;
  const bounds = { start: keyOf(prefix, []), end: keyOf(prefix + 1, []) };
  expect([...db.getKeys(bounds)]).toEqual([]);
  await db.close();
}

test.each(FORMATS)("data of format %d is complete, and continues", async (format) => {
  const data = await dataOf(format);
  await expectComplete(data);
  await expectComplete(data);
  expect(snapshots(data)).toHaveLength(format < NEWEST ? 1 : 0);
  const server = await Server.start(["--data", data]);
  const key = (await skein(["user", "key", "--data", data, "--email", OWNER])).out.trim();
  const headers = { Authorization: `Basic ${btoa(`${OWNER}:${key}`)}` };
  const search = `${server.url}/api/v1/messages?anchor=newest&num_before=99&num_after=0&narrow=`;
  const narrow = encodeURIComponent(JSON.stringify([{ operator: "search", operand: "marigold" }]));
  const { messages } = (await (await fetch(search + narrow, { headers })).json()) as {
    messages: unknown[];
  };
  expect(messages).toHaveLength(MESSAGES - 1);
  expect(await server.stop()).toBe(0);
});

test.each(older)(
  "tries an upgrade of format %d while another process uses the data",
  async (format) => {
    const data = await dataOf(format);
    const before = readFileSync(join(data, "data.mdb"));
    const free = lockDirectory(data);
    const db = openRaw(join(data, "data.mdb"));
    const { code, out } = await skein(["upgrade", "--data", data, "--check"]);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Upgrading format ${format} to ${NEWEST}`),
    ]);
    await db.close();
    free();
    expect(readFileSync(join(data, "data.mdb"))).toEqual(before);
    expect(snapshots(data)).toEqual([]);
  },
);

test("counts what was written since an upgrade before a rollback", async () => {
  const data = await dataOf(3);
  const run = (...args: string[]) => skein([...args, "--data", data]);
  expect((await run("rollback")).err).toContain("there is no snapshot of an upgrade here");
  expect((await run("upgrade")).out).toContain(`from format 3 to ${NEWEST}`);
  expect((await run("upgrade")).out).toContain("already");
  const server = await Server.start(["--data", data]);
  const key = (await run("user", "key", "--email", OWNER)).out.trim();
  const headers = { Authorization: `Basic ${btoa(`${OWNER}:${key}`)}` };
  for (const content of ["one", "two"]) {
    const body = new URLSearchParams({ type: "channel", to: '"garden"', topic: "t", content });
    await fetch(`${server.url}/api/v1/messages`, { method: "POST", headers, body });
  }
  expect((await run("rollback")).err).toContain("is in use by process");
  await server.stop();
  const rollback = await run("rollback");
  expect([rollback.code, rollback.out]).toEqual([
    1,
    expect.stringContaining("2 messages by 1 users"),
  ]);
  expect((await run("rollback", "--yes")).code).toBe(0);
  const setAside = readdirSync(data).filter((name) => name.includes("before-rollback"));
  expect(setAside).toHaveLength(1);
  const db = openRaw(join(data, "data.mdb"));
  expect(formatOf(db)).toBe(3);
  await db.close();
  await expectComplete(data);
});

interface Answer {
  readonly [field: string]: unknown;
}

/** Sends a request as the owner, with an API key from the data. */
function requester(server: Server, key: string) {
  const headers = { Authorization: `Basic ${btoa(`${OWNER}:${key}`)}` };
  return async (method: string, path: string, params: Record<string, string>): Promise<Answer> => {
    const body = new URLSearchParams(params);
    const url = `${server.url}/api/v1/${path}`;
    const response =
      method === "GET"
        ? await fetch(`${url}?${body}`, { headers })
        : await fetch(url, { method, headers, body });
    return (await response.json()) as Answer;
  };
}

const MESSAGE = { type: "channel", to: '"garden"', topic: "t" };

test("a rollback ends the event queues of clients and reuses no id", async () => {
  const data = await dataOf(NEWEST);
  const key = (await skein(["user", "key", "--data", data, "--email", OWNER])).out.trim();
  const before = await Server.start(["--data", data]);
  const queue = await requester(before, key)("POST", "register", {});
  await requester(before, key)("POST", "messages", { ...MESSAGE, content: "before the upgrade" });
  expect(await before.stop()).toBe(0);
  // Like the snapshot of an upgrade: it contains the queue, but not later events.
  mkdirSync(join(data, "snapshots"));
  const snapshot = join(data, "snapshots", `before-${NEWEST}-2026-01-01T000000Z.mdb`);
  copyFileSync(join(data, "data.mdb"), snapshot);

  const since = await Server.start(["--data", data]);
  const input: number[] = [];
  for (let index = 0; index < 5; index++) {
    const content = `since the upgrade ${index}`;
    const { id } = await requester(since, key)("POST", "messages", { ...MESSAGE, content });
    input.push(id as number);
  }
  const queue_id = String(queue["queue_id"]);
  const first = { queue_id, last_event_id: String(queue["last_event_id"]) };
  const { events } = await requester(since, key)("GET", "events", first);
  const last_event_id = String((events as { id: number }[]).at(-1)!.id);
  expect(await since.stop()).toBe(0);

  const { code, out } = await skein(["rollback", "--yes", "--data", data]);
  expect([code, out]).toEqual([0, expect.stringContaining("All clients register again")]);
  expect(readdirSync(data).filter((name) => name.includes(".part"))).toEqual([]);

  const after = await Server.start(["--data", data]);
  const request = requester(after, key);
  const poll = { queue_id, last_event_id, dont_block: "true" };
  expect(await request("GET", "events", poll)).toMatchObject({ code: "BAD_EVENT_QUEUE_ID" });
  const { id } = await request("POST", "messages", { ...MESSAGE, content: "after the rollback" });
  expect(id).toBeGreaterThan(Math.max(...input));
  const secondResponse = await request("POST", "register", {});
  expect(Number(secondResponse["last_event_id"])).toBeGreaterThan(Number(last_event_id));
  expect(await after.stop()).toBe(0);
});

test.each(older)("a rollback to format %d reuses no id", async (format) => {
  const data = await dataOf(format);
  expect((await skein(["upgrade", "--data", data])).code).toBe(0);
  const key = (await skein(["user", "key", "--data", data, "--email", OWNER])).out.trim();
  const since = await Server.start(["--data", data]);
  const send = () => requester(since, key)("POST", "messages", { ...MESSAGE, content: "since" });
  const log = join(data, "data.mdb-log");
  let response = await send();
  while (!existsSync(log) || !readFileSync(log).includes("since")) response = await send();
  // Kills the server, so that the newest ids exist only in the commit log.
  await since.stop("SIGKILL");
  expect((await skein(["rollback", "--yes", "--data", data])).code).toBe(0);
  const other = (await skein(["user", "key", "--data", data, "--email", OWNER])).out.trim();
  const after = await Server.start(["--data", data]);
  const { id } = await requester(after, other)("POST", "messages", {
    ...MESSAGE,
    content: "after",
  });
  expect(id).toBeGreaterThan(response["id"] as number);
  expect(await after.stop()).toBe(0);
});

test("rejects newer data, and suggests a rollback if there is a snapshot", async () => {
  const data = await dataOf(1);
  await expectComplete(data);
  const db = environment(join(data, "data.mdb"));
  await db.transaction(() => putFormat(db, 99));
  await db.close();
  const { code, err } = await skein(["user", "list", "--data", data]);
  expect([code, err]).toEqual([1, expect.stringContaining("skein rollback")]);
});

test("does not touch the data if the dry run finds damage", async () => {
  const data = await dataOf(3);
  const db = environment(join(data, "data.mdb"));
  await db.transaction(() => void db.put(keyOf(16, [7]), Buffer.from("no message")));
  await db.close();
  const before = readFileSync(join(data, "data.mdb"));
  const result = await skein(["upgrade", "--data", data]);
  expect([result.code, result.err]).toEqual([1, expect.stringContaining("messages 7")]);
  expect(readFileSync(join(data, "data.mdb"))).toEqual(before);
  expect(snapshots(data)).toEqual([]);
  expect((await skein(["upgrade", "--data", data, "--despite-damage"])).code).toBe(0);
});

test("deletes a snapshot after two weeks", async () => {
  const data = await dataOf(2);
  const realm = await openRunning(configFor(data));
  await purgeSnapshots(realm);
  expect(snapshots(data)).toHaveLength(1);
  const oldTime = Date.now() / 1000 - 15 * 86_400;
  for (const path of snapshots(data)) utimesSync(path, oldTime, oldTime);
  await purgeSnapshots(realm);
  expect(snapshots(data)).toEqual([]);
  await realm.close();
});

const KILL_POINTS = 20;
/** A sample that depends on the seed. */
const CHOSEN = Array.from({ length: KILL_POINTS }, (_, index) => index)
  .sort((a, b) => Bun.hash.xxHash32(`${a}`, SEED) - Bun.hash.xxHash32(`${b}`, SEED))
  .slice(0, countOf("migration_kills"));
/** Enough rows that checksumming them takes several turns of the event loop. */
const ROWS = 90_000;

test(`killed at ${CHOSEN.length} of ${KILL_POINTS} moments, a migration continues`, async () => {
  const full = await dataOf(1);
  const db = environment(join(full, "data.mdb"));
  await db.transaction(() => {
    // A prefix without a table; checksumming treats these rows like any others.
    for (let n = 0; n < ROWS; n++) void db.put(keyOf(250, [n]), Buffer.from(`row ${n}`));
  });
  await db.close();
  const killAt = async (offset: number, ...flags: string[]) => {
    const data = await dataOf(1);
    copyFileSync(join(full, "data.mdb"), join(data, "data.mdb"));
    const child = Bun.spawn([...CHILD, data, String(offset), ...flags], { stdout: "ignore" });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    await expectComplete(data);
  };
  for (const offset of CHOSEN) await killAt(offset);
  // These kills happen during the trial of the new format.
  for (const offset of [0, 5]) await killAt(offset, "careful");
});

const CHILD = [process.execPath, join(import.meta.dir, "killed-child.ts")];
