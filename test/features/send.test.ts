// Sending messages: recipients, rendering, events, and retries that send nothing twice.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const post = (params: Params, name: Name = "bo") =>
  testServer.request(name, "POST /messages", {
    type: "channel",
    to: "general",
    topic: "tea",
    ...params,
  });

const listMessages = async (params: Params, name: Name = "bo") => {
  const { id } = await post(params, name);
  return (await testServer.request(name, `GET /messages/${id}`, { apply_markdown: false })).message;
};

const direct = (to: unknown, content: string, name: Name = "bo") =>
  testServer.request(name, "POST /messages", { type: "direct", to, content });

describe("the recipient", () => {
  test("a channel is named by name or id, plain, as JSON, or in a list of one", async () => {
    const { stream_id } = testServer.realm.read.channels.findBy("name", "general")!;
    const forms = ["general", "GENERAL", '"general"', '["general"]', `${stream_id}`, [stream_id]];
    for (const to of forms)
      expect((await listMessages({ to, content: "x" })).stream_id).toBe(stream_id);
    expect(
      (await listMessages({ type: "stream", topic: undefined, subject: "s", content: "x" }))
        .subject,
    ).toBe("s");
  });

  test("users are named by ids or addresses, and include the sender", async () => {
    const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
    const forms = [
      [cy],
      [bo, cy],
      [cy, bo, cy],
      ["cy@example.com"],
      "cy@example.com",
      " cy@example.com, ",
      '"cy@example.com,bo@example.com"',
    ];
    const recipients = new Set<number>();
    for (const to of forms) {
      const { id } = await direct(to, "x");
      const { message } = await testServer.request("cy", `GET /messages/${id}`);
      recipients.add(message.recipient_id);
      expect(message.display_recipient.map((person: Params) => person["id"])).toEqual([bo, cy]);
      expect(message).toMatchObject({ type: "private", subject: "" });
    }
    expect(recipients.size).toBe(1);
    const { id } = await direct([bo], "to myself");
    expect(
      (await testServer.request("bo", `GET /messages/${id}`)).message.display_recipient,
    ).toHaveLength(1);
  });

  test("a topic keeps its newest spelling, is truncated, and may be empty", async () => {
    const first = await listMessages({ topic: "Weather", content: "x" });
    const second = await listMessages({ topic: " WEATHER ", content: "x" });
    expect(first.subject).toBe("Weather");
    expect(second.subject).toBe("WEATHER");
    const read = testServer.realm.read;
    expect(read.messages.get(first.id)!.topic_id).toBe(read.messages.get(second.id)!.topic_id);
    expect((await listMessages({ topic: "é".repeat(61), content: "x" })).subject).toBe(
      `${"é".repeat(57)}...`,
    );
    for (const topic of ["", "(no topic)", "general chat"]) {
      const { id, subject } = await listMessages({ topic, content: "x" });
      expect(subject).toBe("general chat");
      const form = { allow_empty_topic_name: true };
      expect((await testServer.request("bo", `GET /messages/${id}`, form)).message.subject).toBe(
        "",
      );
    }
  });
});

