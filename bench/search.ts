// Searching: what the index adds to a send and to the disk, and how long a search takes.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { compose } from "../src/features/messages/compose.ts";
import { decodeNarrow } from "../src/features/messages/narrow.ts";
import { planNarrow } from "../src/features/messages/plan.ts";
import { rememberedMessages } from "../src/features/messages/received.ts";
import { sendMessage } from "../src/features/messages/send.ts";
import { idsBack } from "../src/features/messages/sets.ts";
import { indexMessage } from "../src/features/search/index.ts";
import { trimLog } from "../src/features/events/checkpoint.ts";
import type { Realm } from "../src/realm.ts";
import { openHouse } from "../src/running.ts";
import { cpuOf } from "./cpu.ts";
import { Load, startSkein } from "./processes.ts";
import { inTurn, median, type Ratio, ratioOf } from "./ratio.ts";
import { posting } from "./requests.ts";
import { type Line, rounded, within } from "./row.ts";
import { GENERAL, type Town, type Towns } from "./towns.ts";
import { Texts } from "./words.ts";

const BYTES = 200;
const SENDERS = 16;
const TURNS = 7;
const WARM_UP = 4_000;
const SENDS = 4_096;
const STORED = 100_000;
const PER_WRITE = 250;
const HITS = 50;
const SEARCHES = 40;

export async function search(towns: Towns): Promise<Line[]> {
  const texts = new Texts();
  return [await share(towns, texts), ...(await stored(towns, texts))];
}

/** What indexing takes of the processor, over all that a send takes. */
async function share(towns: Towns, texts: Texts): Promise<Line> {
  const sending = await cpuOfSend(await towns.copied({ people: SENDERS }), texts);
  const indexing = await cpuOfIndex(await towns.copied({ people: SENDERS }), texts);
  const shares = indexing.map((ms, turn) => ms / sending[turn]!);
  const what = `the index's share of a send's CPU, ${SENDERS} senders, ${BYTES} bytes`;
  const line = within({ what, goal: 0.35, unit: "" }, median(indexing) / median(sending), shares);
  const [ours, theirs] = [indexing, sending].map((all) => `${rounded(median(all) * 1000)} µs`);
  return { ...line, ours: ours!, theirs: theirs! };
}

/** Of the server, in milliseconds. */
async function cpuOfSend({ directory, people }: Town, texts: Texts): Promise<number[]> {
  await using skein = await startSkein(directory);
  using load = new Load();
  const send = (count: number) => {
    const requests = people.map((from) => {
      const to = { type: "channel", to: GENERAL, topic: "words" };
      return posting(from, "/messages", { ...to, content: texts.text(BYTES) });
    });
    return load.ask("send", { port: skein.port, requests, count });
  };
  await send(WARM_UP);
  const gave: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const before = skein.cpu_ms;
    for (let part = 0; part < 4; part++) await send(SENDS / 4);
    gave.push((skein.cpu_ms - before) / SENDS);
  }
  return gave;
}

/** The same writes with the index and without, in this process; the difference. */
async function cpuOfIndex({ directory }: Town, texts: Texts): Promise<number[]> {
  const realm = await openTown(directory);
  const write = async (isIndexed: boolean) => {
    const contents = Array.from({ length: SENDS }, () => texts.text(BYTES));
    const before = cpuOf(process.pid);
    for (let from = 0; from < SENDS; from += SENDERS) {
      const some = contents.slice(from, from + SENDERS);
      await Promise.all(
        some.map((content) =>
          realm.write((tx) => {
            const id = tx.next("messages");
            const message = { id, content, rendered_content: null, bits: 0 };
            if (isIndexed) indexMessage(tx, message);
          }),
        ),
      );
    }
    return (cpuOf(process.pid) - before) / SENDS;
  };
  const gave = await inTurn(
    TURNS,
    () => write(true),
    () => write(false),
  );
  await realm.close();
  return gave.ours.map((ms, turn) => ms - gave.theirs[turn]!);
}

