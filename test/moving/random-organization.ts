/** Fills a test server with a random history, and reads all of its state for comparison. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut, configFor } from "../../src/commands/control.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { exportJsonl } from "../../src/features/moving/jsonl/export.ts";
import type { MovingReport } from "../../src/features/moving/report.ts";
import {
  DERIVED_SETS,
  EXPORTED_TABLES,
  type ExportedTable,
} from "../../src/features/moving/jsonl/shapes-rules.ts";
import { type SetLine, setLines } from "../../src/features/moving/jsonl/sets.ts";
import type { Reader, Realm } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import { ascending, idOf } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/forms.ts";
import type { Name } from "../cast.ts";
import { chanceOf } from "../store/sample.ts";
import type { Json, Town } from "../town.ts";
import { striped, upload } from "../features/uploading.ts";

const PEOPLE: Name[] = ["olga", "ada", "mo", "bo", "cy"];
const WORDS =
  "apple river stone lantern @**Bo Member** [link](https://example.com) `code` :tada:".split(" ");

/** Random acts over the API; refused ones change nothing. */
export async function makeHistory(town: Town, seed: number, acts: number): Promise<void> {
  const chance = chanceOf(seed);
  const ids: number[] = [];
  const words = () =>
    Array.from({ length: 1 + chance.below(8) }, () => chance.pick(WORDS)).join(" ");
  const topic = () => chance.pick(["news", "plans", "", "✔ done"]);
  const subscriptions = [{ name: "alpha" }, { name: "beta" }];
  await town.ask("olga", "POST /users/me/subscriptions", { subscriptions, principals: [] });
  const { stream_id: alpha } = await town.ask("olga", "GET /get_stream_id", { stream: "alpha" });
  const { stream_id: beta } = await town.ask("olga", "GET /get_stream_id", { stream: "beta" });
  for (const name of PEOPLE) {
    const invite_only = name === "mo";
    const own = [{ name: "alpha" }, { name: "beta" }, { name: `of ${name}` }];
    await town.ask(name, "POST /users/me/subscriptions", { subscriptions: own, invite_only });
  }
  const send = async (name: Name, params: Json) => {
    const answer = (await (await town.send(name, "POST /messages", params)).json()) as Json;
    if (answer.id) ids.push(answer.id);
  };
  const kinds: ((name: Name) => Promise<unknown>)[] = [
    (name) => send(name, { type: "stream", to: alpha, topic: topic(), content: words() }),
    (name) => send(name, { type: "stream", to: beta, topic: topic(), content: words() }),
    (name) =>
      send(name, { type: "private", to: [town.idOf(chance.pick(PEOPLE))], content: words() }),
    (name) => town.send(name, `PATCH /messages/${chance.pick(ids)}`, { content: words() }),
    (name) => {
      const moved = { topic: topic(), stream_id: chance.pick([alpha, beta]) };
      const propagate_mode = chance.pick(["change_one", "change_all", "change_later"]);
      return town.send(name, `PATCH /messages/${chance.pick(ids)}`, { ...moved, propagate_mode });
    },
    (name) => town.send(name, `DELETE /messages/${chance.pick(ids)}`),
    (name) => {
      const emoji_name = chance.pick(["tada", "heart"]);
      return town.send(name, `POST /messages/${chance.pick(ids)}/reactions`, { emoji_name });
    },
    (name) => {
      const flag = chance.pick(["read", "starred"]);
      const messages = Array.from({ length: 5 }, () => chance.pick(ids));
      return town.send(name, "POST /messages/flags", { messages, op: "add", flag });
    },
    (name) => {
      const visibility_policy = chance.below(4);
      const params = { stream_id: alpha, topic: "news", visibility_policy };
      return town.send(name, "POST /user_topics", params);
    },
    (name) => town.send(name, "DELETE /users/me/subscriptions", { subscriptions: ["beta"] }),
    (name) =>
      town.send(name, "POST /users/me/subscriptions", { subscriptions: [{ name: "beta" }] }),
  ];
  for (let act = 0; act < acts; act++) await chance.pick(kinds)(chance.pick(PEOPLE));
  await makeBelongings(town, alpha, send);
}

