// Receivers of events about existing messages, by the privacy of the channel.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
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
  kind: Partial<Channel>,
  ...names: Name[]
): Promise<Channel> {
  return testServer.realm.write((tx) => {
    const channel = createChannel(tx, null, { name, description: "" }, names.map(personOf));
    const updatedChannel = { ...channel, ...kind };
    tx.channels.put(updatedChannel);
    return updatedChannel;
  });
}

const join = (name: Name, to: Channel) =>
  testServer.realm.write((tx) => void subscribe(tx, null, [personOf(name)], [to]));
const leave = (name: Name, from: Channel) =>
  testServer.realm.write((tx) => void unsubscribe(tx, null, [personOf(name)], [from]));

async function post(to: Channel, content = "x"): Promise<number> {
  const params = { type: "channel", to: to.stream_id, topic: "t", content };
  return (await testServer.request("bo", "POST /messages", params)).id;
}

/** Returns which of these users receive the event of a reaction to the message. */
async function receivers(id: number, requester: Name, ...names: Name[]): Promise<Name[]> {
  const listeners = await Promise.all(
    names.map((name) => testServer.listen(name, { event_types: ["reaction"] })),
  );
  await testServer.request(requester, `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const userNames: Name[] = [];
  for (const [index, name] of names.entries()) {
    const events = await listeners[index]!.takeAll();
    expect(events.length).toBeLessThanOrEqual(1);
    if (events.length === 1) userNames.push(name);
  }
  return userNames;
}

const SECRET = { invite_only: true, history_public_to_subscribers: false };
const SHARED = { invite_only: true, history_public_to_subscribers: true };

describe("sends a reaction event", () => {
  test("to subscribers of a public channel, and members who received the message", async () => {
    const open = await makeChannel("open", {}, "bo", "cy", "gus", "ada");
    const id = await post(open, "@**Botty**");
    for (const name of ["cy", "gus"] as const) await leave(name, open);
    await join("mo", open);
    const names = await receivers(id, "bo", "bo", "cy", "gus", "mo", "ada", "olga", "bot");
    expect(names).toEqual(["bo", "cy", "mo", "ada", "bot"]);
  });

  test("to subscribers of a private channel with shared history", async () => {
    const shared = await makeChannel("shared", SHARED, "bo", "cy", "ada");
    const id = await post(shared);
    await leave("cy", shared);
    await join("mo", shared);
    expect(await receivers(id, "bo", "bo", "cy", "mo", "ada", "olga")).toEqual(["bo", "mo", "ada"]);
  });

  test("to subscribers who have the message, if the history is protected", async () => {
    const secret = await makeChannel("secret", SECRET, "bo", "cy", "ada");
    const id = await post(secret);
    await leave("cy", secret);
    await join("mo", secret);
    expect(await receivers(id, "bo", "bo", "cy", "mo", "ada", "olga")).toEqual(["bo", "ada"]);
    await join("cy", secret);
    expect(await receivers(id, "cy", "bo", "cy", "mo")).toEqual(["bo", "cy"]);
  });

  test("to the users of a direct message", async () => {
    const params = {
      type: "direct",
      to: [testServer.idOf("cy"), testServer.idOf("mo")],
      content: "x",
    };
    const { id } = await testServer.request("bo", "POST /messages", params);
    expect(await receivers(id, "cy", "bo", "cy", "mo", "olga")).toEqual(["bo", "cy", "mo"]);
  });

  test("to users who were offline while the server restarted", async () => {
    const secret = await makeChannel("cellar", SECRET, "bo", "cy");
    const id = await post(secret);
    await join("mo", secret);
    const listener = await testServer.listen("cy", { event_types: ["reaction"] });
    const silent = await testServer.listen("mo", { event_types: ["reaction"] });
    await testServer.request("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
    await testServer.restart();
    expect(await listener.takeAll()).toHaveLength(1);
    expect(await silent.takeAll()).toEqual([]);
  });
});
