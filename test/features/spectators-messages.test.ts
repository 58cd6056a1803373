// Spectators can read messages, topics and files of web-public channels.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { read, striped, upload } from "./upload-fixture.ts";

let testServer: TestServer;
const channels = new Map<string, number>();
const details = new Map<string, number>();

const post = async (
  requester: Name,
  to: string,
  topic: string,
  content: string,
): Promise<number> => {
  const params = { type: "channel", to, topic, content };
  return (await testServer.request(requester, "POST /messages", params)).id;
};

/** Messages named by their text: one in each channel, more in the web-public one. */
async function openWeb(): Promise<void> {
  testServer = await startTestServer();
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const kinds = {
    square: { is_web_public: true },
    market: { is_web_public: true },
    hall: {},
    shed: { invite_only: true, history_public_to_subscribers: true },
    den: { invite_only: true },
  };
  const subscribers = [testServer.idOf("bo"), testServer.idOf("cy")];
  for (const [name, kind] of Object.entries(kinds)) {
    const created = await testServer.request("olga", "POST /channels/create", {
      name,
      subscribers,
      ...kind,
    });
    channels.set(name, created.id);
    details.set(name, await post("bo", name, "tea", `pear ${name}`));
  }
  details.set("linked", await post("cy", "square", "milk", "plum https://example.org/"));
  details.set("done", await post("cy", "market", "✔ milk", "plum"));
  details.set("nameless", await post("cy", "market", "", "fig"));
  const to = [testServer.idOf("bo")];
  const direct = { type: "direct", to, content: "pear" };
  details.set("direct", (await testServer.request("cy", "POST /messages", direct)).id);
  const tada = { emoji_name: "tada" };
  await testServer.request("cy", `POST /messages/${details.get("square")}/reactions`, tada);
  await testServer.request("bo", "POST /messages/flags", {
    messages: ids("square"),
    op: "add",
    flag: "starred",
  });
}

const ids = (...words: string[]) => words.map((word) => details.get(word)!).sort((a, b) => a - b);
const term = (operator: string, operand: unknown, negated = false) => ({
  operator,
  operand,
  negated,
});
const WEB = term("channels", "web-public");
const PUBLIC_CHANNELS = ["square", "market", "linked", "done", "nameless"];
const NEWEST_WINDOW = { anchor: "newest", num_before: 100, num_after: 0 };

const fetchMessages = (name: Name | null, narrow: Json[], params: Params = {}) =>
  testServer.request(name, "GET /messages", { ...NEWEST_WINDOW, narrow, ...params });
const idsOf = ({ messages }: Json): number[] => messages.map(({ id }: Json) => id);
const findIds = async (...terms: Json[]) => idsOf(await fetchMessages(null, [WEB, ...terms]));

