// Receivers of events about existing messages, by the privacy of the channel.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe, unsubscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import type { Channel } from "../../src/schema/records.ts";
import type { Name } from "../cast.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const personOf = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!;

async function channel(name: string, kind: Partial<Channel>, ...who: Name[]): Promise<Channel> {
  return testServer.realm.write((tx) => {
    const made = createChannel(tx, null, { name, description: "" }, who.map(personOf));
    const changed = { ...made, ...kind };
    tx.channels.put(changed);
    return changed;
  });
}

const join = (name: Name, to: Channel) =>
  testServer.realm.write((tx) => void subscribe(tx, null, [personOf(name)], [to]));
const leave = (name: Name, from: Channel) =>
  testServer.realm.write((tx) => void unsubscribe(tx, null, [personOf(name)], [from]));

async function post(to: Channel, content = "x"): Promise<number> {
  const params = { type: "channel", to: to.stream_id, topic: "t", content };
  return (await testServer.ask("bo", "POST /messages", params)).id;
}

/** Who of these hears that somebody reacts to the message. */
async function hearers(id: number, by: Name, ...who: Name[]): Promise<Name[]> {
  const listeners = await Promise.all(
    who.map((name) => testServer.listen(name, { event_types: ["reaction"] })),
  );
  await testServer.ask(by, `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const heard: Name[] = [];
  for (const [at, name] of who.entries()) {
    const events = await listeners[at]!.all();
    expect(events.length).toBeLessThanOrEqual(1);
    if (events.length === 1) heard.push(name);
  }
  return heard;
}

const SECRET = { invite_only: true, history_public_to_subscribers: false };
const SHARED = { invite_only: true, history_public_to_subscribers: true };

describe("a reaction is heard", () => {
  test("in a public channel by subscribers, and by members who received the message", async () => {
    const open = await channel("open", {}, "bo", "cy", "gus", "ada");
    const id = await post(open, "@**Botty**");
    for (const who of ["cy", "gus"] as const) await leave(who, open);
    await join("mo", open);
    const told = await hearers(id, "bo", "bo", "cy", "gus", "mo", "ada", "olga", "bot");
    expect(told).toEqual(["bo", "cy", "mo", "ada", "bot"]);
  });

  test("in a private channel with shared history by its subscribers", async () => {
    const shared = await channel("shared", SHARED, "bo", "cy", "ada");
    const id = await post(shared);
    await leave("cy", shared);
    await join("mo", shared);
    expect(await hearers(id, "bo", "bo", "cy", "mo", "ada", "olga")).toEqual(["bo", "mo", "ada"]);
  });

  test("where history is protected by those subscribers who have the message", async () => {
    const secret = await channel("secret", SECRET, "bo", "cy", "ada");
    const id = await post(secret);
    await leave("cy", secret);
    await join("mo", secret);
    expect(await hearers(id, "bo", "bo", "cy", "mo", "ada", "olga")).toEqual(["bo", "ada"]);
    await join("cy", secret);
    expect(await hearers(id, "cy", "bo", "cy", "mo")).toEqual(["bo", "cy"]);
  });

  test("of a direct message by its people", async () => {
    const params = {
      type: "direct",
      to: [testServer.idOf("cy"), testServer.idOf("mo")],
      content: "x",
    };
    const { id } = await testServer.ask("bo", "POST /messages", params);
    expect(await hearers(id, "cy", "bo", "cy", "mo", "olga")).toEqual(["bo", "cy", "mo"]);
  });

  test("also by who was away while the server started anew", async () => {
    const secret = await channel("cellar", SECRET, "bo", "cy");
    const id = await post(secret);
    await join("mo", secret);
    const heard = await testServer.listen("cy", { event_types: ["reaction"] });
    const silent = await testServer.listen("mo", { event_types: ["reaction"] });
    await testServer.ask("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
    await testServer.restart();
    expect(await heard.all()).toHaveLength(1);
    expect(await silent.all()).toEqual([]);
  });
});
