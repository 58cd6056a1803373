/** Crowds: more subscriptions than one transaction makes come in steps, each exactly once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { switchOff } from "../../src/features/accounts/activity.ts";
import { archiveChannel, restoreChannel } from "../../src/features/channels/manage/archive.ts";
import { activePeople, createChannel } from "../../src/features/channels/manage/create.ts";
import {
  BulkSubscribe,
  SUBSCRIBED_AT_ONCE_MAX,
} from "../../src/features/channels/subscriptions/bulk-parts.ts";
import { finishBulkSubscribe } from "../../src/features/channels/subscriptions/bulk-subscribe.ts";
import { subscribe, unsubscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { canReadMessage } from "../../src/features/messages/access.ts";
import type { User } from "../../src/schema/records.ts";
import type { Name } from "../cast.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const STEPS = 2;
const STRANGERS = STEPS * SUBSCRIBED_AT_ONCE_MAX - 3;

let testServer: TestServer;
/** Who has no client, then Cy and Gus, who come last. */
let strangers: User[];
let crowd: number[];
let made = 0;

beforeAll(async () => {
  testServer = await startTestServer({ url: "http://town.example" });
  // The job that takes up what was interrupted comes when a test says so.
  testServer.clock.stop();
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, send_channel_events_messages: true } });
  });
  strangers = await testServer.realm.write((tx) =>
    Array.from({ length: STRANGERS }, (_, n) =>
      createUser(tx, null, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
    ),
  );
  const ids = strangers.map((user) => user.user_id);
  crowd = [testServer.idOf("bo"), ...ids, testServer.idOf("cy"), testServer.idOf("gus")];
});
afterAll(() => testServer.close());

const person = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!;
const subscriberCount = (id: number) =>
  testServer.realm.read.subscriptions.countBy("subscribers", id);
const kinds = (events: Json[] | undefined) => events!.map(({ type, op }) => `${type} ${op ?? ""}`);

/** As the request does, but for the steps that follow. */
function beginWith(people: readonly number[], fields: object = {}) {
  return testServer.realm.write((tx) => {
    const bo = tx.users.get(testServer.idOf("bo"))!;
    const coming = new BulkSubscribe(bo, people.length);
    const whole = { name: `crowd ${++made}`, ...fields };
    const channel = createChannel(tx, bo, whole, activePeople(tx, people), { bulk: coming });
    return { id: channel.stream_id, crowd_id: coming.settle(tx, [channel])! };
  });
}

/** Everyone has one span, which nothing has ended, and nothing is left to do. */
function expectIn(id: number, people: readonly number[]): void {
  const {
    subscriptions,
    bulk_subscribes: crowds,
    bulk_subscribe_parts: crowd_parts,
    due,
  } = testServer.realm.read;
  const subs = subscriptions.by("channel", id);
  expect(subs.map((sub) => sub.user_id).sort((a, b) => a - b)).toEqual(
    people.toSorted((a, b) => a - b),
  );
  for (const { active, intervals: spans } of subs) {
    expect([active, spans.length, ...spans.slice(2)]).toEqual([true, 4, 0, 0]);
  }
  expect([crowds.count(), crowd_parts.count(), due.count()]).toEqual([0, 0, 0]);
}

test("a crowd is subscribed when the answer comes, and each step is told", async () => {
  const { result, heard } = await staysInSync(testServer, ["bo", "cy", "mo", "gus"], () =>
    testServer.ask("bo", "POST /channels/create", { name: `crowd ${++made}`, subscribers: crowd }),
  );
  expectIn(result.id, crowd);
  expect(kinds(heard.mo)).toEqual([
    "stream create",
    ...Array(1 + STEPS).fill("subscription peer_add"),
  ]);
  const added = heard.mo!.slice(1).map(({ user_ids }) => user_ids.length);
  const full = Array(STEPS - 1).fill(SUBSCRIBED_AT_ONCE_MAX);
  expect(added).toEqual([1, ...full, SUBSCRIBED_AT_ONCE_MAX - 1]);
  expect(kinds(heard.bo).slice(0, 2)).toEqual(["stream create", "subscription add"]);
  // He knows of it by his subscription alone; what the bot says comes when everyone is there.
  const later = Array(STEPS - 1).fill("subscription peer_add");
  const joining = ["stream create", "subscription add", "subscription peer_add"];
  expect(kinds(heard.gus)).toEqual([...joining, ...later, "message "]);
});