describe("reading, with a shared test server:", () => {
  beforeAll(openWeb);
  afterAll(() => testServer?.close());

  test("a spectator finds web-public messages and nothing else", async () => {
    expect(await findIds()).toEqual(ids(...PUBLIC_CHANNELS));
    expect(await findIds(term("in", "home"))).toEqual(ids(...PUBLIC_CHANNELS));
    expect(await findIds(term("channel", "square"))).toEqual(ids("square", "linked"));
    expect(await findIds(term("stream", channels.get("square"), true))).toEqual(
      ids("market", "done", "nameless"),
    );
    expect(await findIds(term("channels", "public"))).toEqual(ids(...PUBLIC_CHANNELS));
    expect(await findIds(term("topic", "TEA"))).toEqual(ids("square", "market"));
    expect(await findIds(term("channel", "market"), term("topic", ""))).toEqual(ids("nameless"));
    expect(await findIds(term("sender", testServer.idOf("bo")))).toEqual(ids("square", "market"));
    expect(await findIds(term("has", "link"))).toEqual(ids("linked"));
    expect(await findIds(term("has", "reaction"))).toEqual(ids("square"));
    expect(await findIds(term("search", "pear"))).toEqual(ids("square", "market"));
    expect(await findIds(term("near", details.get("hall")))).toEqual(ids(...PUBLIC_CHANNELS));
    expect(await findIds(term("id", details.get("market")))).toEqual(ids("market"));
    expect(await findIds(term("is", "resolved"))).toEqual(ids("done"));
    expect(await findIds(term("with", details.get("linked")))).toEqual(ids("linked"));
  });

  test("hidden messages match no narrow", async () => {
    for (const word of ["hall", "shed", "den", "direct"]) {
      expect(await findIds(term("id", details.get(word)))).toEqual([]);
      const { desc } = await testServer.refused(null, "GET /messages", {
        ...NEWEST_WINDOW,
        narrow: [WEB, term("with", details.get(word))],
      });
      expect(desc).toBe("Invalid 'with' operator");
      const location = [term("channel", "square"), term("topic", "tea")];
      expect(await findIds(...location, term("with", details.get(word)))).toEqual(ids("square"));
    }
    const all = [...details.values()];
    const response = await testServer.request(null, "GET /messages", {
      narrow: [WEB],
      message_ids: all,
    });
    expect(idsOf(response)).toEqual(ids(...PUBLIC_CHANNELS));
  });

  test.each([
    ["hall", "unknown web-public channel hall"],
    ["den", "unknown web-public channel den"],
    ["nowhere", "unknown web-public channel nowhere"],
  ])("rejects a spectator's request for the channel %s", async (name, desc) => {
    for (const operand of [name, channels.get(name) ?? 9999]) {
      const narrow = [WEB, term("channel", operand)];
      const refusal = await testServer.refused(null, "GET /messages", { ...NEWEST_WINDOW, narrow });
      const shown = desc.replace(name, String(operand));
      expect(refusal).toMatchObject({ status: 400, code: "BAD_NARROW", desc: shown });
    }
  });

  test("a sender is not found by email address", async () => {
    const narrow = [WEB, term("sender", "bo@example.com")];
    const { desc } = await testServer.refused(null, "GET /messages", { ...NEWEST_WINDOW, narrow });
    expect(desc).toBe("unknown user bo@example.com");
    const shown = term("sender", `user${testServer.idOf("bo")}@127.0.0.1`);
    expect(await findIds(shown)).toEqual(ids("square", "market"));
  });

  const PERSONAL: [string, Json[]][] = [
    ["nothing", []],
    ["a channel alone", [term("channel", "square")]],
    ["public channels", [term("channels", "public")]],
    ["all but the web", [term("channels", "web-public", true)]],
    ["what is not muted", [term("in", "home")]],
    ["what is not muted, turned round", [WEB, term("in", "home", true)]],
    ["everything", [WEB, term("in", "all")]],
    ["direct messages", [WEB, term("is", "dm")]],
    ["a conversation", [WEB, term("dm", [1])]],
    ["conversations with a user", [WEB, term("dm-including", 1)]],
    ["groups with a user", [WEB, term("group-pm-with", 1)]],
    ["mentions of a user", [WEB, term("mentions", 1)]],
    ...["starred", "unread", "mentioned", "alerted", "followed", "muted", "dm", "loud"].map(
      (label): [string, Json[]] => [`what is ${label}`, [WEB, term("is", label)]],
    ),
  ];
  test.each(PERSONAL)(
    "spectatorsNotAllowed is returned to a spectator who requests %s",
    async (_, narrow) => {
      const refusal = await testServer.refused(null, "GET /messages", { ...NEWEST_WINDOW, narrow });
      const { errCode: code, message: msg } = errors.spectatorsNotAllowed();
      expect(refusal).toMatchObject({ status: 401, code, msg });
    },
  );

  test("shows a match", async () => {
    const { messages } = await fetchMessages(null, [WEB, term("search", "plum")]);
    expect(messages[0].match_content).toContain('<span class="highlight">plum</span>');
  });

  test("there is no first unread message for a spectator", async () => {
    const params = { anchor: "first_unread", num_before: 1, num_after: 5 };
    const response = await fetchMessages(null, [WEB], params);
    expect(response).toMatchObject({ anchor: 10_000_000_000_000_000, found_newest: true });
    expect(idsOf(response)).toEqual(ids("nameless"));
  });

  test("a message that is not web-public is answered like a missing one", async () => {
    const refusal = errors.spectatorsNotAllowed();
    for (const id of [...ids("hall", "shed", "den", "direct"), 99_999]) {
      expect(await testServer.refused(null, `GET /messages/${id}`)).toMatchObject({
        status: 401,
        code: refusal.errCode,
        msg: refusal.message,
      });
    }
    const line = `GET /messages/${details.get("square")}`;
    for (const inner of ["history", "read_receipts"]) {
      expect(await testServer.refused(null, `${line}/${inner}`)).toMatchObject({ status: 401 });
    }
  });

  test("a spectator gets web-public topics, newest first", async () => {
    const topics = (name: string) => `GET /users/me/${channels.get(name) ?? 9999}/topics`;
    const { topics: market } = await testServer.request(null, topics("market"));
    expect(market).toEqual([
      { name: "general chat", max_id: details.get("nameless") },
      { name: "✔ milk", max_id: details.get("done") },
      { name: "tea", max_id: details.get("market") },
    ]);
    const { message: msg } = channelErrors.channelNotFound();
    for (const name of ["hall", "shed", "den", "nowhere"]) {
      expect(await testServer.refused(null, topics(name))).toMatchObject({ status: 400, msg });
    }
  });

  test("channels:web-public matches received messages of users too", async () => {
    expect(idsOf(await fetchMessages("bo", [WEB]))).toEqual(
      expect.arrayContaining(ids(...PUBLIC_CHANNELS)),
    );
    expect(idsOf(await fetchMessages("ada", [WEB]))).toEqual([]);
    const inSquare = [WEB, term("channel", "square")];
    expect(idsOf(await fetchMessages("gus", inSquare))).toEqual(ids("square", "linked"));
  });
});

