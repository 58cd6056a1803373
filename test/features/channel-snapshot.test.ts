// What a client is told of channels at first: lists, subscribers, what is inherited, traffic.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createChannel } from "../../src/features/channels/actions.ts";
import { createUser } from "../../src/features/users/actions.ts";
import type { Name } from "../cast.ts";
import { type Json, openTown, type Params, type Town } from "../town.ts";

const DAY_SECONDS = 86_400;

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

async function channel(by: Name, name: string, subscribers: Name[], params: Params = {}) {
  const given = { name, subscribers: subscribers.map((who) => town.idOf(who)), ...params };
  return (await town.ask(by, "POST /channels/create", given)).id as number;
}

const register = (name: Name, params: Params = {}) =>
  town.ask(name, "POST /register", { fetch_event_types: ["subscription", "stream"], ...params });

const named = (rows: Json[], name: string) => rows.find((row) => row.name === name);
const namesOf = (rows: Json[]) => rows.map(({ name }) => name).filter((n) => n.startsWith("a "));

test("channels stand in three lists, each by name", async () => {
  await channel("bo", "a third", ["cy"]);
  await channel("bo", "a first", ["cy"]);
  await channel("bo", "a second", ["cy"]);
  await channel("bo", "a secret", ["bo"], { invite_only: true });
  await channel("bo", "a fourth", ["bo"]);
  await town.ask("cy", "DELETE /users/me/subscriptions", { subscriptions: ["a second"] });
  const state = await register("cy");
  expect(namesOf(state.subscriptions)).toEqual(["a first", "a third"]);
  expect(namesOf(state.unsubscribed)).toEqual(["a second"]);
  expect(namesOf(state.never_subscribed)).toEqual(["a fourth"]);
  expect(namesOf(state.streams)).toEqual(["a first", "a fourth", "a second", "a third"]);
  expect(named(state.unsubscribed, "a second")).toHaveProperty("color");
  expect(named(state.never_subscribed, "a fourth")).not.toHaveProperty("color");
});

test("a client that knows of no inheriting hears the person's own settings", async () => {
  await channel("bo", "plain", ["mo"]);
  const [silent, knowing] = [
    await register("mo"),
    await register("mo", { client_capabilities: { notification_settings_null: true } }),
  ];
  expect(named(silent.subscriptions, "plain")).toMatchObject({
    desktop_notifications: false,
    wildcard_mentions_notify: true,
  });
  expect(named(knowing.subscriptions, "plain")).toMatchObject({
    desktop_notifications: null,
    wildcard_mentions_notify: null,
  });
});

test("of a large channel a client may hear the bots alone", async () => {
  await channel("bo", "small", ["bo", "bot"]);
  await town.realm.write((tx) => {
    const crowd = Array.from({ length: 250 }, (_, n) =>
      createUser(tx, null, { email: `n${n}@example.com`, full_name: `No ${n}`, role: 400 }),
    );
    const bot = tx.users.get(town.idOf("bot"))!;
    createChannel(tx, null, { name: "large" }, [...crowd, bot]);
  });
  const { never_subscribed, subscriptions } = await register("bo", {
    include_subscribers: '"partial"',
  });
  const [large, small] = [named(never_subscribed, "large"), named(subscriptions, "small")];
  expect(large.partial_subscribers).toEqual([town.idOf("bot")]);
  expect(large).not.toHaveProperty("subscribers");
  expect(small.subscribers).toEqual([town.idOf("bo"), town.idOf("bot")]);
  const whole = await register("bo", { include_subscribers: true });
  expect(named(whole.never_subscribed, "large").subscribers).toHaveLength(251);
  expect(named((await register("bo")).subscriptions, "small")).not.toHaveProperty("subscribers");
});

test("a channel of a week or more has the traffic of its last four", async () => {
  const id = await channel("bo", "busy", ["bo"]);
  const traffic = async () =>
    (await town.ask("bo", `GET /streams/${id}`)).stream.stream_weekly_traffic;
  const say = (count: number) =>
    town.realm.write((tx) => {
      for (let n = 0; n < count; n++) {
        const message = { ...tx.messages.get(model)!, id: tx.next("messages"), timestamp: tx.now };
        tx.messages.put(message);
        tx.channel_messages.add([id], message.id);
      }
    });
  const first = { type: "stream", to: id, topic: "t", content: "hi" };
  const model: number = (await town.ask("bo", "POST /messages", first)).id;
  expect(await traffic()).toBeNull();
  town.clock.pass(14 * DAY_SECONDS);
  await say(999);
  expect(await traffic()).toBe(500);
  town.clock.pass(20 * DAY_SECONDS);
  await say(455);
  expect(await traffic()).toBe(360);
});