test("everyone has got what the bot says of the new channel, also who came last", async () => {
  const { id } = await testServer.ask("bo", "POST /channels/create", {
    name: `crowd ${++made}`,
    subscribers: crowd,
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const narrow = [{ operator: "channel", operand: id }];
  const { messages } = await testServer.ask("gus", "GET /messages", {
    ...{ narrow, anchor: "newest", num_before: 5, num_after: 0 },
  });
  expect(messages.map(({ content }: Json) => content.includes("made this"))).toEqual([true]);
  const message = testServer.realm.read.messages.get(messages[0].id)!;
  const had = strangers.filter((user) => canReadMessage(testServer.realm.read, user, message));
  expect(had).toHaveLength(strangers.length);
});

test("who may not see the channel hears nothing of the crowd", async () => {
  const outside = [await testServer.listen("mo"), await testServer.listen("bot")];
  const { heard } = await staysInSync(testServer, ["cy", "ada", "gus"], () =>
    testServer.ask("bo", "POST /channels/create", {
      ...{ name: `crowd ${++made}`, invite_only: true, subscribers: crowd },
    }),
  );
  for (const listener of outside) expect(await listener.all()).toEqual([]);
  expect(kinds(heard.cy).slice(0, 2)).toEqual(["stream create", "subscription add"]);
  expect(kinds(heard.ada)[0]).toBe("stream create");
});

test("between the steps state and events agree, and a crowd interrupted is finished", async () => {
  const who = ["bo", "cy", "mo", "gus"] as const;
  const { result } = await staysInSync(testServer, who, () => beginWith(crowd));
  expect(subscriberCount(result.id)).toBe(1);
  const cy = await testServer.listen("cy");
  await staysInSync(testServer, who, async () => {
    testServer.clock.pass(11);
    await testServer.restart();
    while (testServer.realm.read.bulk_subscribes.count() > 0) await Bun.sleep(5);
    await testServer.quiet();
  });
  expectIn(result.id, crowd);
  const told = (await cy.all()).filter(({ type }) => type !== "restart");
  expect(kinds(told).filter((kind) => kind === "subscription add")).toHaveLength(1);
  expect(kinds(told).filter((kind) => kind === "message ")).toHaveLength(1);
});

test("asked again meanwhile, nobody is subscribed twice", async () => {
  const { id, crowd_id } = await beginWith(crowd);
  const { name } = testServer.realm.read.channels.get(id)!;
  const again = () =>
    testServer.ask("bo", "POST /users/me/subscriptions", {
      subscriptions: [{ name }],
      principals: crowd,
    });
  const cy = await testServer.listen("cy");
  const [one, other] = await Promise.all([
    again(),
    again(),
    finishBulkSubscribe(testServer.realm, crowd_id),
  ]);
  expectIn(id, crowd);
  expect(kinds(await cy.all()).filter((kind) => kind === "subscription add")).toHaveLength(1);
  for (const answer of [one, other]) {
    const named = [...Object.keys(answer.subscribed), ...Object.keys(answer.already_subscribed)];
    expect(named).toHaveLength(crowd.length);
  }
  const { subscribed, already_subscribed } = await again();
  expect([Object.keys(subscribed), Object.keys(already_subscribed).length]).toEqual([
    [],
    crowd.length,
  ]);
});

test("who comes and goes meanwhile, or is switched off, is left alone", async () => {
  const [off, gone] = await testServer.realm.write((tx) =>
    ["off", "gone"].map((name) =>
      createUser(tx, null, { email: `${name}@example.com`, full_name: name, role: 400 }),
    ),
  );
  const people = [...crowd.slice(0, -4), off!.user_id, gone!.user_id, ...crowd.slice(-2)];
  const { id, crowd_id } = await beginWith(people);
  await testServer.realm.write((tx) => {
    const channel = tx.channels.get(id)!;
    subscribe(tx, null, [person("cy")], [channel]);
    switchOff(tx, off!);
  });
  const { heard } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
    finishBulkSubscribe(testServer.realm, crowd_id),
  );
  expect(kinds(heard.cy)).not.toContain("subscription add");
  expectIn(
    id,
    people.filter((user_id) => user_id !== off!.user_id),
  );
  await testServer.realm.write((tx) => void unsubscribe(tx, null, [gone!], [tx.channels.get(id)!]));
  await finishBulkSubscribe(testServer.realm, crowd_id);
  expect(testServer.realm.read.subscriptions.get(gone!.user_id, id)!.active).toBe(false);
});

test("an archived channel takes nobody any more", async () => {
  const { id, crowd_id } = await beginWith(crowd);
  await testServer.realm.write((tx) => archiveChannel(tx, person("olga"), id));
  const { heard } = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
    finishBulkSubscribe(testServer.realm, crowd_id),
  );
  expect([heard.bo, heard.cy, heard.mo]).toEqual([[], [], []]);
  expectIn(id, [testServer.idOf("bo")]);
  await testServer.realm.write((tx) => restoreChannel(tx, person("olga"), id));
  await finishBulkSubscribe(testServer.realm, crowd_id);
  expectIn(id, [testServer.idOf("bo")]);
});

