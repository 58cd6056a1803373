// Fetches everything that one user can request, and compares it with the oracle.
import type { Name } from "../users.ts";
import type { Json, Params } from "../test-server.ts";
import { read } from "../features/upload-fixture.ts";
import { difference } from "./difference.ts";
import { CLIENT } from "./client-model.ts";
import { type Simulation, PEOPLE, WORDS } from "./simulation.ts";
import { compareMentions, unreadMentions } from "./mentions.ts";
import {
  channelOf,
  flagsOf,
  hasContent,
  hasMetadata,
  isGuest,
  isActive,
  isPrivate,
  isReceipt,
  isUnread,
  canOpen,
  canRead,
  canSeeHistory,
  canSeePerson,
  subscribersOf,
} from "./visibility.ts";
import type { Channel, ModelMessage } from "./model.ts";

const SAMPLE = 12;

/** Compares a random half of the parts. */
export async function compareUser(sim: Simulation, name: Name): Promise<string[]> {
  const all = [
    compareLists,
    compareContent,
    compareMessages,
    compareNarrows,
    compareMentions,
    compareCounts,
  ];
  const parts = all.filter(() => sim.roll(2) === 0);
  const wrong = [];
  for (const part of parts) wrong.push(...(await part(sim, name)));
  return wrong.map((text) => `${name}: ${text}`);
}

/** Returns the ids that belong to channels of the oracle. */
function knownChannelIds(sim: Simulation, found: Json[]): number[] {
  return found.map(({ stream_id }) => stream_id).filter((id) => sim.model.channels.has(id));
}

async function compareLists(sim: Simulation, name: Name): Promise<string[]> {
  const { testServer, model } = sim;
  const wrong: string[] = [];
  const list = async (params: Params, test: (channel: Channel) => boolean) => {
    const { streams } = await testServer.request(name, "GET /streams", params);
    const expected = [...model.channels.values()].filter(test).map(({ id }) => id);
    wrong.push(
      ...difference(
        `GET /streams ${JSON.stringify(params)}`,
        knownChannelIds(sim, streams),
        expected,
      ),
    );
  };
  const isIncluded = ({ subscribers }: Channel) => subscribers.has(name);
  const isOpen = (channel: Channel) => !isPrivate(channel) && !isGuest(model, name);
  const none = { include_public: false, include_subscribed: false };
  await list({}, (channel) => !channel.is_archived && (isOpen(channel) || isIncluded(channel)));
  await list({ include_public: false }, (channel) => !channel.is_archived && isIncluded(channel));
  await list(
    { ...none, include_web_public: true },
    (channel) => channel.kind === "web" && !channel.is_archived,
  );
  await list(
    { include_all: true },
    (channel) => !channel.is_archived && hasMetadata(model, name, channel),
  );
  await list({ include_all: true, exclude_archived: false }, (channel) =>
    hasMetadata(model, name, channel),
  );
  await list(
    { ...none, include_can_access_content: true },
    (channel) => !channel.is_archived && hasContent(model, name, channel),
  );
  const { subscriptions } = await testServer.request(name, "GET /users/me/subscriptions");
  const target = [...model.channels.values()].filter(
    (channel) => isIncluded(channel) && !channel.is_archived,
  );
  wrong.push(
    ...difference(
      "GET /users/me/subscriptions",
      knownChannelIds(sim, subscriptions),
      target.map(({ id }) => id),
    ),
  );
  return wrong;
}

async function compareContent(sim: Simulation, userName: Name): Promise<string[]> {
  const { testServer, model } = sim;
  const wrong: string[] = [];
  for (const channel of model.channels.values()) {
    const { id, name } = channel;
    const canSee = hasMetadata(model, userName, channel);
    const response = await testServer.send(userName, `GET /streams/${id}`);
    wrong.push(...difference(`GET the channel ${name}`, response.ok, canSee));
    const members = await request(sim, userName, `GET /streams/${id}/members`);
    const people = canSee ? sim.ids(subscribersOf(model, channel)) : "refused";
    wrong.push(...difference(`members of ${name}`, members?.subscribers ?? "refused", people));
    const topics = await request(sim, userName, `GET /users/me/${id}/topics`);
    const topicTexts = topics?.topics.map((topic: Json) => `${topic.name} ${topic.max_id}`);
    const expected = hasContent(model, userName, channel)
      ? topicsOf(sim, userName, channel)
      : "refused";
    wrong.push(...difference(`topics of ${name}`, topicTexts ?? "refused", expected));
    const byName = await testServer.send(userName, "GET /get_stream_id", { stream: name });
    const isVisible = hasContent(model, userName, channel) && !channel.is_archived;
    wrong.push(...difference(`id of ${name}`, byName.ok, isVisible));
  }
  const other = sim.pick(PEOPLE);
  wrong.push(...(await compareSubscription(sim, userName, other, sim.pickChannel())));
  const response = await request(sim, userName, `GET /users/${testServer.idOf(other)}/channels`);
  const found = response?.subscribed_channel_ids.filter((id: number) => model.channels.has(id));
  const target = [...model.channels.values()].filter(
    (channel) =>
      hasMetadata(model, userName, channel) &&
      channel.subscribers.has(other) &&
      isActive(model, other) &&
      !channel.is_archived,
  );
  const ids = target.map(({ id }) => id);
  const received = canSeePerson(model, userName, other) ? ids : "refused";
  wrong.push(...difference(`channels of ${other}`, found ?? "refused", received));
  const { members } = await sim.testServer.request(userName, "GET /users");
  const people = members.map(({ user_id }: Json) => user_id);
  const seen = sim.ids(PEOPLE.filter((name) => canSeePerson(model, userName, name)));
  wrong.push(...difference("GET /users", people, seen));
  return wrong;
}

