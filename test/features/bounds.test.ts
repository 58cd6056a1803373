// Limits per user, which apply to every kind of request.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { tooMany, tooMuch } from "../../src/contract/errors/channels.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import { BOTS_PER_OWNER_MAX } from "../../src/features/bots/rules.ts";
import { CHANNELS_PER_CREATOR_MAX } from "../../src/features/channels/rules.ts";
import { DRAFTS_MAX } from "../../src/features/drafts/rules.ts";
import { GROUPS_PER_CREATOR_MAX } from "../../src/features/groups/rules.ts";
import { LIST_LENGTH_MAX } from "../../src/features/messages/list-limits.ts";
import { QUEUE_NARROW_TERMS_MAX } from "../../src/features/messages/send/queue-narrow.ts";
import { MUTED_USERS_MAX } from "../../src/features/mutes/rules.ts";
import { REMINDERS_MAX } from "../../src/features/reminders/rules.ts";
import { SCHEDULED_MESSAGES_MAX } from "../../src/features/scheduled/rules.ts";
import { SNIPPETS_MAX } from "../../src/features/snippets/rules.ts";
import { TOPIC_POLICIES_MAX } from "../../src/features/topics/rules.ts";
import type { Writer } from "../../src/realm.ts";
import { tables } from "../../src/schema/schema.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
let message_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "own", subscribers: [] })
  ).id;
  const message = { type: "direct", to: [testServer.idOf("bo")], content };
  message_id = (await testServer.request("bo", "POST /messages", message)).id;
});
afterEach(() => testServer.close());

async function expectRefused(refusal: Refusal, line: string, params: Params) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused("bo", line, params)).toMatchObject({ status, code, msg });
}

const FAR_FUTURE = 4_000_000_000;
const content = "words";

interface Kind {
  label: string;
  limit: number;
  lineNumbered: string;
  /** Parameters of the nth object, which contain the number. */
  params: (n: number) => Params;
  /** Adds that many rows like the existing one. */
  fill: (tx: Writer, count: number) => void;
}

/** Returns copies of the last row with other ids. */
function copies<R extends object>(rows: Iterable<R>, count: number, numbered: keyof R) {
  const last = [...rows].at(-1)!;
  return Array.from({ length: count }, (_, index) => ({ ...last, [numbered]: 1_000_000 + index }));
}