test("several channels, some of them new, take a crowd in one request", async () => {
  const there = await beginWith([testServer.idOf("bo")]);
  const names = [testServer.realm.read.channels.get(there.id)!.name, `crowd ${++made}`];
  const principals = crowd.slice(0, SUBSCRIBED_AT_ONCE_MAX / 2 + 1);
  const subscriptions = [
    { name: names[0], color: "#123456" },
    { name: names[1], color: "#654321" },
  ];
  const { result } = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
    testServer.ask("bo", "POST /users/me/subscriptions", { subscriptions, principals }),
  );
  expect(result.already_subscribed).toEqual({ [testServer.idOf("bo")]: [names[0]] });
  expect(result.subscribed[testServer.idOf("bo")]).toEqual([names[1]]);
  expect(result.subscribed[principals.at(-1)!]).toEqual(names);
  expect(result.new_subscription_messages_sent).toBe(false);
  const made_id = testServer.realm.read.channels.one("name", names[1]!)!.stream_id;
  expectIn(there.id, principals);
  expectIn(made_id, principals);
  const colors = [there.id, made_id].map((id) => {
    return testServer.realm.read.subscriptions.get(principals.at(-1)!, id)!.color;
  });
  expect(colors).toEqual(["#123456", "#654321"]);
});

test("a crowd of many colors is told in few words", async () => {
  const people = strangers.slice(0, 24);
  await testServer.realm.write((tx) => {
    for (const [nth, user] of people.entries()) {
      const channels = Array.from({ length: nth }, () =>
        createChannel(tx, null, { name: `own ${++made}`, description: "" }),
      );
      subscribe(tx, null, [user], channels);
    }
  });
  const before = testServer.realm.read.log.count();
  const { heard, result } = await staysInSync(testServer, ["cy", "gus", "mo"], () =>
    testServer.ask("bo", "POST /channels/create", { name: `crowd ${++made}`, subscribers: crowd }),
  );
  expectIn(result.id, crowd);
  const log = [...testServer.realm.read.log.range()].slice(before);
  const bytes = log.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
  expect(bytes).toBeLessThan(100 * crowd.length);
  const [, added, others] = heard.gus!;
  expect(added!["subscriptions"][0].subscribers.length).toBeLessThan(crowd.length);
  expect(others!["user_ids"]).toContain(testServer.idOf("bo"));
  for (const { user_id } of people.slice(0, 5)) {
    const colors = testServer.realm.read.subscriptions
      .by("user", user_id)
      .map(({ color }) => color);
    expect(new Set(colors).size).toBe(colors.length);
  }
});
