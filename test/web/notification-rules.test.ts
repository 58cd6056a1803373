// Notifications by one rule, in the browser and on the server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { triggerOf } from "../../src/features/notifications/trigger.ts";
import { isReason } from "../../src/features/notifications/rules.ts";
import {
  type AttentionState,
  decideNotification,
} from "../../src/web/features/notifications/decide.ts";
import {
  withMessage,
  shownAs,
  withoutRead,
  tagOf,
} from "../../src/web/features/notifications/content.ts";
import {
  isDoNotDisturbAt,
  isDoNotDisturbSetting,
  nextMorning,
} from "../../src/web/features/notifications/do-not-disturb-rules.ts";
import type { Message } from "../../src/web/contract/message.ts";
import { hydrate, reduce, type State } from "../../src/web/store/state.ts";
import type { Event } from "../../src/web/contract/snapshot.ts";
import { narrowOf } from "../../src/text/narrow-fragment.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let [garden, shed] = [0, 0];

beforeAll(async () => {
  testServer = await startTestServer();
  const principals = (["ada", "bo", "cy"] as const).map((name) => testServer.idOf(name));
  const subscriptions = [{ name: "garden" }, { name: "shed" }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  const idOf = async (stream: string) =>
    (await testServer.request("ada", "GET /get_stream_id", { stream })).stream_id as number;
  [garden, shed] = [await idOf("garden"), await idOf("shed")];
});
afterAll(() => testServer?.close());

const NOBODY: AttentionState = { watched: [], isQuiet: false };

interface ReceivedMessage {
  state: State;
  message: Message;
}

/** Returns a new message and the state of Bo's client after its event. */
async function receivedBy(send: () => Promise<unknown>): Promise<ReceivedMessage> {
  const listener = await testServer.listen("bo", {
    client_capabilities: { empty_topic_name: true, user_settings_object: true },
    apply_markdown: true,
  });
  const state = hydrate(listener.registered);
  await send();
  const events = (await listener.takeAll()) as Event[];
  reduce(state, events);
  const arrived = events.findLast(({ type }) => type === "message") as Event<"message">;
  return { state, message: state.messages.byId.get(arrived.message.id)! };
}

const post = (topic: string, content: string, name: Name = "ada", to = garden) =>
  receivedBy(() =>
    testServer.request(name, "POST /messages", { type: "channel", to, topic, content }),
  );
const postDirect = (name: Name = "ada") =>
  receivedBy(() =>
    testServer.request(name, "POST /messages", {
      type: "direct",
      to: [testServer.idOf("bo")],
      content: "psst",
    }),
  );
const setTopicPolicy = (topic: string, visibility_policy: number) =>
  testServer.request("bo", "POST /user_topics", { stream_id: garden, topic, visibility_policy });
const setChannelProperty = (stream_id: number, property: string, value: unknown) =>
  testServer.request("bo", "POST /users/me/subscriptions/properties", {
    subscription_data: [{ stream_id, property, value }],
  });
const set = (settings: Record<string, unknown>) =>
  testServer.request("bo", "PATCH /settings", settings);

/** Returns the client's answer for each kind of notification; push and email match the server's. */
function answersTo({ state, message }: ReceivedMessage) {
  const { answers: responses } = decideNotification(message, state, NOBODY);
  const { read } = testServer.realm;
  const [user, record] = [read.users.get(testServer.idOf("bo"))!, read.messages.get(message.id)!];
  for (const medium of ["push", "email"] as const) {
    const response = responses[medium];
    expect(triggerOf(read, user, record, medium)).toBe(isReason(response) ? response : undefined!);
  }
  return responses;
}

test("notifies of mentions and direct messages by each way, of others by none", async () => {
  const called = { desktop: "direct", sound: "direct", push: "direct", email: "direct" };
  expect(answersTo(await postDirect())).toEqual(called as never);
  const mentionAnswers = answersTo(await post("plants", "@**Bo Member** look"));
  expect([mentionAnswers.desktop, mentionAnswers.sound, mentionAnswers.push]).toEqual([
    "mention",
    "mention",
    "mention",
  ]);
  const everyone = answersTo(await post("plants", "@**all** come"));
  expect([everyone.desktop, everyone.email]).toEqual(["wildcard", "wildcard"]);
  const { id } = await testServer
    .request("ada", "POST /user_groups/create", {
      name: "Gardeners",
      description: "",
      members: [testServer.idOf("bo")],
    })
    .then(({ group_id }) => ({ id: group_id as number }));
  expect(id).toBeGreaterThan(0);
  const group = answersTo(await post("plants", "@*Gardeners* dig"));
  expect([group.desktop, group.push]).toEqual(["group", "group"]);
  const plain = answersTo(await post("quiet corner", "nothing new"));
  expect(plain).toEqual({ desktop: "off", sound: "off", push: "off", email: "off" });
});

test("notifies of followed topics, and of muted ones only for mentions", async () => {
  await setTopicPolicy("followed", 3);
  const followed = answersTo(await post("followed", "news"));
  expect([followed.desktop, followed.sound]).toEqual(["followed", "followed"]);
  await setTopicPolicy("muted", 1);
  expect(answersTo(await post("muted", "noise")).desktop).toBe("muted-topic");
  expect(answersTo(await post("muted", "@**all** noise")).desktop).toBe("muted-topic");
  expect(answersTo(await post("muted", "@**Bo Member** noise")).desktop).toBe("mention");
});

test("a channel's own setting overrides the default", async () => {
  await setChannelProperty(shed, "desktop_notifications", true);
  await setChannelProperty(shed, "wildcard_mentions_notify", false);
  const own = answersTo(await post("tools", "a rake", "ada", shed));
  expect([own.desktop, own.sound, own.push]).toEqual(["channel", "off", "off"]);
  expect(answersTo(await post("tools", "@**all** rakes", "ada", shed)).sound).toBe("off");
  await setChannelProperty(shed, "is_muted", true);
  expect(answersTo(await post("tools", "a spade", "ada", shed)).desktop).toBe("muted-channel");
  await setChannelProperty(shed, "is_muted", false);
  await setChannelProperty(shed, "desktop_notifications", false);
  await set({ enable_stream_desktop_notifications: true });
  expect(answersTo(await post("tools", "a hoe", "ada", shed)).desktop).toBe("off");
  await set({ enable_stream_desktop_notifications: false });
});

test("each setting disables one kind of notification", async () => {
  await set({ enable_sounds: false, enable_offline_email_notifications: false });
  const direct = await postDirect();
  const { desktop, sound, push, email } = answersTo(direct);
  expect([desktop, sound, push, email]).toEqual(["direct", "off", "direct", "off"]);
  const verdict = decideNotification(direct.message, direct.state, NOBODY);
  expect([verdict.shows, verdict.sounds]).toEqual([true, false]);
  await set({ enable_sounds: true, enable_offline_email_notifications: true });
  await set({ notification_sound: "none" });
  const quietly = await postDirect();
  expect(decideNotification(quietly.message, quietly.state, NOBODY).sounds).toBe(false);
  await set({ notification_sound: "zulip" });
});

test("an open client notifies of alert words", async () => {
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["compost"] });
  const { desktop, sound, push } = answersTo(await post("heap", "the compost is ready"));
  expect([desktop, sound, push]).toEqual(["word", "word", "off"]);
  await testServer.request("bo", "DELETE /users/me/alert_words", { alert_words: ["compost"] });
});

