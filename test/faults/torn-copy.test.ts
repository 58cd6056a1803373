// Directories copied during writes are rejected, reported or complete.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, cpSync, fstatSync, ftruncateSync, mkdtempSync, openSync } from "node:fs";
import { readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { type Account, organization, sendParams, ServeProcess } from "./serve-process.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-torn-"));
const PIECE_BYTES = 4_096;
const DATA = "data.mdb";

let source: Awaited<ReturnType<typeof organization>>;
let server: ServeProcess;
/** The contents of acknowledged messages, oldest first. */
const acknowledged: string[] = [];

beforeAll(async () => {
  source = await organization();
  server = await new ServeProcess(source.directory, {
    flags: ["--rate-limits", "off"],
  }).untilServing();
  await send(60);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  source[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function send(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const content = `message ${acknowledged.length} ${"word ".repeat((index % 7) * 30)}`.trim();
    const { status } = await server.request(source.olga, "POST /messages", sendParams(content));
    expect(status).toBe(200);
    acknowledged.push(content);
  }
}

/** Pieces of the data file in the order in which they are copied, and when messages are sent. */
type Order = (pieces: number) => readonly (number | "send")[];

const numbersTo = (pieces: number) => Array.from({ length: pieces }, (_, index) => index);

const ORDERS: Record<string, Order> = {
  "in one go": numbersTo,
  "with messages between all pieces": (pieces) =>
    numbersTo(pieces).flatMap((index) => (index % 8 === 0 ? (["send", index] as const) : index)),
  "from the end": (pieces) =>
    numbersTo(pieces)
      .toReversed()
      .flatMap((index) => (index % 8 === 0 ? (["send", index] as const) : index)),
  "with a newer end": (pieces) => {
    const half = pieces >> 1;
    return [...numbersTo(half), ...SEND_STEPS, ...numbersTo(pieces).slice(half)];
  },
  "with a newer beginning": (pieces) => {
    const half = pieces >> 1;
    return [...numbersTo(pieces).slice(half), ...SEND_STEPS, ...numbersTo(half)];
  },
  "with newer pages than its first two": (pieces) => [
    0,
    1,
    ...SEND_STEPS,
    ...numbersTo(pieces).slice(2),
  ],
  "with older pages than its first two": (pieces) => [
    ...numbersTo(pieces).slice(2),
    ...SEND_STEPS,
    0,
    1,
  ],
  "with older pages than its first two, of one message": (pieces) => [
    ...numbersTo(pieces).slice(2),
    "send",
    0,
    1,
  ],
  "with a newer second page": (pieces) => [0, ...numbersTo(pieces).slice(2), "send", 1],
  "with a newer first page": (pieces) => [1, ...numbersTo(pieces).slice(2), "send", 0],
};
const SEND_STEPS = Array.from({ length: 12 }, () => "send" as const);

/** Copies the directory, and sends messages meanwhile. Returns the copy's. */
async function copyStore(order: Order, isDataFirst: boolean): Promise<string> {
  const copy = mkdtempSync(join(folder, "copy-"));
  const copyRest = () => {
    for (const name of readdirSync(source.directory)) {
      if (name === DATA || name.endsWith(".sock")) continue;
      cpSync(join(source.directory, name), join(copy, name), { recursive: true });
    }
  };
  if (!isDataFirst) copyRest();
  const from = openSync(join(source.directory, DATA), "r");
  const to = openSync(join(copy, DATA), "w");
  try {
    const { size } = fstatSync(from);
    ftruncateSync(to, size);
    const piece = Buffer.alloc(PIECE_BYTES);
    for (const step of order(Math.ceil(size / PIECE_BYTES))) {
      if (step === "send") await send(1);
      else {
        const index = step * PIECE_BYTES;
        writeSync(to, piece, 0, readSync(from, piece, 0, PIECE_BYTES, index), index);
      }
    }
  } finally {
    closeSync(from);
    closeSync(to);
  }
  if (isDataFirst) copyRest();
  return copy;
}

const COPY_WARNING = /^skein: .+ was copied while a server was running also looks like this: .+\n$/;

type Outcome = "complete" | "reported" | "refused";

/** Starts a server with the copy. Throws if messages are missing without an error. */
async function startCopy(copy: string, before: readonly string[]): Promise<Outcome> {
  await using serverOfCopy = new ServeProcess(copy);
  const isServing = await serverOfCopy.untilServing().then(
    () => true,
    () => false,
  );
  if (!isServing) {
    expect([await serverOfCopy.ended, serverOfCopy.stderrText]).toEqual([
      1,
      expect.stringMatching(COPY_WARNING),
    ]);
    return "refused";
  }
  const contents = await contentsOf(serverOfCopy, source.olga);
  const absent = before.filter((content) => !contents.has(content));
  const isReported = serverOfCopy.stdoutText.includes("The data is damaged: ");
  if (absent.length > 0 && !isReported) throw new Error(`silently misses ${absent.join(", ")}`);
  return isReported ? "reported" : "complete";
}

async function contentsOf(serveProcess: ServeProcess, olga: Account): Promise<Set<string>> {
  const contents = new Set<string>();
  for (let anchor = 0, isLast = false; !isLast;) {
    const page = { anchor, num_before: 0, num_after: 5_000, apply_markdown: false };
    const { body } = await serveProcess.request(olga, "GET /messages", page);
    const messages = body.messages as { id: number; content: string }[];
    for (const { id, content } of messages) {
      contents.add(content);
      anchor = id;
    }
    isLast = body.found_newest;
  }
  return contents;
}

test.each(Object.keys(ORDERS))("a copy %s misses no message silently", async (name) => {
  for (const isDataFirst of [true, false]) {
    const before = [...acknowledged];
    const outcome = await startCopy(await copyStore(ORDERS[name]!, isDataFirst), before);
    if (name === "in one go") expect(outcome).toBe("complete");
  }
});

const COPIES = countOf("torn_copies");

test(`${COPIES} copies in random orders miss no message silently`, async () => {
  const { below } = chanceOf(SEED);
  for (let nth = 0; nth < COPIES; nth++) {
    const order: Order = (pieces) => {
      const steps: (number | "send")[] = numbersTo(pieces);
      for (let index = 0; index < 4; index++) {
        const from = below(steps.length);
        const lostSteps = steps.splice(from, below(steps.length - from));
        steps.splice(
          below(steps.length + 1),
          0,
          ...Array(1 + below(20)).fill("send"),
          ...lostSteps,
        );
      }
      return steps;
    };
    // A copy may lack messages that were sent while it was made.
    const before = [...acknowledged];
    await startCopy(await copyStore(order, below(2) === 0), before);
  }
});
