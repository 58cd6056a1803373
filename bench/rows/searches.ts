// Searching: compared with SQLite's FTS5 over the same texts, and in a longer history.
import { Database } from "bun:sqlite";
import { decodeNarrow } from "../../src/features/messages/read/narrow.ts";
import { planNarrow } from "../../src/features/messages/read/plan.ts";
import { cachedMessages } from "../../src/features/messages/sets/received.ts";
import { idsBack } from "../../src/features/messages/sets/sets.ts";
import type { Realm } from "../../src/realm.ts";
import type { User } from "../../src/schema/records.ts";
import { Load, type Server, startSkein } from "../processes.ts";
import { measureAlternately, median, ratioOf } from "../ratio.ts";
import { getRequest } from "../requests.ts";
import { lineAtMost, type Line } from "../row.ts";
import { openDataset, type Dataset, type Datasets } from "../datasets.ts";
import { Texts } from "../words.ts";

const SHAPE = { people: 16, channels: 10, subscribers: 10, mixed: 1, unread: 5_000 };
const MILLION = 1_000_000;
const HUNDRED_THOUSAND = 100_000;
/** A user who is subscribed to some of the channels. */
const SEARCHER = 8;
const HITS = 50;
const ROUNDS = 9;
const SEARCHES = 60;
const WARM_UP = 300;
const WORD_LENGTH_MIN = 7;

type SearchFunction = (query: string) => unknown[];

export async function searches(datasets: Datasets): Promise<Line[]> {
  const few = await datasets.createShared({ ...SHAPE, messages: HUNDRED_THOUSAND });
  const million = await datasets.createShared({ ...SHAPE, messages: MILLION });
  const engines = await engineLines(few, million);
  return [...engines, await requestLine(few, million)];
}

/** Both return the contents of the newest matches; Skein only those that the user may read. */
async function engineLines(few: Dataset, million: Dataset): Promise<Line[]> {
  const [smallRealm, large] = [
    await openDataset(few.directory),
    await openDataset(million.directory),
  ];
  const [searchFew, searchMillion] = [skeinSearch(smallRealm, few), skeinSearch(large, million)];
  const queries = queriesFor(searchFew);
  const lines: Line[] = [];
  for (const [realm, candidate, storedMessages] of [
    [smallRealm, searchFew, HUNDRED_THOUSAND],
    [large, searchMillion, MILLION],
  ] as const) {
    using db = new Database(":memory:");
    const baseline = sqliteSearch(db, realm);
    for (const [name, query] of Object.entries(queries)) {
      const path = `newest ${HITS} with ${name}, ${formatCount(storedMessages)} stored`;
      const label = `${path}, p50 against SQLite's FTS5`;
      lines.push(await comparisonLine(label, 10, query, candidate, baseline));
    }
  }
  for (const [name, query] of Object.entries(queries)) {
    const sizes = `${formatCount(MILLION)} stored over ${formatCount(HUNDRED_THOUSAND)}`;
    const label = `newest ${HITS} with ${name}, ${sizes}, p50`;
    lines.push(await comparisonLine(label, 2, query, searchMillion, searchFew));
  }
  await smallRealm.close();
  await large.close();
  return lines;
}

function skeinSearch({ read }: Realm, { people }: Dataset): SearchFunction {
  const user: User = read.users.get(people[SEARCHER]!.user_id)!;
  return (operand) => {
    const messageOf = cachedMessages(read);
    const terms = decodeNarrow([{ operator: "search", operand }]);
    const set = planNarrow(read, user, terms, messageOf);
    return idsBack(set, 0, read.last("messages"), HITS).map((id) => messageOf(id)!.content);
  };
}

function queriesFor(find: SearchFunction): Record<string, string> {
  const words = new Texts().words.filter((word) => word.length >= WORD_LENGTH_MIN);
  const rare = words.findLast((word) => find(word).length > 0)!;
  const [first, second] = words as [string, string];
  return { "a common word": first, "a rare word": rare, "two words": `${first} ${second}` };
}

function sqliteSearch(db: Database, { read }: Realm): SearchFunction {
  db.run("create virtual table texts using fts5(content, tokenize = 'porter unicode61')");
  const insert = db.prepare("insert into texts (rowid, content) values (?, ?)");
  db.transaction(() => {
    for (const { id, content } of read.messages.range()) insert.run(id, content);
  })();
  const select = db.prepare(
    `select content from texts where texts match ? order by rowid desc limit ${HITS}`,
  );
  return (query) => select.values(query);
}

async function comparisonLine(
  label: string,
  target: number,
  query: string,
  candidate: SearchFunction,
  baseline: SearchFunction,
): Promise<Line> {
  const searchTurn = (find: SearchFunction, count: number) => {
    const durations = Array.from({ length: count }, () => {
      const startedAt = performance.now();
      find(query);
      return performance.now() - startedAt;
    });
    return Promise.resolve(median(durations));
  };
  await searchTurn(candidate, WARM_UP);
  await searchTurn(baseline, WARM_UP);
  const results = await measureAlternately(
    ROUNDS,
    () => searchTurn(candidate, SEARCHES),
    () => searchTurn(baseline, SEARCHES),
  );
  return lineAtMost(
    { label, goal: target, unit: "ms" },
    ratioOf(results, (ms) => ms),
  );
}

/** Like a client's request: with complete, highlighted messages. */
async function requestLine(few: Dataset, million: Dataset): Promise<Line> {
  await using smallServer = await startSkein(few.directory);
  await using large = await startSkein(million.directory);
  using load = new Load();
  const common = new Texts().words.find((word) => word.length >= WORD_LENGTH_MIN)!;
  const request = async ({ people }: Dataset, { port }: Server, count: number) => {
    const narrow = [{ operator: "search", operand: common }];
    const params = { anchor: "newest", num_before: HITS, num_after: 0, narrow };
    const requests = [getRequest(people[SEARCHER]!, "/messages", params)];
    return (await load.ask("send", { port, requests, count })).p50_ms;
  };
  await request(million, large, WARM_UP);
  await request(few, smallServer, WARM_UP);
  const results = await measureAlternately(
    ROUNDS,
    () => request(million, large, SEARCHES),
    () => request(few, smallServer, SEARCHES),
  );
  const sizes = `${formatCount(MILLION)} stored over ${formatCount(HUNDRED_THOUSAND)}`;
  const label = `request for the newest ${HITS} with a common word, ${sizes}, p50`;
  return lineAtMost(
    { label, goal: 2, unit: "ms" },
    ratioOf(results, (ms) => ms),
  );
}

const formatCount = (count: number) => count.toLocaleString("en-US");
