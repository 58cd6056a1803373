// Access to single messages, their personal flags, and messages of the notification bot.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import {
  sendNoticeToChannel,
  sendNoticeToPeople,
} from "../../src/features/messages/send/notices.ts";
import type { Channel } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const personOf = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!;

async function makeChannel(
  name: string,
  change: Partial<Channel>,
  ...names: Name[]
): Promise<Channel> {
  return testServer.realm.write((tx) => {
    const channel = createChannel(tx, null, { name, description: "" }, names.map(personOf));
    const updatedChannel = { ...channel, ...change };
    tx.channels.put(updatedChannel);
    return updatedChannel;
  });
}

const join = (name: Name, to: Channel) =>
  testServer.realm.write((tx) => void subscribe(tx, null, [personOf(name)], [to]));
const leave = (name: Name, from: Channel) =>
  testServer.realm.write((tx) => void unsubscribe(tx, null, [personOf(name)], [from]));

async function post(to: Channel, name: Name = "bo"): Promise<number> {
  const params = { type: "channel", to: to.stream_id, topic: "t", content: "x" };
  return (await testServer.request(name, "POST /messages", params)).id;
}

/** The flags, or "no" for users who may not read it. */
async function accessOf(name: Name, id: number): Promise<string[] | "no"> {
  const response = await testServer.send(name, `GET /messages/${id}`);
  const body = (await response.json()) as { msg: string; message?: { flags: string[] } };
  if (response.ok) return body.message!.flags;
  expect(body).toMatchObject({ code: "BAD_REQUEST", msg: "Invalid message(s)" });
  return "no";
}

describe("access to a message", () => {
  test("messageNotFound is returned for hidden and missing messages alike", async () => {
    expect(await accessOf("olga", 999_999)).toBe("no");
  });

  test("a direct message: its users", async () => {
    const params = { type: "direct", to: [testServer.idOf("cy")], content: "x" };
    const { id } = await testServer.request("bo", "POST /messages", params);
    expect(await accessOf("cy", id)).toEqual([]);
    expect(await accessOf("olga", id)).toBe("no");
  });

  test("a public channel: everyone except guests, and subscribed guests", async () => {
    const open = await makeChannel("open", {}, "bo", "gus");
    const id = await post(open);
    expect(await accessOf("gus", id)).toEqual([]);
    expect(await accessOf("cy", id)).toEqual(["read", "historical"]);
    await leave("gus", open);
    expect(await accessOf("gus", id)).toBe("no");
  });

  test("a private channel with shared history: current subscribers", async () => {
    const shared = await makeChannel("shared", { invite_only: true }, "bo");
    const id = await post(shared);
    expect(await accessOf("cy", id)).toBe("no");
    expect(await accessOf("olga", id)).toBe("no");
    await join("cy", shared);
    expect(await accessOf("cy", id)).toEqual(["read", "historical"]);
    expect(await accessOf("cy", await post(shared))).toEqual([]);
    await leave("cy", shared);
    expect(await accessOf("cy", id)).toBe("no");
  });

  test("a protected history: received messages, also after resubscribing", async () => {
    const kind = { invite_only: true, history_public_to_subscribers: false };
    const stored = await makeChannel("protected", kind, "bo");
    const before = await post(stored);
    await join("cy", stored);
    const during = await post(stored);
    await leave("cy", stored);
    const externalPost = await post(stored);
    expect(await accessOf("cy", during)).toBe("no");
    await join("cy", stored);
    const after = await post(stored);
    const visited = [];
    for (const id of [before, during, externalPost, after])
      visited.push((await accessOf("cy", id)) !== "no");
    expect(visited).toEqual([false, true, false, true]);
  });
});

describe("the notification bot", () => {
  test("posts in channels, including archived ones and those with only one topic", async () => {
    const quiet = await makeChannel("quiet", { is_archived: true }, "cy");
    const listener = await testServer.listen("cy");
    await testServer.realm.write((tx) => sendNoticeToChannel(tx, quiet, "news", "Closed."));
    const [event] = await listener.takeAll();
    expect(event.message).toMatchObject({
      subject: "news",
      sender_full_name: "Notification Bot",
      content: "Closed.",
    });
    const single = await makeChannel("single", { topics_policy: "empty_topic_only" }, "cy");
    const id = await testServer.realm.write((tx) => sendNoticeToChannel(tx, single, "news", "x"));
    const topic_id = testServer.realm.read.messages.get(id)!.topic_id;
    expect(testServer.realm.read.topics.get(topic_id)!.name).toBe("");
  });

  test("writes to active users", async () => {
    const listener = await testServer.listen("cy", { event_types: ["message"] });
    const to = [testServer.idOf("cy")];
    await testServer.realm.write((tx) => sendNoticeToPeople(tx, to, "Hello @**Cy Member**"));
    expect(await listener.takeAll()).toMatchObject([
      { flags: ["mentioned"], message: { type: "private" } },
    ]);
    const cy = personOf("cy");
    await testServer.realm.write((tx) => tx.users.put({ ...cy, is_active: false }));
    expect(await testServer.realm.write((tx) => sendNoticeToPeople(tx, to, "x"))).toBeUndefined();
    await testServer.realm.write((tx) => tx.users.put(cy));
  });
});

describe("a guest who sees only some users", () => {
  const withLimitedAccess = async (action: () => Promise<unknown>) => {
    const realm = testServer.realm.read.realm.get(1)!;
    const members = testServer.realm.read.groups.findBy("name", "role:members")!.id;
    const settings = { ...realm.settings, can_access_all_users_group: members };
    await testServer.realm.write((tx) => tx.realm.put({ ...realm, settings }));
    await action();
    await testServer.realm.write((tx) => tx.realm.put(realm));
  };

  test("receives a message without learning its sender", async () => {
    const shop = await makeChannel("square", { is_web_public: true }, "gus", "bo");
    await withLimitedAccess(async () => {
      const form = { event_types: ["message"] };
      const [guest, other] = [
        await testServer.listen("gus", form),
        await testServer.listen("bo", form),
      ];
      await post(shop, "ada");
      const [received] = await guest.takeAll();
      expect(received.message.sender_full_name).toBe("Unknown user");
      expect(JSON.stringify(received)).not.toContain("ada@");
      expect((await other.takeAll())[0].message.sender_full_name).toBe("Ada Admin");
      const { message } = await testServer.request("gus", `GET /messages/${received.message.id}`);
      expect(message).toEqual({
        ...received.message,
        content: "<p>x</p>",
        content_type: "text/html",
        flags: [],
      });
    });
  });

  test("receives a user who writes for the first time", async () => {
    await withLimitedAccess(async () => {
      const listener = await testServer.listen("gus", { event_types: ["message", "realm_user"] });
      const params = { type: "direct", to: [testServer.idOf("gus")], content: "Welcome" };
      await testServer.request("ada", "POST /messages", params);
      await testServer.request("ada", "POST /messages", params);
      const events = await listener.takeAll();
      expect(events).toMatchObject([
        { type: "realm_user", op: "add", person: { full_name: "Ada Admin" } },
        { type: "message", message: { sender_full_name: "Ada Admin" } },
        { type: "message" },
      ]);
    });
  });
});