/** One of everything that users own. */
async function makeBelongings(
  town: Town,
  alpha: number,
  send: (name: Name, params: Json) => Promise<void>,
): Promise<void> {
  const uri = await upload(town, "bo", { name: "plan.png", bytes: striped(40, 30) });
  await send("bo", { type: "stream", to: alpha, topic: "files", content: `[plan](${uri})` });
  await send("bo", { type: "stream", to: alpha, topic: "poll", content: "/poll Lunch?\nyes\nno" });
  const drafts = [{ type: "stream", to: [alpha], topic: "x", content: "draft" }];
  await town.ask("bo", "POST /drafts", { drafts });
  await town.ask("bo", "POST /saved_snippets", { title: "hello", content: "Hello there" });
  await town.ask("bo", "POST /users/me/alert_words", { alert_words: ["lantern"] });
  await town.ask("bo", "POST /users/me/status", { status_text: "away" });
  await town.ask("bo", `POST /users/me/muted_users/${town.idOf("cy")}`);
  await town.ask("bo", "PATCH /settings", { enter_sends: true });
  const soon = Math.floor(town.clock.now() / 1000) + 86_400;
  const scheduled = { type: "stream", to: alpha, topic: "later", content: "Later" };
  const scheduled_delivery_timestamp = soon;
  await town.ask("bo", "POST /scheduled_messages", { ...scheduled, scheduled_delivery_timestamp });
  const members = [town.idOf("bo"), town.idOf("cy")];
  await town.ask("olga", "POST /user_groups/create", { name: "team", description: "", members });
  await town.ask("olga", "POST /realm/profile_fields", { name: "Pronouns", field_type: 1 });
  await send("ada", {
    type: "stream",
    to: alpha,
    topic: "news",
    content: "Hi @*team* and @**all**",
  });
}

/** Many messages in few transactions. */
export async function makeMessages(town: Town, count: number): Promise<void> {
  const { stream_id } = await town.ask("olga", "GET /get_stream_id", { stream: "alpha" });
  for (let from = 0; from < count; from += 250) {
    await town.realm.write((tx) => {
      const [sender, channel] = [tx.users.get(town.idOf("bo"))!, tx.channels.get(stream_id)!];
      for (let at = from; at < from + 250; at++) {
        sendMessage(tx, sender, { ...channel, topic: `t${at % 20}` } as never, `number ${at}`);
      }
    });
  }
}

/** Changes a file of an export once. */
export function replaced(folder: string, name: string, before: string, after: string): void {
  const path = join(folder, name);
  const text = readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Error(`${name} has no ${before}`);
  writeFileSync(path, text.replace(before, after));
}

/** Reads a directory that no server runs on. */
export async function opensOn<T>(data: string, look: (realm: Realm) => T): Promise<T> {
  const realm = await openRunning(configFor(data));
  try {
    return look(realm);
  } finally {
    await realm.close();
  }
}

/** Exports the organization, imports it into a new directory, and puts that into its place. */
export async function moveThroughJsonl(town: Town): Promise<MovingReport[]> {
  const { data } = town.realm.config;
  const folder = town.directory;
  const from = join(folder, "moved");
  const exported = await exportJsonl(town.realm, from);
  await town.stop();
  const imported = await carryOut(join(folder, "new"), "runImport", { from });
  renameSync(data, join(folder, "old"));
  renameSync(join(folder, "new"), data);
  await town.start();
  return [exported, imported];
}

const NARROW_ALL = { anchor: "newest", num_before: 5_000, num_after: 0, apply_markdown: false };
/** Of the process or of the queue. */
const OF_THE_RUN = ["queue_id", "last_event_id", "server_timestamp", "server_generation"];

/** What each user sees: the register snapshot, all messages with flags, and searches. */
export async function seenBy(town: Town, names: readonly Name[] = PEOPLE): Promise<Json> {
  const seen: Json = {};
  for (const name of names) {
    const snapshot = await town.ask(name, "POST /register", {});
    for (const field of OF_THE_RUN) delete snapshot[field];
    const { messages } = await town.ask(name, "GET /messages", NARROW_ALL);
    const found: Json = {};
    for (const operand of ["lantern", "code", "apple river"]) {
      const narrow = [{ operator: "search", operand }];
      const answer = await town.ask(name, "GET /messages", { ...NARROW_ALL, narrow });
      found[operand] = answer.messages.map(({ id }: Json) => id);
    }
    seen[name] = { snapshot, messages, found };
  }
  return seen;
}

/** Every exported row and set, and the sets that an import derives. */
export function storedIn(read: Reader): Json {
  const stored: Json = {};
  for (const table of EXPORTED_TABLES)
    if (table !== "presences") stored[table] = rowsIn(read, table);
  stored.sets = [...setLines(read)] satisfies SetLine[];
  for (const set of DERIVED_SETS) {
    if (set === "search_gone" || set === "topic_parts") continue;
    for (let key = 0; key < 100; key++) {
      for (const chunk of read[set].chunks([key])) {
        const bytes = read[set].chunk([key], chunk);
        stored[`${set} ${key} ${chunk}`] = ascending(decodeChunk(bytes), idOf(chunk, 0));
      }
    }
  }
  return stored;
}

/** Seals differ each time, and a first use of a key is remembered. */
function rowsIn(read: Reader, table: ExportedTable): string[] {
  const rows = [...read[table].range()].map((row) => {
    return JSON.stringify({ ...row, sealed: undefined, last_used: undefined });
  });
  return rows.sort();
}
