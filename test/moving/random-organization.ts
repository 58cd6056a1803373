/** Fills a test server with a random history, and reads all of its state for comparison. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeCommand, configFor } from "../../src/commands/control.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { exportJsonl } from "../../src/features/moving/jsonl/export.ts";
import type { MovingReport } from "../../src/features/moving/report.ts";
import {
  DERIVED_SETS,
  EXPORTED_TABLES,
  type ExportedTable,
} from "../../src/features/moving/jsonl/shapes-rules.ts";
import { type SetLine, setLines } from "../../src/features/moving/jsonl/id-sets.ts";
import type { Reader, Realm } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import { ascending, idOf } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import type { Name } from "../users.ts";
import { chanceOf } from "../store/sample-schema.ts";
import type { Json, TestServer } from "../test-server.ts";
import { striped, upload } from "../features/upload-fixture.ts";

const PEOPLE: Name[] = ["olga", "ada", "mo", "bo", "cy"];
const WORDS =
  "apple river stone lantern @**Bo Member** [link](https://example.com) `code` :tada:".split(" ");

/** Random actions through the API; rejected ones change nothing. */
export async function makeHistory(
  testServer: TestServer,
  seed: number,
  actionCount: number,
): Promise<void> {
  const random = chanceOf(seed);
  const ids: number[] = [];
  const randomWords = () =>
    Array.from({ length: 1 + random.below(8) }, () => random.pick(WORDS)).join(" ");
  const topic = () => random.pick(["news", "plans", "", "✔ done"]);
  const [alpha, beta] = await makeChannels(testServer);
  const send = async (name: Name, params: Json) => {
    const response = (await (await testServer.send(name, "POST /messages", params)).json()) as Json;
    if (response.id) ids.push(response.id);
  };
  const kinds: ((name: Name) => Promise<unknown>)[] = [
    (name) => send(name, { type: "stream", to: alpha, topic: topic(), content: randomWords() }),
    (name) => send(name, { type: "stream", to: beta, topic: topic(), content: randomWords() }),
    (name) =>
      send(name, {
        type: "private",
        to: [testServer.idOf(random.pick(PEOPLE))],
        content: randomWords(),
      }),
    (name) =>
      testServer.send(name, `PATCH /messages/${random.pick(ids)}`, { content: randomWords() }),
    (name) => {
      const moveParams = { topic: topic(), stream_id: random.pick([alpha, beta]) };
      const propagate_mode = random.pick(["change_one", "change_all", "change_later"]);
      return testServer.send(name, `PATCH /messages/${random.pick(ids)}`, {
        ...moveParams,
        propagate_mode,
      });
    },
    (name) => testServer.send(name, `DELETE /messages/${random.pick(ids)}`),
    (name) => {
      const emoji_name = random.pick(["tada", "heart"]);
      return testServer.send(name, `POST /messages/${random.pick(ids)}/reactions`, { emoji_name });
    },
    (name) => {
      const flag = random.pick(["read", "starred"]);
      const messages = Array.from({ length: 5 }, () => random.pick(ids));
      return testServer.send(name, "POST /messages/flags", { messages, op: "add", flag });
    },
    (name) => {
      const visibility_policy = random.below(4);
      const params = { stream_id: alpha, topic: "news", visibility_policy };
      return testServer.send(name, "POST /user_topics", params);
    },
    (name) => testServer.send(name, "DELETE /users/me/subscriptions", { subscriptions: ["beta"] }),
    (name) =>
      testServer.send(name, "POST /users/me/subscriptions", { subscriptions: [{ name: "beta" }] }),
  ];
  for (let count = 0; count < actionCount; count++) await random.pick(kinds)(random.pick(PEOPLE));
  await createRecords(testServer, alpha, send);
}

/** Creates two channels that all users can join, and one of each other kind. */
async function makeChannels(testServer: TestServer): Promise<[alpha: number, beta: number]> {
  const subscriptions = [{ name: "alpha" }, { name: "beta" }];
  await testServer.request("olga", "POST /users/me/subscriptions", {
    subscriptions,
    principals: [],
  });
  const { stream_id: alpha } = await testServer.request("olga", "GET /get_stream_id", {
    stream: "alpha",
  });
  const { stream_id: beta } = await testServer.request("olga", "GET /get_stream_id", {
    stream: "beta",
  });
  for (const name of PEOPLE) {
    const invite_only = name === "mo";
    const own = [{ name: "alpha" }, { name: "beta" }, { name: `of ${name}` }];
    await testServer.request(name, "POST /users/me/subscriptions", {
      subscriptions: own,
      invite_only,
    });
  }
  return [alpha, beta];
}

