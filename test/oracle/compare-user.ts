// Fetches everything that one user can request, and compares it with the oracle.
import type { Name } from "../users.ts";
import type { Json, Params } from "../test-server.ts";
import { read } from "../features/upload-fixture.ts";
import { difference } from "./difference.ts";
import { CLIENT } from "./client-model.ts";
import { type Game, PEOPLE, WORDS } from "./game.ts";
import { mentions, unreadMentions } from "./mentions.ts";
import {
  channelOf,
  flagsOf,
  hasContent,
  hasMetadata,
  isGuest,
  isHere,
  isPrivate,
  isReceipt,
  isUnread,
  mayOpen,
  mayRead,
  seesHistory,
  seesPerson,
  subscribersOf,
} from "./visibility.ts";
import type { Channel, Said } from "./model.ts";

const SAMPLE = 12;

/** Compares a random half of the parts. */
export async function compareUser(game: Game, who: Name): Promise<string[]> {
  const all = [lists, insides, messages, narrows, mentions, counts];
  const parts = all.filter(() => game.roll(2) === 0);
  const wrong = [];
  for (const part of parts) wrong.push(...(await part(game, who)));
  return wrong.map((text) => `${who}: ${text}`);
}

/** Returns the ids that belong to channels of the oracle. */
function ours(game: Game, found: Json[]): number[] {
  return found.map(({ stream_id }) => stream_id).filter((id) => game.world.channels.has(id));
}

async function lists(game: Game, who: Name): Promise<string[]> {
  const { testServer, world } = game;
  const wrong: string[] = [];
  const list = async (params: Params, test: (channel: Channel) => boolean) => {
    const { streams } = await testServer.ask(who, "GET /streams", params);
    const wanted = [...world.channels.values()].filter(test).map(({ id }) => id);
    wrong.push(
      ...difference(`GET /streams ${JSON.stringify(params)}`, ours(game, streams), wanted),
    );
  };
  const isIn = ({ subscribers }: Channel) => subscribers.has(who);
  const isOpen = (one: Channel) => !isPrivate(one) && !isGuest(world, who);
  const none = { include_public: false, include_subscribed: false };
  await list({}, (one) => !one.is_archived && (isOpen(one) || isIn(one)));
  await list({ include_public: false }, (one) => !one.is_archived && isIn(one));
  await list(
    { ...none, include_web_public: true },
    (one) => one.kind === "web" && !one.is_archived,
  );
  await list({ include_all: true }, (one) => !one.is_archived && hasMetadata(world, who, one));
  await list({ include_all: true, exclude_archived: false }, (one) => hasMetadata(world, who, one));
  await list(
    { ...none, include_can_access_content: true },
    (one) => !one.is_archived && hasContent(world, who, one),
  );
  const { subscriptions } = await testServer.ask(who, "GET /users/me/subscriptions");
  const wanted = [...world.channels.values()].filter((one) => isIn(one) && !one.is_archived);
  wrong.push(
    ...difference(
      "GET /users/me/subscriptions",
      ours(game, subscriptions),
      wanted.map(({ id }) => id),
    ),
  );
  return wrong;
}

async function insides(game: Game, who: Name): Promise<string[]> {
  const { testServer, world } = game;
  const wrong: string[] = [];
  for (const channel of world.channels.values()) {
    const { id, name } = channel;
    const sees = hasMetadata(world, who, channel);
    const one = await testServer.send(who, `GET /streams/${id}`);
    wrong.push(...difference(`GET the channel ${name}`, one.ok, sees));
    const members = await asked(game, who, `GET /streams/${id}/members`);
    const people = sees ? game.ids(subscribersOf(world, channel)) : "refused";
    wrong.push(...difference(`members of ${name}`, members?.subscribers ?? "refused", people));
    const topics = await asked(game, who, `GET /users/me/${id}/topics`);
    const found = topics?.topics.map((topic: Json) => `${topic.name} ${topic.max_id}`);
    const wanted = hasContent(world, who, channel) ? topicsOf(game, who, channel) : "refused";
    wrong.push(...difference(`topics of ${name}`, found ?? "refused", wanted));
    const byName = await testServer.send(who, "GET /get_stream_id", { stream: name });
    const isFound = hasContent(world, who, channel) && !channel.is_archived;
    wrong.push(...difference(`id of ${name}`, byName.ok, isFound));
  }
  const other = game.pick(PEOPLE);
  wrong.push(...(await company(game, who, other, game.channel())));
  const answer = await asked(game, who, `GET /users/${testServer.idOf(other)}/channels`);
  const found = answer?.subscribed_channel_ids.filter((id: number) => world.channels.has(id));
  const wanted = [...world.channels.values()].filter(
    (one) =>
      hasMetadata(world, who, one) &&
      one.subscribers.has(other) &&
      isHere(world, other) &&
      !one.is_archived,
  );
  const ids = wanted.map(({ id }) => id);
  const told = seesPerson(world, who, other) ? ids : "refused";
  wrong.push(...difference(`channels of ${other}`, found ?? "refused", told));
  const { members } = await game.testServer.ask(who, "GET /users");
  const people = members.map(({ user_id }: Json) => user_id);
  const seen = game.ids(PEOPLE.filter((one) => seesPerson(world, who, one)));
  wrong.push(...difference("GET /users", people, seen));
  return wrong;
}