describe("the stored message", () => {
  test("content is trimmed at its end and truncated at its limit", async () => {
    expect((await listMessages({ content: "\n\n  tea \n" })).content).toBe("  tea");
    const long = await listMessages({ content: "😀".repeat(10_001) });
    expect([...long.content]).toHaveLength(10_000);
    expect(long.content).toEndWith("😀\n[message truncated]");
  });

  test("keeps a byte order mark in the content, and removes it from the topic", async () => {
    const { id } = await post({ topic: "\ufeffmarked", content: "\ufefftext" });
    const source = await testServer.request("bo", `GET /messages/${id}`, { apply_markdown: false });
    expect(source.message).toMatchObject({ content: "\ufefftext", subject: "marked" });
    const { message } = await testServer.request("bo", `GET /messages/${id}`);
    expect(message.content).toBe("<p>\ufefftext</p>");
  });

  test("plain text is rendered as one paragraph, and stored once", async () => {
    const { id } = await post({ content: "1 < 2 & 3" });
    expect(testServer.realm.read.messages.get(id)!.rendered_content).toBeNull();
    const { message, raw_content } = await testServer.request("cy", `GET /messages/${id}`);
    expect(message).toMatchObject({
      content: "<p>1 &lt; 2 &amp; 3</p>",
      content_type: "text/html",
      client: "SkeinTest",
    });
    expect(raw_content).toBe("1 < 2 & 3");
    expect((await listMessages({ content: "/me sips" })).is_me_message).toBe(true);
  });

  test("a poll and a to-do list include their first submessage", async () => {
    const { submessages, id } = await listMessages({ content: "/poll Tea?\n- green\n- black" });
    expect(submessages).toEqual([
      {
        id: expect.any(Number),
        message_id: id,
        sender_id: testServer.idOf("bo"),
        msg_type: "widget",
        content: expect.any(String),
      },
    ]);
    expect(JSON.parse(submessages[0].content)).toEqual({
      widget_type: "poll",
      extra_data: { question: "Tea?", options: ["green", "black"] },
    });
    const zform = {
      widget_type: "zform",
      extra_data: { type: "choices", heading: "Which?", choices: [] },
    };
    const form = await listMessages({ content: "/todo x", widget_content: zform }, "bot");
    expect(JSON.parse(form.submessages[0].content)).toEqual(zform);
  });

  test("a first message is recorded, and an inactive channel becomes active", async () => {
    const { stream_id } = testServer.realm.read.channels.findBy("name", "sandbox")!;
    await testServer.realm.write((tx) =>
      tx.channels.put({ ...tx.channels.get(stream_id)!, is_recently_active: false }),
    );
    const { result, events } = await staysInSync(testServer, ["cy"], () =>
      post({ to: "sandbox", content: "x" }),
    );
    expect(events.cy!.map((event) => event["type"])).toEqual(["stream", "message"]);
    expect(events.cy![0]).toMatchObject({ property: "is_recently_active", value: true });
    const first = testServer.realm.read.channels.get(stream_id)!.first_message_id!;
    expect(first).toBeLessThanOrEqual(result.id);
    await post({ to: "sandbox", content: "y" });
    expect(testServer.realm.read.channels.get(stream_id)!.first_message_id).toBe(first);
  });

  test("writes nothing for mere recipients", async () => {
    const { id } = await post({ content: "x" });
    const chunk = Math.floor(id / 4096);
    for (const name of ["cy", "mo", "ada"] as const) {
      for (let flag = 1; flag <= 7; flag++) {
        expect(
          testServer.realm.read.flags.chunk([testServer.idOf(name), flag], chunk),
        ).toBeUndefined();
      }
    }
  });
});

