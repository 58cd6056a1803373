// The official JavaScript library of the protocol, used as by bots, against the executable.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { FEATURE_LEVEL } from "../../src/contract/names.ts";
import type { Json } from "../test-server.ts";
import { type Account, type BinaryServer, openBinaryServer } from "./executable-server.ts";
import { type Client, hangUp, zulip } from "./library.ts";

const SEND_MS = 100;
const PASSWORD = "correct horse battery";

let testServer: BinaryServer;
let bo: Client;
let cy: Client;
let cyId: number;
let stream_id: number;

const clientOf = ({ email, api_key }: Account) =>
  zulip({ username: email, apiKey: api_key, realm: testServer.url });
const expectSuccess = async (response: Promise<Json>): Promise<Json> => {
  const body = await response;
  expect(body).toMatchObject({ result: "success" });
  return body;
};
const subscribe = (client: Client) => {
  const subscriptions = JSON.stringify([{ name: "Garden" }]);
  return expectSuccess(client.users.me.subscriptions.add({ subscriptions }));
};
const postAsBo = (topic: string, content: string) =>
  expectSuccess(bo.messages.send({ type: "stream", to: "Garden", topic, content }));
const textOf = ({ content }: Json) => content.replaceAll(/<[^>]*>/g, "");

beforeAll(async () => {
  testServer = await openBinaryServer([
    { email: "bo@example.com", full_name: "Bo Member", password: PASSWORD },
    { email: "cy@example.com", full_name: "Cy Member" },
  ]);
  const [boAccount, cyAccount] = testServer.people as [Account, Account];
  bo = await clientOf(boAccount);
  cy = await clientOf(cyAccount);
  cyId = cyAccount.user_id;
  for (const client of [bo, cy]) await subscribe(client);
  stream_id = (await expectSuccess(bo.streams.getStreamId("Garden"))).stream_id;
});
afterAll(() => {
  hangUp();
  return testServer?.close();
});

test("requests the server's settings", async () => {
  const settings = await expectSuccess(bo.server.settings());
  expect(settings).toMatchObject({ zulip_feature_level: FEATURE_LEVEL, realm_uri: testServer.url });
  expect(settings.zulip_version).toBeString();
});

test("signs in with a password, and learns whose key it is", async () => {
  const client = await zulip({
    username: "BO@example.com",
    password: PASSWORD,
    realm: testServer.url,
  });
  expect(client.config.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
  const profile = await expectSuccess(client.users.me.getProfile());
  expect(profile).toMatchObject({ email: "bo@example.com", full_name: "Bo Member" });
});

test("gets an error code for a wrong key", async () => {
  const outsider = await zulip({
    username: "bo@example.com",
    apiKey: "x".repeat(32),
    realm: testServer.url,
  });
  const refusal = await outsider.users.me.getProfile();
  expect(refusal).toMatchObject({ result: "error", code: "UNAUTHORIZED", msg: "Invalid API key" });
});

test("sends to a channel and to users, and reads both with narrows", async () => {
  const rose = await postAsBo("roses", "a **rose**");
  const secondId = await postAsBo("roses", "another");
  await postAsBo("weeds", "a weed");
  const direct = await expectSuccess(
    bo.messages.send({ type: "private", to: JSON.stringify([cyId]), content: "psst" }),
  );
  const byName = await expectSuccess(
    bo.messages.send({ type: "direct", to: "cy@example.com", content: "hey" }),
  );
  const read = async (narrow: object[], extra = {}): Promise<Json> =>
    expectSuccess(
      cy.messages.retrieve({ anchor: "newest", num_before: 10, num_after: 0, narrow, ...extra }),
    );

  const roses = await read([
    { operator: "channel", operand: "Garden" },
    { operator: "topic", operand: "Roses" },
  ]);
  expect(roses.messages.map((message: Json) => message.id)).toEqual([rose.id, secondId.id]);
  expect(roses.messages[0]).toMatchObject({
    content: "<p>a <strong>rose</strong></p>",
    display_recipient: "Garden",
    subject: "roses",
    sender_email: "bo@example.com",
    stream_id,
  });
  expect(roses).toMatchObject({ found_newest: true, found_oldest: true, history_limited: false });
  const directs = await read([{ operator: "dm", operand: [testServer.people[0]!.user_id] }]);
  expect(directs.messages.map((message: Json) => message.id)).toEqual([direct.id, byName.id]);
  const raw = await read([{ operator: "id", operand: rose.id }], { apply_markdown: false });
  expect(raw.messages.map((message: Json) => message.content)).toEqual(["a **rose**"]);
  const message = await expectSuccess(cy.messages.getById({ message_id: rose.id }));
  expect(message.message.id).toBe(rose.id);
  const bad = await cy.messages.retrieve({
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: "channel", operand: "Nowhere" }],
  });
  expect(bad).toMatchObject({ result: "error", code: "BAD_NARROW" });
});