/** Compares whether `other` is in the channel, as far as `who` may know. */
async function company(game: Game, who: Name, other: Name, channel: Channel): Promise<string[]> {
  const line = `GET /users/${game.testServer.idOf(other)}/subscriptions/${channel.id}`;
  const found = (await asked(game, who, line))?.is_subscribed ?? "refused";
  const isIn = channel.subscribers.has(other);
  const isTold = hasMetadata(game.world, who, channel) && seesPerson(game.world, who, other);
  const wanted = isTold ? isIn : "refused";
  return isHere(game.world, other) ? difference(`${other} in ${channel.name}`, found, wanted) : [];
}

function topicsOf({ world }: Game, who: Name, channel: Channel): string[] {
  const newest = new Map<string, number>();
  for (const said of world.said.values()) {
    if (said.channel !== channel.id || !mayRead(world, who, said)) continue;
    newest.set(said.topic, Math.max(said.id, newest.get(said.topic) ?? 0));
  }
  return [...newest].map(([topic, id]) => `${topic} ${id}`);
}

async function asked(game: Game, who: Name, line: string): Promise<Json> {
  const answer = await game.testServer.send(who, line);
  const body = await answer.json();
  return answer.ok ? body : undefined;
}

async function messages(game: Game, who: Name): Promise<string[]> {
  const wrong: string[] = [];
  const all = [...game.world.said.values()];
  for (let at = 0; at < Math.min(SAMPLE, all.length); at++) {
    const said = game.pick(all);
    const found = await asked(game, who, `GET /messages/${said.id}`);
    const flags = found?.message.flags.filter((flag: string) =>
      /^(read|starred|historical|mentioned|stream_wildcard_mentioned)$/.test(flag),
    );
    const wanted = mayRead(game.world, who, said) ? flagsOf(who, said) : "refused";
    const isNamed = found && found.message.sender_full_name !== "Unknown user";
    if (found) {
      const isSeen = seesPerson(game.world, who, said.sender);
      wrong.push(...difference(`the name of ${said.sender}`, isNamed, isSeen));
    }
    wrong.push(...difference(`GET /messages/${said.id}`, flags ?? "refused", wanted));
  }
  wrong.push(...(await files(game, who)), ...(await traces(game, who, game.pick(all))));
  for (const id of game.gone) {
    if (game.roll(4) > 0) continue;
    const { ok } = await game.testServer.send(who, `GET /messages/${id}`);
    wrong.push(...difference(`GET /messages/${id}, deleted`, ok, false));
  }
  return wrong;
}

async function files({ testServer, world }: Game, who: Name): Promise<string[]> {
  const wrong: string[] = [];
  for (const [url, owner] of world.files) {
    const { ok } = await read(testServer, who, url);
    wrong.push(...difference(`the file of ${owner}`, ok, mayOpen(world, who, url)));
  }
  return wrong;
}

/** Compares read receipts and the edit history. */
async function traces(game: Game, who: Name, said: Said | undefined): Promise<string[]> {
  if (said === undefined) return [];
  const { world } = game;
  const isReadable = mayRead(world, who, said);
  const history = await asked(game, who, `GET /messages/${said.id}/history`);
  const receipts = await asked(game, who, `GET /messages/${said.id}/read_receipts`);
  const readers = game.ids(PEOPLE.filter((other) => isReceipt(world, other, said)));
  return [
    ...difference(`history of ${said.id}`, history !== undefined, isReadable),
    ...difference(
      `receipts of ${said.id}`,
      receipts?.user_ids ?? "refused",
      isReadable ? readers : "refused",
    ),
  ];
}