async function stored(towns: Towns, texts: Texts): Promise<Line[]> {
  const { directory } = await towns.copied({ people: 1 });
  const empty = statSync(`${directory}/data.mdb`).size;
  const realm = await openTown(directory);
  const contents = Array.from({ length: STORED }, () => texts.text(BYTES));
  await fill(realm, contents);
  await trimLog(realm);
  const lines = searches(realm, contents, texts);
  await realm.close();
  const bytes = (statSync(`${directory}/data.mdb`).size - empty) / STORED;
  const what = `disk of a message of ${BYTES} bytes, with all indexes`;
  const rendered = BYTES + "<p></p>".length;
  const goal = 2 * (BYTES + rendered) + 200;
  return [within({ what, goal, unit: "bytes" }, bytes, [bytes]), ...lines];
}

async function fill(realm: Realm, contents: readonly string[]): Promise<void> {
  const sender = realm.read.users.get(ownerOf(realm))!;
  for (let from = 0; from < contents.length; from += PER_WRITE) {
    const some = contents.slice(from, from + PER_WRITE);
    const composed = some.map((content) => compose(realm.read, sender, content));
    await realm.write((tx) => {
      for (const [at, one] of composed.entries()) {
        const topic = `topic ${at % 10}`;
        sendMessage(tx, sender, { stream_id: GENERAL, topic }, one);
      }
    });
  }
}

const ownerOf = ({ read }: Realm) =>
  [...read.users.range()].find(({ role, is_system_bot }) => role === 100 && !is_system_bot)!
    .user_id;

/** The newest hits, with their texts; against SQLite's FTS5 over the same texts. */
function searches(realm: Realm, contents: readonly string[], texts: Texts): Line[] {
  const { read } = realm;
  const user = read.users.get(ownerOf(realm))!;
  const ours = (operand: string) => {
    const messageOf = rememberedMessages(read);
    const terms = decodeNarrow([{ operator: "search", operand }]);
    const ids = idsBack(planNarrow(read, user, terms, messageOf), 0, read.last("messages"), HITS);
    return ids.map((id) => messageOf(id)!.content);
  };
  using db = new Database(":memory:");
  const theirs = fullText(db, contents);
  const rare = texts.words.findLast((word) => word.length > 6 && ours(word).length > 0)!;
  const [first, second] = texts.words.filter((word) => word.length > 6) as [string, string];
  const queries = {
    "a common word": first,
    "a rare word": rare,
    "two words": `${first} ${second}`,
  };
  return Object.entries(queries).map(([what, query]) => {
    const ratio = turns(
      () => ours(query),
      () => theirs(query),
    );
    const stored = STORED.toLocaleString("en-US");
    const row = `newest ${HITS} with ${what}, ${stored} stored, CPU against SQLite's FTS5`;
    return compared(row, ratio);
  });
}

function fullText(db: Database, contents: readonly string[]): (query: string) => unknown[] {
  db.run("create virtual table texts using fts5(content, tokenize = 'porter unicode61')");
  const insert = db.prepare("insert into texts (rowid, content) values (?, ?)");
  db.transaction(() => {
    for (const [at, content] of contents.entries()) insert.run(at + 1, content);
  })();
  const select = db.prepare(
    `select content from texts where texts match ? order by rowid desc limit ${HITS}`,
  );
  return (query) => select.values(query);
}

function turns(ours: () => unknown, theirs: () => unknown): Ratio {
  const took = (search: () => unknown) => {
    const before = cpuOf(process.pid);
    for (let i = 0; i < SEARCHES; i++) search();
    return (cpuOf(process.pid) - before) / SEARCHES;
  };
  const gave = { ours: [] as number[], theirs: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    gave.ours.push(took(ours));
    gave.theirs.push(took(theirs));
  }
  return ratioOf(gave, (ms) => ms);
}

const FTS5_TIMES_MAX = 10;

function compared(what: string, { ours, theirs, ratio, low, high }: Ratio): Line {
  return {
    what,
    goal: `≤ ${FTS5_TIMES_MAX} times`,
    result: rounded(ratio),
    spread: `${rounded(low)} – ${rounded(high)}`,
    ours: `${rounded(ours)} ms`,
    theirs: `${rounded(theirs)} ms`,
    isMet: ratio <= FTS5_TIMES_MAX,
  };
}

function openTown(directory: string): Promise<Realm> {
  const where = { data: directory, host: "", port: 0, url: "http://127.0.0.1:9400" };
  const limits = { max_upload_mib: 1, upload_quota_mib: 0, outbound_allow: [] };
  return openHouse({ ...where, ...limits, rate_limits: false, archive_days: 30, log: "off" });
}
