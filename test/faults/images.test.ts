/** Damaged images of data.mdb: server and doctor end in words, or all messages are there. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { tables } from "../../src/schema/schema.ts";
import { keyOf } from "../../src/store/key.ts";
import { linesOf, skein } from "../commands/skein.ts";
import { countOf } from "../long.ts";
import { SEED } from "../seed.ts";
import { type Image, imageOf, PAGE_BYTES } from "../store/images.ts";
import { chanceOf } from "../store/sample.ts";
import { rawDatabase } from "../store/unsealed.ts";
import { type Account, organization, sending, Serving } from "./serving.ts";

const MESSAGES = 30;
const ALL = { anchor: "newest", num_before: 100, num_after: 0 };
/** What a runtime or a library says when it dies. */
const CRASH = /panic|Segmentation|SIGSEGV|oh no: Bun|assert|\n {4}at /i;

let testServer: Awaited<ReturnType<typeof organization>>;
let whole: Buffer;
let earlier: Buffer;
let contents: string[];

beforeAll(async () => {
  testServer = await organization();
  const { directory, olga } = testServer;
  for (let round = 0; round < 2; round++) {
    await using server = await new Serving(directory).isUp();
    for (let nth = 0; nth < MESSAGES / 2; nth++) {
      const content = `message ${round} ${nth} ${"word ".repeat(nth * 40)}`;
      await server.ask(olga, "POST /messages", sending(content));
    }
    contents = await contentsOf(server, olga);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    if (round === 0) earlier = readFileSync(join(directory, "data.mdb"));
  }
  whole = readFileSync(join(directory, "data.mdb"));
  expect(contents.length).toBeGreaterThanOrEqual(MESSAGES);
});
afterAll(() => testServer[Symbol.dispose]());

async function contentsOf(server: Serving, olga: Account): Promise<string[]> {
  const { body } = await server.ask(olga, "GET /messages", ALL);
  return (body.messages as { content: string }[] | undefined)?.map(({ content }) => content) ?? [];
}

/** A directory with that image in place of the data. */
function placed(name: string, bytes: Buffer): string {
  const data = join(testServer.directory, name);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  copyFileSync(join(testServer.directory, "secrets"), join(data, "secrets"));
  writeFileSync(join(data, "data.mdb"), bytes);
  return data;
}

/** What is wrong with how the server and the doctor take an image; undefined: nothing. */
async function faultOf({ what, bytes }: Image): Promise<string | undefined> {
  const data = placed("image", bytes);
  const examined = await skein(["doctor", "--only", "database", "--data", data, "--json"]);
  const isCrashed = CRASH.test(examined.out + examined.err) || examined.code > 2;
  if (isCrashed) return `${what}: doctor ended with ${examined.code}: ${examined.err}`;
  const isTold = linesOf(examined).some(({ state }) => state === "fail");
  await using server = new Serving(placed("image", bytes));
  const isUp = await server.isUp().then(
    () => true,
    () => false,
  );
  if (!isUp) {
    const ended = await server.ended;
    const isSentence = ended === 1 && /^skein: .+/.test(server.err) && !CRASH.test(server.err);
    return isSentence && isTold ? undefined : `${what}: ended with ${ended}: ${server.err}`;
  }
  const found = await contentsOf(server, testServer.olga);
  const health = await skein(["health", "--data", join(testServer.directory, "image")]);
  const isSame = Bun.deepEquals(found, contents);
  server.kill("SIGTERM");
  const ended = await server.ended;
  if (ended !== 0 || CRASH.test(server.err)) return `${what}: stopped with ${ended}: ${server.err}`;
  if (isSame) return undefined;
  return isTold && health.code === 1 ? undefined : `${what}: silently misses messages`;
}

const IMAGES = countOf("served_images");

test(`${IMAGES} images end in words, or all messages are served`, async () => {
  const chance = chanceOf(SEED);
  const faults: string[] = [];
  for (let nth = 0; nth < IMAGES; nth++) {
    const fault = await faultOf(imageOf(whole, earlier, nth, chance));
    if (fault !== undefined) faults.push(fault);
  }
  expect(faults).toEqual([]);
});

test("a message that is not found under its number is told of by health and doctor", async () => {
  const data = placed("misplaced", whole);
  const db = rawDatabase(data);
  const [one, other] = [3, 900].map((id) => keyOf(tables.messages.prefix, [id]));
  const row = db.getBinary(one!)!;
  await db.transaction(() => {
    void db.remove(one!);
    void db.put(other!, row);
  });
  await db.close();
  await using server = await new Serving(data).isUp();
  expect(server.out).toMatch(/^The data is damaged: messages 900 is in the place of another/m);
  const { code, err } = await skein(["health", "--data", data]);
  expect([code, err]).toEqual([1, expect.stringContaining("messages 900")]);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  // Not once only: as long as it is so.
  await using again = await new Serving(data).isUp();
  expect(again.out).toContain("The data is damaged");
});

test("a message that is gone without a trace is told of by its topic's count", async () => {
  const data = placed("missing", whole);
  const db = rawDatabase(data);
  await db.transaction(() => void db.remove(keyOf(tables.messages.prefix, [3])));
  await db.close();
  await using server = await new Serving(data).isUp();
  expect(server.out).toMatch(/^The data is damaged: .*messages/m);
});

/** The leaves that begin with a message, also those that are free by now. */
function leavesOfMessages(file: Buffer): number[] {
  const LEAF = 2;
  const pages: number[] = [];
  for (let page = 2; page < file.length / PAGE_BYTES; page++) {
    const bytes = file.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    if (bytes.readUInt16LE(18) !== LEAF || Number(bytes.readBigUInt64LE()) !== page) continue;
    const key = 24 + bytes.readUInt16LE(24) + 8;
    if (bytes[key] === tables.messages.prefix) pages.push(page);
  }
  return pages;
}

test("a running server outlives the doctor and a backup of pages damaged meanwhile", async () => {
  const data = placed("running", whole);
  await using server = await new Serving(data).isUp();
  const file = openSync(join(data, "data.mdb"), "r+");
  const pages = leavesOfMessages(readFileSync(join(data, "data.mdb")));
  expect(pages.length).toBeGreaterThan(0);
  const zeros = Buffer.alloc(PAGE_BYTES);
  for (const page of pages) writeSync(file, zeros, 0, PAGE_BYTES, page * PAGE_BYTES);
  closeSync(file);
  const looked = await skein(["doctor", "--only", "database", "--data", data, "--json"]);
  const rows = linesOf(looked).find(({ id }) => id === "database.rows");
  const says = expect.stringContaining("damaged in its pages");
  expect(rows).toMatchObject({ state: "fail", says });
  const kept = await skein([
    "backup",
    "run",
    "--data",
    data,
    "--to",
    join(testServer.directory, "kept"),
  ]);
  expect([kept.code, kept.err]).toEqual([1, expect.stringMatching(/^skein: .* is damaged: page/)]);
  expect(kept.err).not.toMatch(CRASH);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