test("never notifies of own, read and muted messages", async () => {
  const { state, message } = await postDirect();
  const decisionFor = (about: Message, attention = NOBODY) =>
    decideNotification(about, state, attention);
  expect(decisionFor(message).silencedBy).toBeUndefined();
  expect(decisionFor(message).shows).toBe(true);
  expect(decisionFor({ ...message, sender_id: state.people.me }).silencedBy).toBe("own");
  expect(decisionFor({ ...message, flags: ["read"] }).silencedBy).toBe("read");
  state.people.muted.set(message.sender_id, 1);
  const { silencedBy: reason, shows, sounds } = decisionFor(message);
  expect([reason, shows, sounds]).toEqual(["muted-person", false, false]);
});

test("shows nothing for the open view, or during Do Not Disturb", async () => {
  const { state, message } = await post("plants", "@**Bo Member** look");
  const silencedAt = (address: string) => {
    const attention = { watched: [narrowOf(address)!], isQuiet: false };
    return decideNotification(message, state, attention).silencedBy;
  };
  expect(silencedAt(`channel/${garden}-garden/topic/Plants`)).toBe("in-view");
  expect(silencedAt(`channel/${garden}-garden`)).toBe("in-view");
  expect(silencedAt(`channel/${garden}-garden/topic/weeds`)).toBeUndefined();
  expect(silencedAt("search/look")).toBeUndefined();
  const quiet = decideNotification(message, state, { watched: [], isQuiet: true });
  expect([quiet.silencedBy, quiet.shows, quiet.sounds]).toEqual(["quiet", false, false]);
  expect(quiet.answers.desktop).toBe("mention");
});