const KINDS: Record<string, Kind> = {
  drafts: {
    label: "drafts",
    limit: DRAFTS_MAX,
    lineNumbered: "POST /drafts",
    params: () => ({ drafts: [{ type: "", to: [], topic: "", content }] }),
    fill: (tx, count) => {
      for (const row of copies(tx.drafts.range(), count, "draft_id")) tx.drafts.put(row);
    },
  },
  saved_snippets: {
    label: "saved snippets",
    limit: SNIPPETS_MAX,
    lineNumbered: "POST /saved_snippets",
    params: () => ({ title: "x", content }),
    fill: (tx, count) => {
      const rows = copies(tx.saved_snippets.range(), count, "saved_snippet_id");
      for (const row of rows) tx.saved_snippets.put(row);
    },
  },
  scheduled_messages: {
    label: "scheduled messages",
    limit: SCHEDULED_MESSAGES_MAX,
    lineNumbered: "POST /scheduled_messages",
    params: () => ({
      ...{ type: "direct", to: [testServer.idOf("cy")], content },
      scheduled_delivery_timestamp: FAR_FUTURE,
    }),
    fill: (tx, count) => {
      const rows = copies(tx.scheduled_messages.range(), count, "scheduled_message_id");
      for (const row of rows) tx.scheduled_messages.put(row);
    },
  },
  reminders: {
    label: "reminders",
    limit: REMINDERS_MAX,
    lineNumbered: "POST /reminders",
    params: () => ({ message_id, scheduled_delivery_timestamp: FAR_FUTURE }),
    fill: (tx, count) => {
      for (const row of copies(tx.reminders.range(), count, "reminder_id")) tx.reminders.put(row);
    },
  },
  user_topics: {
    label: "topic policies",
    limit: TOPIC_POLICIES_MAX,
    lineNumbered: "POST /user_topics",
    params: (n) => ({ stream_id, topic: `t${n}`, visibility_policy: 3 }),
    fill: (tx, count) => {
      for (const row of copies(tx.user_topics.range(), count, "folded")) {
        tx.user_topics.put({ ...row, folded: `${row.folded}` });
      }
    },
  },
  muted_users: {
    label: "muted people",
    limit: MUTED_USERS_MAX,
    lineNumbered: "POST /users/me/muted_users/{n}",
    params: () => ({}),
    fill: (tx, count) => {
      const rows = copies(tx.muted_users.range(), count, "muted_user_id");
      for (const row of rows) tx.muted_users.put(row);
    },
  },
  users: {
    label: "bots of one owner",
    limit: BOTS_PER_OWNER_MAX,
    lineNumbered: "POST /bots",
    params: (n) => ({ full_name: `Bot ${n}`, short_name: `bot${n}` }),
    fill: (tx, count) => {
      const bot = tx.users.listBy("owner", testServer.idOf("bo"))[0]!;
      for (const user of copies([bot], count - 1, "user_id")) {
        tx.users.put({ ...user, delivery_email: `${user.user_id}@x`, is_active: false });
      }
    },
  },
  groups: {
    label: "groups created by one user",
    limit: GROUPS_PER_CREATOR_MAX,
    lineNumbered: "POST /user_groups/create",
    params: (n) => ({ name: `group ${n}`, description: "", members: [] }),
    fill: (tx, count) => {
      for (const row of copies(tx.groups.range(), count, "id")) {
        tx.groups.put({ ...row, name: `${row.id}`, deactivated: true });
      }
    },
  },
  channels: {
    label: "channels created by one user",
    limit: CHANNELS_PER_CREATOR_MAX,
    lineNumbered: "POST /channels/create",
    params: (n) => ({ name: `channel ${n}`, subscribers: [] }),
    fill: (tx, count) => {
      for (const row of copies(tx.channels.range(), count - 1, "stream_id")) {
        tx.channels.put({ ...row, name: `${row.stream_id}`, is_archived: true });
      }
    },
  },
};

/** Other tables with a user's rows, and why the user cannot grow them without limit. */
const OTHER_BOUNDS: Record<string, string> = {
  group_members: "as many as there are groups",
  subscriptions: "as many as there are channels",
  queues: "end by themselves",
  audit_parts: "at most two of each act that is written down, and read in pages",
  sends: "forgotten by themselves",
  attachments: "the quota of uploads",
  resumable_uploads: "a number of its own, and purged",
  api_keys: "one more drives out the one that was unused longest",
  sessions: "one more ends the one that was unused longest",
  devices: "one more drives out another",
  push_tokens: "one more drives out another",
  push_subscriptions: "a number of its own",
  profile_values: "as many as there are fields",
  passkeys: "a number of its own",
  recovery_codes: "made by the server, a set of them",
  bot_storage: "a size of its own",
  webhook_calls: "so many wait",
  pushed_messages: "so many are kept",
  alert_words: "a number of its own",
};

test("limits everything of which a user can have many", () => {
  const ofPeople = Object.entries(tables).filter(([, table]) => {
    const { key, indexes } = table as { key: readonly string[]; indexes: object };
    const isKeyed = key[0] === "user_id" && key.length > 1;
    return isKeyed || ["user", "owner"].some((name) => name in indexes);
  });
  const boundedTables = [...Object.keys(KINDS), ...Object.keys(OTHER_BOUNDS)];
  const names = ofPeople.map(([name]) => name);
  expect(names.filter((name) => !boundedTables.includes(name))).toEqual([]);
});

