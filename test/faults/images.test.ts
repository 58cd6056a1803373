/** Damaged images of data.mdb: server and doctor print an error, or all messages are intact. */
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
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { type Image, imageOf, PAGE_BYTES } from "../store/damaged-images.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { rawDatabase } from "../store/without-checksums.ts";
import { type Account, organization, sendParams, ServeProcess } from "./serve-process.ts";

const MESSAGES = 30;
const ALL = { anchor: "newest", num_before: 100, num_after: 0 };
/** Output of a crash of the runtime or a library. */
const CRASH = /panic|Segmentation|SIGSEGV|oh no: Bun|assert|\n {4}at /i;

let testServer: Awaited<ReturnType<typeof organization>>;
let fullImage: Buffer;
let earlier: Buffer;
let contents: string[];

beforeAll(async () => {
  testServer = await organization();
  const { directory, olga } = testServer;
  for (let round = 0; round < 2; round++) {
    await using server = await new ServeProcess(directory).untilServing();
    for (let index = 0; index < MESSAGES / 2; index++) {
      const content = `message ${round} ${index} ${"word ".repeat(index * 40)}`;
      await server.request(olga, "POST /messages", sendParams(content));
    }
    contents = await contentsOf(server, olga);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    if (round === 0) earlier = readFileSync(join(directory, "data.mdb"));
  }
  fullImage = readFileSync(join(directory, "data.mdb"));
  expect(contents.length).toBeGreaterThanOrEqual(MESSAGES);
});
afterAll(() => testServer[Symbol.dispose]());

async function contentsOf(server: ServeProcess, olga: Account): Promise<string[]> {
  const { body } = await server.request(olga, "GET /messages", ALL);
  return (body.messages as { content: string }[] | undefined)?.map(({ content }) => content) ?? [];
}

/** Creates a directory that contains the image as its data file. */
function writeImage(name: string, bytes: Buffer): string {
  const data = join(testServer.directory, name);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  copyFileSync(join(testServer.directory, "secrets"), join(data, "secrets"));
  writeFileSync(join(data, "data.mdb"), bytes);
  return data;
}

/**
 * Returns what is wrong with how the server and the doctor handle an image; undefined if nothing
 * is.
 */
async function faultOf({ what: label, bytes }: Image): Promise<string | undefined> {
  const data = writeImage("image", bytes);
  const examined = await skein(["doctor", "--only", "database", "--data", data, "--json"]);
  const isCrashed = CRASH.test(examined.out + examined.err) || examined.code > 2;
  if (isCrashed) return `${label}: doctor ended with ${examined.code}: ${examined.err}`;
  const isNotified = linesOf(examined).some(({ state }) => state === "fail");
  await using server = new ServeProcess(writeImage("image", bytes));
  const isServing = await server.untilServing().then(
    () => true,
    () => false,
  );
  if (!isServing) {
    const exitCode = await server.ended;
    // Log lines may precede the error if it fails while it starts to serve.
    const isSentence =
      exitCode === 1 && /^skein: .+/m.test(server.stderrText) && !CRASH.test(server.stderrText);
    return isSentence && isNotified
      ? undefined
      : `${label}: ended with ${exitCode}: ${server.stderrText}`;
  }
  const foundContents = await contentsOf(server, testServer.olga);
  const health = await skein(["health", "--data", join(testServer.directory, "image")]);
  const isSame = Bun.deepEquals(foundContents, contents);
  server.kill("SIGTERM");
  const exitStatus = await server.ended;
  if (exitStatus !== 0 || CRASH.test(server.stderrText))
    return `${label}: stopped with ${exitStatus}: ${server.stderrText}`;
  if (isSame) return undefined;
  return isNotified && health.code === 1 ? undefined : `${label}: silently misses messages`;
}

const IMAGES = countOf("served_images");

test(`${IMAGES} images end with a message, or all messages are served`, async () => {
  const random = chanceOf(SEED);
  const faults: string[] = [];
  for (let index = 0; index < IMAGES; index++) {
    const fault = await faultOf(imageOf(fullImage, earlier, index, random));
    if (fault !== undefined) faults.push(fault);
  }
  expect(faults).toEqual([]);
});

test("a server with a damaged row of its organization ends with a message", async () => {
  const data = writeImage("nameless", fullImage);
  const db = rawDatabase(data);
  const key = keyOf(tables.realm.prefix, [1]);
  const row = Buffer.from(db.getBinary(key)!);
  row[row.length >> 1]! ^= 1;
  await db.put(key, row);
  await db.close();
  await using server = new ServeProcess(data);
  expect(await server.ended).toBe(1);
  expect(server.stderrText).toMatch(/^skein: realm 1 is damaged on the disk$/m);
  expect(server.stderrText).not.toMatch(CRASH);
});

test("health and doctor report a message that is missing under its id", async () => {
  const data = writeImage("misplaced", fullImage);
  const db = rawDatabase(data);
  const [keyA, keyB] = [3, 900].map((id) => keyOf(tables.messages.prefix, [id]));
  const row = db.getBinary(keyA!)!;
  await db.transaction(() => {
    void db.remove(keyA!);
    void db.put(keyB!, row);
  });
  await db.close();
  await using server = await new ServeProcess(data).untilServing();
  expect(server.stdoutText).toMatch(
    /^The data is damaged: messages 900 is in the place of another/m,
  );
  const { code, err } = await skein(["health", "--data", data]);
  expect([code, err]).toEqual([1, expect.stringContaining("messages 900")]);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  // Reported every time while the damage persists.
  await using restarted = await new ServeProcess(data).untilServing();
  expect(restarted.stdoutText).toContain("The data is damaged");
});

test("the topic's count reveals a message that is missing without a trace", async () => {
  const data = writeImage("missing", fullImage);
  const db = rawDatabase(data);
  await db.transaction(() => void db.remove(keyOf(tables.messages.prefix, [3])));
  await db.close();
  await using server = await new ServeProcess(data).untilServing();
  expect(server.stdoutText).toMatch(/^The data is damaged: .*messages/m);
});

/** The leaf pages that begin with a message, including free ones. */
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

test("a running server survives doctor and a backup of damaged pages", async () => {
  const data = writeImage("running", fullImage);
  await using server = await new ServeProcess(data).untilServing();
  const file = openSync(join(data, "data.mdb"), "r+");
  const pages = leavesOfMessages(readFileSync(join(data, "data.mdb")));
  expect(pages.length).toBeGreaterThan(0);
  const zeros = Buffer.alloc(PAGE_BYTES);
  for (const page of pages) writeSync(file, zeros, 0, PAGE_BYTES, page * PAGE_BYTES);
  closeSync(file);
  const doctorRun = await skein(["doctor", "--only", "database", "--data", data, "--json"]);
  const rows = linesOf(doctorRun).find(({ id }) => id === "database.rows");
  const text = expect.stringContaining("has damaged pages");
  expect(rows).toMatchObject({ state: "fail", message: text });
  const retained = await skein([
    "backup",
    "run",
    "--data",
    data,
    "--to",
    join(testServer.directory, "kept"),
  ]);
  expect([retained.code, retained.err]).toEqual([
    1,
    expect.stringMatching(/^skein: .* is damaged: page/),
  ]);
  expect(retained.err).not.toMatch(CRASH);
  // Doctor has read damaged pages in the server. Other rows can still be read.
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