/** Compares whether `other` is in the channel, as far as `name` may know. */
async function compareSubscription(
  sim: Simulation,
  name: Name,
  other: Name,
  channel: Channel,
): Promise<string[]> {
  const line = `GET /users/${sim.testServer.idOf(other)}/subscriptions/${channel.id}`;
  const response = (await request(sim, name, line))?.is_subscribed ?? "refused";
  const isIncluded = channel.subscribers.has(other);
  const isNotified = hasMetadata(sim.model, name, channel) && canSeePerson(sim.model, name, other);
  const expected = isNotified ? isIncluded : "refused";
  return isActive(sim.model, other)
    ? difference(`${other} in ${channel.name}`, response, expected)
    : [];
}

function topicsOf({ model }: Simulation, name: Name, channel: Channel): string[] {
  const newest = new Map<string, number>();
  for (const message of model.messages.values()) {
    if (message.channel !== channel.id || !canRead(model, name, message)) continue;
    newest.set(message.topic, Math.max(message.id, newest.get(message.topic) ?? 0));
  }
  return [...newest].map(([topic, id]) => `${topic} ${id}`);
}

async function request(sim: Simulation, name: Name, line: string): Promise<Json> {
  const response = await sim.testServer.send(name, line);
  const body = await response.json();
  return response.ok ? body : undefined;
}

async function compareMessages(sim: Simulation, name: Name): Promise<string[]> {
  const wrong: string[] = [];
  const all = [...sim.model.messages.values()];
  for (let index = 0; index < Math.min(SAMPLE, all.length); index++) {
    const message = sim.pick(all);
    const response = await request(sim, name, `GET /messages/${message.id}`);
    const flags = response?.message.flags.filter((flag: string) =>
      /^(read|starred|historical|mentioned|stream_wildcard_mentioned)$/.test(flag),
    );
    const expected = canRead(sim.model, name, message) ? flagsOf(name, message) : "refused";
    const isAttributed = response && response.message.sender_full_name !== "Unknown user";
    if (response) {
      const isSeen = canSeePerson(sim.model, name, message.sender);
      wrong.push(...difference(`the name of ${message.sender}`, isAttributed, isSeen));
    }
    wrong.push(...difference(`GET /messages/${message.id}`, flags ?? "refused", expected));
  }
  wrong.push(
    ...(await compareFiles(sim, name)),
    ...(await compareTraces(sim, name, sim.pick(all))),
  );
  for (const id of sim.gone) {
    if (sim.roll(4) > 0) continue;
    const { ok } = await sim.testServer.send(name, `GET /messages/${id}`);
    wrong.push(...difference(`GET /messages/${id}, deleted`, ok, false));
  }
  return wrong;
}

async function compareFiles({ testServer, model }: Simulation, name: Name): Promise<string[]> {
  const wrong: string[] = [];
  for (const [url, owner] of model.files) {
    const { ok } = await read(testServer, name, url);
    wrong.push(...difference(`the file of ${owner}`, ok, canOpen(model, name, url)));
  }
  return wrong;
}

/** Compares read receipts and the edit history. */
async function compareTraces(
  sim: Simulation,
  name: Name,
  message: ModelMessage | undefined,
): Promise<string[]> {
  if (message === undefined) return [];
  const { model } = sim;
  const isReadable = canRead(model, name, message);
  const history = await request(sim, name, `GET /messages/${message.id}/history`);
  const receipts = await request(sim, name, `GET /messages/${message.id}/read_receipts`);
  const readers = sim.ids(PEOPLE.filter((other) => isReceipt(model, other, message)));
  return [
    ...difference(`history of ${message.id}`, history !== undefined, isReadable),
    ...difference(
      `receipts of ${message.id}`,
      receipts?.user_ids ?? "refused",
      isReadable ? readers : "refused",
    ),
  ];
}