async function narrows(game: Game, who: Name): Promise<string[]> {
  const { world } = game;
  const wrong: string[] = [];
  const fetch = async (narrow: Json[], test: (said: Said) => boolean, mayRefuse = false) => {
    const params = { anchor: "newest", num_before: 1000, num_after: 0, narrow };
    const answer = await game.testServer.send(who, "GET /messages", params);
    if (!answer.ok && mayRefuse) return;
    const { messages: found } = (await answer.json()) as Json;
    const ids = found?.filter((one: Json) => game.names.has(one.sender_id)).map(idOf);
    const wanted = [...world.said.values()].filter(
      (said) => mayRead(world, who, said) && test(said),
    );
    const what = narrow.map(({ operator, operand }) => `${operator}:${operand}`).join(" ");
    wrong.push(...difference(`narrow ${what}`, ids ?? "refused", wanted.map(idOf)));
  };
  const isOwn = ({ rows }: Said) => rows.has(who);
  const term = (operator: string, operand: unknown) => ({ operator, operand });
  const word = game.pick(WORDS);
  const other = game.pick(PEOPLE);
  const search = term("search", word);
  await fetch([], isOwn);
  await fetch([term("is", "unread")], (said) => isUnread(world, who, said));
  await fetch([term("is", "dm")], (said) => said.channel === undefined);
  await fetch([search], (said) => isOwn(said) && said.word === word);
  await fetch(
    [term("sender", game.testServer.idOf(other))],
    (said) => isOwn(said) && said.sender === other,
  );
  const dm = term("dm", game.ids([who, other]));
  const pair = new Set([who, other]);
  await fetch(
    [dm],
    (said) => said.channel === undefined && isSame(new Set(said.rows.keys()), pair),
  );
  if (!isGuest(world, who)) {
    const isOpen = (said: Said) => /^(web|public)$/.test(channelOf(world, said)?.kind ?? "");
    await fetch([term("channels", "public")], isOpen);
  }
  for (const channel of world.channels.values()) {
    const isHere = (said: Said) => said.channel === channel.id;
    const isShown = (said: Said) =>
      isHere(said) && (seesHistory(world, who, channel) || isOwn(said));
    const mayRefuse = !hasContent(world, who, channel);
    const inside = term("channel", channel.id);
    const tea = term("topic", "tea");
    await fetch([inside], isShown, mayRefuse);
    await fetch([inside, search], (said) => isShown(said) && said.word === word, mayRefuse);
    await fetch([inside, tea], (said) => isShown(said) && said.topic === "tea", mayRefuse);
  }
  return wrong;
}

const idOf = ({ id }: { id: number }) => id;
const isSame = (a: Set<Name>, b: Set<Name>) => a.size === b.size && a.isSubsetOf(b);

async function counts(game: Game, who: Name): Promise<string[]> {
  const { testServer, world } = game;
  const told = await testServer.ask(who, "POST /register", CLIENT);
  await testServer.ask(who, "DELETE /events", { queue_id: told.queue_id });
  const { pms, streams, huddles } = told.unread_msgs;
  const ids: number[] = [...pms, ...streams, ...huddles].flatMap((one) => one.unread_message_ids);
  const wanted = [...world.said.values()].filter((said) => isUnread(world, who, said));
  const known = ids.filter((id) => world.said.has(id) || game.gone.has(id));
  const all = [...world.channels.values()];
  const idsOf = (test: (channel: Channel) => boolean) => all.filter(test).map(({ id }) => id);
  const sees = (one: Channel) => hasMetadata(world, who, one);
  const isIn = (one: Channel) => one.subscribers.has(who);
  const outside = [...told.unsubscribed, ...told.never_subscribed];
  return [
    ...difference(
      "unread at register",
      known,
      wanted.map(({ id }) => id),
    ),
    ...difference("number of unread", told.unread_msgs.count, ids.length),
    ...difference(
      "unread mentions",
      told.unread_msgs.mentions.filter((id: number) => known.includes(id)),
      unreadMentions(who, wanted),
    ),
    ...difference("register's streams", ours(game, told.streams), idsOf(sees)),
    ...difference("register's subscriptions", ours(game, told.subscriptions), idsOf(isIn)),
    ...difference(
      "register's others",
      ours(game, outside),
      idsOf((one) => sees(one) && !isIn(one)),
    ),
  ];
}