describe("changing, each with its own test server:", () => {
  beforeEach(openWeb);
  afterEach(() => testServer.close());

  test("spectators can read messages without email addresses", async () => {
    await testServer.realm.write((tx) => {
      const bo = tx.users.get(testServer.idOf("bo"))!;
      tx.users.put({ ...bo, avatar_source: "G" });
    });
    const id = details.get("square");
    const [message] = (await fetchMessages(null, [WEB, term("id", id)], { client_gravatar: true }))
      .messages;
    const first = await testServer.request(null, `GET /messages/${id}`, { apply_markdown: false });
    const sender = {
      sender_email: `user${testServer.idOf("bo")}@127.0.0.1`,
      sender_full_name: "Bo Member",
      flags: ["read"],
      reactions: [{ emoji_name: "tada", user_id: testServer.idOf("cy") }],
    };
    expect(message).toMatchObject({ ...sender, content: "<p>pear square</p>" });
    expect(first).toMatchObject({ message: sender, raw_content: "pear square" });
    for (const { avatar_url } of [message, first.message]) {
      expect(avatar_url).toStartWith("/user_avatars/generated/");
    }
    const own = await testServer.request("cy", `GET /messages/${id}`);
    expect(own.message).toMatchObject({ sender_email: "bo@example.com" });
    const nameless = `GET /messages/${details.get("nameless")}`;
    expect((await testServer.request(null, nameless)).message.subject).toBe("general chat");
    const withTopicName = await testServer.request(null, nameless, {
      allow_empty_topic_name: true,
    });
    expect(withTopicName.message.subject).toBe("");
  });

  test("messages moved to other channels disappear, and return when moved back", async () => {
    const id = await post("bo", "square", "moving", "on the way");
    const move = async (to: string) => {
      const params = { stream_id: channels.get(to), propagate_mode: "change_all" };
      await testServer.request("olga", `PATCH /messages/${id}`, {
        ...params,
        send_notification_to_old_thread: false,
      });
    };
    await move("hall");
    expect((await testServer.refused(null, `GET /messages/${id}`)).status).toBe(401);
    expect(await findIds()).not.toContain(id);
    await move("market");
    const { message } = await testServer.request(null, `GET /messages/${id}`);
    expect(message.stream_id).toBe(channels.get("market"));
    expect(await findIds()).toContain(id);
  });

  test("a file is readable for spectators while a web-public message links to it", async () => {
    const url = await upload(testServer, "bo", {
      name: "a.png",
      bytes: striped(8, 8),
      type: "image/png",
    });
    const path = url.replace("/user_uploads/", "");
    const readableStatuses = async () => {
      const statuses = new Set<number>();
      for (const location of [url, `/user_uploads/download/${path}`, thumbnail]) {
        statuses.add((await read(testServer, null, location)).status);
      }
      return [...statuses];
    };
    const thumbnail = `/user_uploads/thumbnail/${path}/840x560.webp`;
    expect(await readableStatuses()).toEqual([403]);
    await post("bo", "hall", "t", `[a](${url})`);
    expect(await readableStatuses()).toEqual([403]);
    const id = await post("bo", "square", "t", `[a](${url})`);
    expect(await readableStatuses()).toEqual([200]);
    await testServer.request("olga", `DELETE /messages/${id}`);
    expect(await readableStatuses()).toEqual([403]);
    const page = await read(testServer, null, url, { Accept: "text/html" });
    expect([page.status, page.headers.get("location")]).toEqual([
      302,
      `/login/?next=${encodeURIComponent(url)}`,
    ]);
  });
});