test("quiet hours can span midnight", () => {
  const clockAt = (hours: number, minutes = 0) => {
    return { time: new Date(2026, 10, 23, hours, minutes).getTime(), zone: undefined };
  };
  const night = { until: 0, hours: { from: "22:30", to: "07:00" } };
  const times = [
    clockAt(22, 29),
    clockAt(22, 30),
    clockAt(0),
    clockAt(6, 59),
    clockAt(7),
    clockAt(12),
  ];
  expect(times.map((time) => isDoNotDisturbAt(night, time))).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
  const noon = { until: 0, hours: { from: "12:00", to: "13:00" } };
  expect(
    [clockAt(11), clockAt(12), clockAt(13)].map((item) => isDoNotDisturbAt(noon, item)),
  ).toEqual([false, true, false]);
  const never = { until: 0, hours: { from: "12:00", to: "12:00" } };
  expect(isDoNotDisturbAt(never, clockAt(12))).toBe(false);
  const until = { until: clockAt(12).time, hours: null };
  expect([isDoNotDisturbAt(until, clockAt(11)), isDoNotDisturbAt(until, clockAt(12))]).toEqual([
    true,
    false,
  ]);
  expect(new Date(nextMorning(clockAt(15)))).toEqual(new Date(2026, 10, 24, 8));
  expect(new Date(nextMorning(clockAt(3)))).toEqual(new Date(2026, 10, 23, 8));
  expect([{ until: 0, hours: null }, night].every(isDoNotDisturbSetting)).toBe(true);
  const foreign = [null, 3, {}, { until: 0 }, { until: 0, hours: { from: "25:00", to: "1" } }];
  expect(foreign.some(isDoNotDisturbSetting)).toBe(false);
});

test("groups notifications of a conversation, whatever its URL", () => {
  const tag = (address: string) => tagOf({ address, user_id: 9 });
  const topic = tag("#narrow/channel/5-design/topic/new.20logo/near/12");
  expect(tag("#narrow/channel/5-other/topic/New.20logo")).toBe(topic);
  expect(tag("#narrow/channel/6-design/topic/new.20logo")).not.toBe(topic);
  expect(tag("#narrow/dm/3,9-group/near/4")).toBe(tag("#narrow/dm/3-Bo"));
  expect(tag("")).not.toBe(tag("#narrow/dm/3-Bo"));
  expect(tagOf({ address: "#narrow/dm/3-Bo", user_id: 8 })).not.toBe(tag("#narrow/dm/3-Bo"));
  const notificationFor = (message_id: number) => {
    return { user_id: 9, message_id, title: "Bo", line: `${message_id}`, address: "", at: 0 };
  };
  let card = withMessage(undefined, notificationFor(1));
  for (const id of [2, 3, 4, 5, 5]) card = withMessage(card, notificationFor(id));
  const listMessages = (data: typeof card) => {
    const [title, { body }] = shownAs(data, { at: 0, isSilent: true });
    return [title, body];
  };
  expect(card.ids).toEqual([1, 2, 3, 4, 5]);
  expect(listMessages(card)).toEqual(["Bo (5)", "2\n3\n4\n5"]);
  const remaining = withoutRead(
    { ...card, address: "#narrow/dm/3-Bo/near/5" },
    (id) => id > 2 && id !== 4,
  )!;
  expect(listMessages(remaining)).toEqual(["Bo (3)", "1\n2\n4"]);
  expect(remaining.address).toBe("#narrow/dm/3-Bo/near/4");
  expect(withoutRead(card, (id) => id > 5)).toBe(card);
  expect(withoutRead(card, () => true)).toBeUndefined();
  // A notification shown by an earlier version, with only the newest lines.
  const before = withoutRead({ ...card, lines: ["4", "5"] }, (id) => id === 5)!;
  expect([before.ids, before.lines]).toEqual([[1, 2, 3, 4], ["4"]]);
});