async function compareNarrows(sim: Simulation, name: Name): Promise<string[]> {
  const { model } = sim;
  const wrong: string[] = [];
  const fetch = async (
    narrow: Json[],
    test: (message: ModelMessage) => boolean,
    canFail = false,
  ) => {
    const params = { anchor: "newest", num_before: 1000, num_after: 0, narrow };
    const response = await sim.testServer.send(name, "GET /messages", params);
    if (!response.ok && canFail) return;
    const { messages: found } = (await response.json()) as Json;
    const ids = found?.filter((item: Json) => sim.names.has(item.sender_id)).map(idOf);
    const expected = [...model.messages.values()].filter(
      (message) => canRead(model, name, message) && test(message),
    );
    const label = narrow.map(({ operator, operand }) => `${operator}:${operand}`).join(" ");
    wrong.push(...difference(`narrow ${label}`, ids ?? "refused", expected.map(idOf)));
  };
  const isOwn = ({ rows }: ModelMessage) => rows.has(name);
  const term = (operator: string, operand: unknown) => ({ operator, operand });
  const word = sim.pick(WORDS);
  const other = sim.pick(PEOPLE);
  const search = term("search", word);
  await fetch([], isOwn);
  await fetch([term("is", "unread")], (message) => isUnread(model, name, message));
  await fetch([term("is", "dm")], (message) => message.channel === undefined);
  await fetch([search], (message) => isOwn(message) && message.word === word);
  await fetch(
    [term("sender", sim.testServer.idOf(other))],
    (message) => isOwn(message) && message.sender === other,
  );
  const dm = term("dm", sim.ids([name, other]));
  const pair = new Set([name, other]);
  await fetch(
    [dm],
    (message) => message.channel === undefined && isSame(new Set(message.rows.keys()), pair),
  );
  if (!isGuest(model, name)) {
    const isOpen = (message: ModelMessage) =>
      /^(web|public)$/.test(channelOf(model, message)?.kind ?? "");
    await fetch([term("channels", "public")], isOpen);
  }
  for (const channel of model.channels.values()) {
    const isInChannel = (message: ModelMessage) => message.channel === channel.id;
    const isShown = (message: ModelMessage) =>
      isInChannel(message) && (canSeeHistory(model, name, channel) || isOwn(message));
    const canFail = !hasContent(model, name, channel);
    const inside = term("channel", channel.id);
    const tea = term("topic", "tea");
    await fetch([inside], isShown, canFail);
    await fetch([inside, search], (message) => isShown(message) && message.word === word, canFail);
    await fetch([inside, tea], (message) => isShown(message) && message.topic === "tea", canFail);
  }
  return wrong;
}

const idOf = ({ id }: { id: number }) => id;
const isSame = (a: Set<Name>, b: Set<Name>) => a.size === b.size && a.isSubsetOf(b);

async function compareCounts(sim: Simulation, name: Name): Promise<string[]> {
  const { testServer, model } = sim;
  const snapshot = await testServer.request(name, "POST /register", CLIENT);
  await testServer.request(name, "DELETE /events", { queue_id: snapshot.queue_id });
  const { pms, streams, huddles } = snapshot.unread_msgs;
  const ids: number[] = [...pms, ...streams, ...huddles].flatMap((item) => item.unread_message_ids);
  const expected = [...model.messages.values()].filter((message) => isUnread(model, name, message));
  const known = ids.filter((id) => model.messages.has(id) || sim.gone.has(id));
  const all = [...model.channels.values()];
  const idsOf = (test: (channel: Channel) => boolean) => all.filter(test).map(({ id }) => id);
  const canSee = (channel: Channel) => hasMetadata(model, name, channel);
  const isIncluded = (channel: Channel) => channel.subscribers.has(name);
  const outside = [...snapshot.unsubscribed, ...snapshot.never_subscribed];
  return [
    ...difference(
      "unread at register",
      known,
      expected.map(({ id }) => id),
    ),
    ...difference("number of unread", snapshot.unread_msgs.count, ids.length),
    ...difference(
      "unread mentions",
      snapshot.unread_msgs.mentions.filter((id: number) => known.includes(id)),
      unreadMentions(name, expected),
    ),
    ...difference("register's streams", knownChannelIds(sim, snapshot.streams), idsOf(canSee)),
    ...difference(
      "register's subscriptions",
      knownChannelIds(sim, snapshot.subscriptions),
      idsOf(isIncluded),
    ),
    ...difference(
      "register's others",
      knownChannelIds(sim, outside),
      idsOf((channel) => canSee(channel) && !isIncluded(channel)),
    ),
  ];
}