describe("recipients", () => {
  test("a message keeps all recipients in sync", async () => {
    const { events } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
      post({ topic: "sync", content: "**x**" }),
    );
    const types = events.bo!.map((event) => event["type"]);
    expect(types).toEqual(["muted_topics", "user_topic", "message"]);
    const [message] = events.cy!;
    expect(message).toMatchObject({
      flags: [],
      message: { subject: "sync", display_recipient: "general" },
    });
  });

  test("a direct message is received only by its users", async () => {
    const to = [testServer.idOf("cy"), testServer.idOf("mo")];
    const { events } = await staysInSync(testServer, ["bo", "cy", "mo", "ada"], () =>
      direct(to, "psst"),
    );
    for (const name of ["bo", "cy", "mo"] as const) expect(events[name]).toHaveLength(1);
    expect(events.ada).toEqual([]);
  });

  test("only the sending queue gets its local id back", async () => {
    const listener = await testServer.listen("bo");
    const otherListener = await testServer.listen("bo");
    await post({ content: "x", queue_id: listener.queue_id, local_id: 'a"1' });
    const [ownEvent] = (await listener.takeAll()).filter(
      (event: Params) => event["type"] === "message",
    );
    const [other] = (await otherListener.takeAll()).filter(
      (event: Params) => event["type"] === "message",
    );
    expect(ownEvent.local_message_id).toBe('a"1');
    expect(other).not.toHaveProperty("local_message_id");
  });

  test("each kind of client gets the message in its format", async () => {
    const { user_id } = testServer.realm.read.users.get(testServer.idOf("bo"))!;
    await testServer.realm.write((tx) =>
      tx.users.put({ ...tx.users.get(user_id)!, avatar_source: "G" }),
    );
    const raw = await testServer.listen("cy", { apply_markdown: false, client_gravatar: true });
    const html = await testServer.listen("cy", {
      apply_markdown: true,
      client_gravatar: false,
      client_capabilities: { empty_topic_name: true },
    });
    await post({ topic: "", content: "*x*" });
    const [a] = await raw.takeAll();
    const [b] = await html.takeAll();
    expect(a.message).toMatchObject({ content: "*x*", subject: "general chat", avatar_url: null });
    expect(b.message).toMatchObject({
      content: "<p><em>x</em></p>",
      content_type: "text/html",
      subject: "",
      avatar_url: expect.stringContaining("gravatar"),
    });
  });

  test("clients that display sent messages mark them as read; others can ask", async () => {
    const isRead = async (params: Params) => (await listMessages(params)).flags.includes("read");
    expect(await isRead({ content: "x" })).toBe(false);
    expect(await isRead({ content: "x", read_by_sender: true })).toBe(true);
    expect(await isRead({ content: "x", client: "ZulipMobile" })).toBe(true);
    expect(await isRead({ content: "x", client: "website", read_by_sender: false })).toBe(false);
  });

  test("users who muted the sender get the message as read", async () => {
    const row = {
      user_id: testServer.idOf("mo"),
      muted_user_id: testServer.idOf("ada"),
      timestamp: 1,
    };
    await testServer.realm.write((tx) => tx.muted_users.put(row));
    const { events, result } = await staysInSync(testServer, ["mo", "cy"], () =>
      post({ content: "x" }, "ada"),
    );
    expect(events.mo![0]!["flags"]).toEqual(["read"]);
    expect(events.cy![0]!["flags"]).toEqual([]);
    const { message } = await testServer.request("mo", `GET /messages/${result.id}`);
    expect(message.flags).toEqual(["read"]);
  });

  test("events from before a restart are sent from the store", async () => {
    const listener = await testServer.listen("cy");
    const { id } = await post({ content: "@**all** before" }, "olga");
    await testServer.restart();
    const [event] = await listener.takeAll();
    expect(event.message.id).toBe(id);
    expect(event.flags).toEqual(["stream_wildcard_mentioned", "wildcard_mentioned"]);
  });
});

describe("a retry creates no duplicate", () => {
  test("the same local id on the same queue is one message, also after a restart", async () => {
    const queue_id = (await testServer.listen("bo")).queue_id;
    const first = await post({ content: "once", queue_id, local_id: "7" });
    expect((await post({ content: "twice", queue_id, local_id: "7" })).id).toBe(first.id);
    await testServer.restart();
    expect((await post({ to: "gone", content: "", queue_id, local_id: "7" })).id).toBe(first.id);
    expect((await post({ content: "x", queue_id, local_id: "8" })).id).not.toBe(first.id);
    expect((await post({ content: "x", queue_id, local_id: "7" }, "cy")).id).not.toBe(first.id);
    expect((await post({ content: "x", local_id: "7" })).id).not.toBe(first.id);
  });

  test("many at once create one message", async () => {
    const params = { content: "once", queue_id: "q", local_id: "長".repeat(1_000) };
    const response = await Promise.all(Array.from({ length: 20 }, () => post(params)));
    expect(new Set(response.map(({ id }) => id)).size).toBe(1);
  });

  test("an idempotency key does the same", async () => {
    const body = new URLSearchParams({ type: "channel", to: "general", topic: "t", content: "k" });
    const send = async (key: string) => {
      const headers = {
        Authorization: testServer.basicAuthorization("bo"),
        "Idempotency-Key": key,
      };
      const response = await fetch(`${testServer.url}/api/v1/messages`, {
        method: "POST",
        headers,
        body,
      });
      return (await response.json()) as { id: number; msg: string };
    };
    const sent = await Promise.all([send("one"), send("one"), send("two")]);
    expect(sent[0].id).toBe(sent[1].id);
    expect(sent[2].id).not.toBe(sent[0].id);
    expect((await send("k".repeat(256))).msg).toContain("Idempotency-Key is too long");
  });

  test("a rejected message can be sent again", async () => {
    const retry = { queue_id: "q", local_id: "refused" };
    await testServer.refused("bo", "POST /messages", {
      type: "channel",
      to: "later",
      topic: "t",
      content: "x",
      ...retry,
    });
    expect((await post({ content: "x", ...retry })).id).toBeGreaterThan(0);
  });
});