test("receives messages live, in order, until its queue is deleted", async () => {
  const { queue_id, last_event_id } = await expectSuccess(
    cy.queues.register({ event_types: ["message", "typing"] }),
  );
  const poll = (last: number) =>
    expectSuccess(cy.events.retrieve({ queue_id, last_event_id: last, dont_block: false }));
  const pollResponse = poll(last_event_id);
  const { id } = await postAsBo("tulips", "live");
  const [event] = (await pollResponse).events;
  expect(event).toMatchObject({ type: "message", flags: [] });
  expect(event.message).toMatchObject({ id, content: "live", content_type: "text/x-markdown" });

  const next = poll(event.id);
  await expectSuccess(bo.typing.send({ to: [cyId], op: "start" }));
  const [typing] = (await next).events;
  expect(typing).toMatchObject({ type: "typing", op: "start", message_type: "direct" });
  expect(typing.sender.email).toBe("bo@example.com");

  await expectSuccess(cy.queues.deregister({ queue_id }));
  const refusal = await cy.events.retrieve({ queue_id, last_event_id: typing.id });
  expect(refusal).toMatchObject({ result: "error", code: "BAD_EVENT_QUEUE_ID", queue_id });
});

test("its loop calls back for each event once, in order", async () => {
  const events: string[] = [];
  void cy.callOnEachEvent(({ message }: Json) => events.push(message.content), ["message"]);
  for (let count = 1; events.length < 3; count++) {
    await postAsBo("counting", `${count}`);
    await Bun.sleep(SEND_MS);
  }
  const first = Number(events[0]);
  expect(events).toEqual(events.map((_, index) => `${first + index}`));
});

test("lists users, channels, subscriptions and topics", async () => {
  const { members } = await expectSuccess(bo.users.retrieve({}));
  expect(members.map((member: Json) => member.email)).toEqual(
    expect.arrayContaining(["olga@example.com", "bo@example.com", "cy@example.com"]),
  );
  const { streams } = await expectSuccess(bo.streams.retrieve({ include_subscribed: true }));
  expect(streams.map((stream: Json) => stream.name)).toContain("Garden");
  const { subscriptions } = await expectSuccess(bo.streams.subscriptions.retrieve());
  expect(subscriptions.map((subscription: Json) => subscription.stream_id)).toContain(stream_id);
  await postAsBo("bulbs", "tulips");
  const { topics } = await expectSuccess(bo.streams.topics.retrieve({ stream_id }));
  expect(topics[0].name).toBe("bulbs");
});

test("sets flags, renders, and unsubscribes", async () => {
  const { id } = await postAsBo("flags", "flag me");
  await expectSuccess(cy.messages.flags.add({ messages: [id], flag: "starred" }));
  const flags = async () =>
    (await expectSuccess(cy.messages.getById({ message_id: id }))).message.flags;
  expect(await flags()).toEqual(["starred"]);
  await expectSuccess(cy.messages.flags.add({ messages: [id], flag: "read" }));
  await expectSuccess(cy.messages.flags.remove({ messages: [id], flag: "starred" }));
  expect(await flags()).toEqual(["read"]);

  const { rendered } = await expectSuccess(cy.messages.render("*tulips*"));
  expect(textOf({ content: rendered })).toBe("tulips");
  const remaining = await expectSuccess(
    cy.users.me.subscriptions.remove({ subscriptions: JSON.stringify(["Garden"]) }),
  );
  expect(remaining.removed).toEqual(["Garden"]);
  await subscribe(cy);
});