/** Creates one of each kind of object that users own. */
async function createRecords(
  testServer: TestServer,
  alpha: number,
  send: (name: Name, params: Json) => Promise<void>,
): Promise<void> {
  const uri = await upload(testServer, "bo", { name: "plan.png", bytes: striped(40, 30) });
  await send("bo", { type: "stream", to: alpha, topic: "files", content: `[plan](${uri})` });
  await send("bo", { type: "stream", to: alpha, topic: "poll", content: "/poll Lunch?\nyes\nno" });
  const drafts = [{ type: "stream", to: [alpha], topic: "x", content: "draft" }];
  await testServer.request("bo", "POST /drafts", { drafts });
  await testServer.request("bo", "POST /saved_snippets", {
    title: "hello",
    content: "Hello there",
  });
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["lantern"] });
  await testServer.request("bo", "POST /users/me/status", { status_text: "away" });
  await testServer.request("bo", `POST /users/me/muted_users/${testServer.idOf("cy")}`);
  await testServer.request("bo", "PATCH /settings", { enter_sends: true });
  const deliveryTime = Math.floor(testServer.clock.now() / 1000) + 86_400;
  const scheduled = { type: "stream", to: alpha, topic: "later", content: "Later" };
  const scheduled_delivery_timestamp = deliveryTime;
  await testServer.request("bo", "POST /scheduled_messages", {
    ...scheduled,
    scheduled_delivery_timestamp,
  });
  const members = [testServer.idOf("bo"), testServer.idOf("cy")];
  await testServer.request("olga", "POST /user_groups/create", {
    name: "team",
    description: "",
    members,
  });
  await testServer.request("olga", "POST /realm/profile_fields", {
    name: "Pronouns",
    field_type: 1,
  });
  await send("ada", {
    type: "stream",
    to: alpha,
    topic: "news",
    content: "Hi @*team* and @**all**",
  });
}

/** Sends many messages in few transactions. */
export async function makeMessages(testServer: TestServer, count: number): Promise<void> {
  const { stream_id } = await testServer.request("olga", "GET /get_stream_id", { stream: "alpha" });
  for (let from = 0; from < count; from += 250) {
    await testServer.realm.write((tx) => {
      const [sender, channel] = [tx.users.get(testServer.idOf("bo"))!, tx.channels.get(stream_id)!];
      for (let index = from; index < from + 250; index++) {
        sendMessage(
          tx,
          sender,
          { ...channel, topic: `t${index % 20}` } as never,
          `number ${index}`,
        );
      }
    });
  }
}

/** Replaces the first occurrence of a text in a file of an export. */
export function replaceInFile(folder: string, name: string, before: string, after: string): void {
  const path = join(folder, name);
  const text = readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Error(`${name} has no ${before}`);
  writeFileSync(path, text.replace(before, after));
}

/** Reads a directory that no server is running on. */
export async function withRealm<T>(data: string, inspect: (realm: Realm) => T): Promise<T> {
  const realm = await openRunning(configFor(data));
  try {
    return inspect(realm);
  } finally {
    await realm.close();
  }
}

/** Exports the organization, imports it into a new directory, and replaces the original with it. */
export async function moveThroughJsonl(testServer: TestServer): Promise<MovingReport[]> {
  const { data } = testServer.realm.config;
  const folder = testServer.directory;
  const from = join(folder, "moved");
  const exported = await exportJsonl(testServer.realm, from);
  await testServer.stop();
  const imported = await executeCommand(join(folder, "new"), "runImport", { from });
  renameSync(data, join(folder, "old"));
  renameSync(join(folder, "new"), data);
  await testServer.start();
  return [exported, imported];
}

const NARROW_ALL = { anchor: "newest", num_before: 5_000, num_after: 0, apply_markdown: false };
/** Fields that differ for each process or queue. */
const RUN_FIELDS = ["queue_id", "last_event_id", "server_timestamp", "server_generation"];

/** Returns each user's view: the register snapshot, all messages with flags, and searches. */
export async function visibleTo(
  testServer: TestServer,
  names: readonly Name[] = PEOPLE,
): Promise<Json> {
  const state: Json = {};
  for (const name of names) {
    const snapshot = await testServer.request(name, "POST /register", {});
    for (const field of RUN_FIELDS) delete snapshot[field];
    const { messages } = await testServer.request(name, "GET /messages", NARROW_ALL);
    const found: Json = {};
    for (const operand of ["lantern", "code", "apple river"]) {
      const narrow = [{ operator: "search", operand }];
      const response = await testServer.request(name, "GET /messages", { ...NARROW_ALL, narrow });
      found[operand] = response.messages.map(({ id }: Json) => id);
    }
    state[name] = { snapshot, messages, found };
  }
  return state;
}

/** Returns every exported row and set, and the sets that an import derives. */
export function storedIn(read: Reader): Json {
  const state: Json = {};
  for (const table of EXPORTED_TABLES)
    if (table !== "presences") state[table] = rowsIn(read, table);
  state.sets = [...setLines(read)] satisfies SetLine[];
  for (const set of DERIVED_SETS) {
    if (set === "search_gone" || set === "topic_parts") continue;
    for (let key = 0; key < 100; key++) {
      for (const chunk of read[set].chunks([key])) {
        const bytes = read[set].chunk([key], chunk);
        state[`${set} ${key} ${chunk}`] = ascending(decodeChunk(bytes), idOf(chunk, 0));
      }
    }
  }
  return state;
}

/** Omits encrypted values, which differ each time, and times of a key's last use. */
function rowsIn(read: Reader, table: ExportedTable): string[] {
  const rows = [...read[table].range()].map((row) => {
    return JSON.stringify({ ...row, sealed: undefined, last_used: undefined });
  });
  return rows.sort();
}