test.each(Object.entries(KINDS))("%s: as many as may be, and no more", async (_, kind) => {
  const { label: items, limit, params, fill } = kind;
  const lineNumbered = (n: number) => kind.lineNumbered.replace("{n}", `${n}`);
  await testServer.request("bo", lineNumbered(testServer.idOf("cy")), params(0));
  await testServer.realm.write((tx) => fill(tx, limit - 2));
  await testServer.request("bo", lineNumbered(testServer.idOf("mo")), params(1));
  await expectRefused(tooMany(items, limit), lineNumbered(testServer.idOf("ada")), params(2));
});

test("limits what users store to what fits in one response", async () => {
  const requestAsMo = async (line: string, params: Params): Promise<Json> =>
    (await testServer.send("mo", line, params)).json();
  const length = 10_000;
  const draft = { type: "", to: [], topic: "", content: "x".repeat(length) };
  const manyDrafts = Array.from({ length: 50 }, () => draft);
  for (let index = 0; index < LIST_LENGTH_MAX / length / 50; index++)
    await requestAsMo("POST /drafts", { drafts: manyDrafts });
  const refusal = tooMuch("drafts", LIST_LENGTH_MAX);
  const short = { ...draft, content: "x" };
  expect(await requestAsMo("POST /drafts", { drafts: [short] })).toMatchObject({
    msg: refusal.message,
  });
  const { drafts } = await requestAsMo("GET /drafts", {});
  expect(drafts).toHaveLength(LIST_LENGTH_MAX / length);
  await requestAsMo(`DELETE /drafts/${drafts[0].id}`, {});
  const { ids } = await requestAsMo("POST /drafts", { drafts: [short, short] });
  const longer = `PATCH /drafts/${ids[0]}`;
  expect(await requestAsMo(longer, { draft })).toMatchObject({ msg: refusal.message });
  await requestAsMo(`DELETE /drafts/${ids[1]}`, {});
  expect(await requestAsMo(longer, { draft })).toMatchObject({ result: "success" });
});

test("follows no topics automatically beyond the limit, without an event", async () => {
  const { lineNumbered: line, params, fill, limit } = KINDS["user_topics"]!;
  await testServer.request("bo", line, params(0));
  await testServer.realm.write((tx) => fill(tx, limit - 1));
  const message = { type: "stream", to: stream_id, topic: "unheard of", content };
  const response = await testServer.request("bo", "POST /messages", message);
  expect(response.automatic_new_visibility_policy).toBeUndefined();
  expect(testServer.realm.read.user_topics.countBy("user", testServer.idOf("bo"))).toBe(
    TOPIC_POLICIES_MAX,
  );
});

test("limits the number of terms and characters in the narrow of a queue", async () => {
  const terms = (count: number) => Array.from({ length: count }, () => ["topic", "x"]);
  await testServer.request("bo", "POST /register", { narrow: terms(QUEUE_NARROW_TERMS_MAX) });
  const refusal = tooMany("terms in the narrow of a queue", QUEUE_NARROW_TERMS_MAX);
  await expectRefused(refusal, "POST /register", { narrow: terms(QUEUE_NARROW_TERMS_MAX + 1) });
  const long = { narrow: [["topic", "x".repeat(1_001)]] };
  expect((await testServer.refused("bo", "POST /register", long)).status).toBe(400);
});

test("evaluates each term of a queue's narrow once, with a normalized topic", async () => {
  const spellings = ["\u00c9t\u00e9", "e\u0301te\u0301", `\u00c9t\u00e9${"\u200b".repeat(900)}`];
  const narrow = [...spellings.map((topic) => ["topic", topic]), ["stream", "own"]];
  const listener = await testServer.listen("bo", { narrow, event_types: '["message"]' });
  const [queue] = testServer.realm.hub.of(testServer.idOf("bo"));
  expect(queue!.record.narrow.map(([, operand]) => operand)).toEqual(["\u00c9t\u00e9", "own"]);
  for (const topic of ["winter", "\u00e9T\u00c9"]) {
    const message = { type: "stream", to: stream_id, topic, content: topic };
    await testServer.request("bo", "POST /messages", message);
  }
  const events = await listener.takeAll();
  expect(events.map(({ message }: Json) => message.content)).toEqual(["\u00e9T\u00c9"]);
});
