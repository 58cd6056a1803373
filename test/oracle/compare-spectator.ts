// Fetches everything that spectators can request, and compares it with the oracle.
import { read } from "../features/upload-fixture.ts";
import type { Json, Params } from "../test-server.ts";
import { difference } from "./difference.ts";
import { type Game, PEOPLE, WORDS } from "./game.ts";
import { channelOf, isOnTheWeb } from "./visibility.ts";
import type { Channel, ModelMessage } from "./model.ts";

const SAMPLE = 6;
const REFUSED = "refused";

/** Always fetches the snapshot, since spectators get no events, and a random half of the rest. */
export async function compareSpectator(game: Game): Promise<string[]> {
  const parts = [topics, messages, narrows, files].filter(() => game.roll(2) === 0);
  const wrong = [];
  for (const part of [state, ...parts]) wrong.push(...(await part(game)));
  return wrong.map((text) => `a spectator: ${text}`);
}

const web = ({ world }: Game) =>
  [...world.channels.values()].filter((channel) => isOnTheWeb(world, channel));

const canRead = ({ world }: Game, message: ModelMessage): boolean => {
  const channel = channelOf(world, message);
  return channel !== undefined && isOnTheWeb(world, channel);
};

const readable = (game: Game) =>
  [...game.world.said.values()].filter((message) => canRead(game, message));

/** Returns the response, or undefined for an error of the given status. */
async function request(game: Game, line: string, params: Params, status = 401): Promise<Json> {
  const response = await game.testServer.send(null, line, params);
  const body = (await response.json()) as Json;
  if (response.ok) return body;
  if (response.status !== status) throw new Error(`a spectator: ${line} → ${JSON.stringify(body)}`);
  return undefined;
}

async function state(game: Game): Promise<string[]> {
  const { testServer } = game;
  const channels = web(game);
  const isIncluded = channels.length > 0;
  const expected = isIncluded ? channels.map(({ id }) => id) : REFUSED;
  const ids = (found: Json[] | undefined) => found?.map(({ stream_id }) => stream_id) ?? REFUSED;
  const registered = await request(game, "POST /register", {});
  const list = await request(game, "GET /streams", { include_all: true, exclude_archived: false });
  const users = await request(game, "GET /users", {});
  const people = users?.members.map((person: Json) => person.user_id) ?? REFUSED;
  const settings = await testServer.request(null, "GET /server_settings");
  return [
    ...difference("register", ids(registered?.subscriptions), expected),
    ...difference("GET /streams", ids(list?.streams), expected),
    ...difference("GET /users", people, isIncluded ? game.ids(PEOPLE) : REFUSED),
    ...difference("is let in", settings.realm_web_public_access_enabled, isIncluded),
  ];
}

async function topics(game: Game): Promise<string[]> {
  const wrong: string[] = [];
  const isIncluded = web(game).length > 0;
  for (const channel of game.world.channels.values()) {
    const line = `GET /users/me/${channel.id}/topics`;
    const response = await request(game, line, {}, isIncluded ? 400 : 401);
    const found = response?.topics.map((topic: Json) => `${topic.name} ${topic.max_id}`);
    const expected = isOnTheWeb(game.world, channel) ? topicsOf(game, channel) : REFUSED;
    wrong.push(...difference(`topics of ${channel.name}`, found ?? REFUSED, expected));
  }
  return wrong;
}

function topicsOf({ world }: Game, channel: Channel): string[] {
  const newest = new Map<string, number>();
  for (const message of world.said.values()) {
    if (message.channel !== channel.id) continue;
    newest.set(message.topic, Math.max(message.id, newest.get(message.topic) ?? 0));
  }
  return [...newest].map(([topic, id]) => `${topic} ${id}`);
}

async function messages(game: Game): Promise<string[]> {
  const wrong: string[] = [];
  const all = [...game.world.said.values()];
  for (let index = 0; index < Math.min(SAMPLE, all.length); index++) {
    const message = game.pick(all);
    const flags = (await request(game, `GET /messages/${message.id}`, {}))?.message.flags;
    const expected = canRead(game, message) ? ["read"] : REFUSED;
    wrong.push(...difference(`GET /messages/${message.id}`, flags ?? REFUSED, expected));
  }
  for (const id of game.gone) {
    if (game.roll(8) > 0) continue;
    const found = await request(game, `GET /messages/${id}`, {});
    wrong.push(...difference(`GET /messages/${id}, deleted`, found !== undefined, false));
  }
  return wrong;
}

async function narrows(game: Game): Promise<string[]> {
  const wrong: string[] = [];
  const isIncluded = web(game).length > 0;
  const fetch = async (narrow: Json[], test: (message: ModelMessage) => boolean, status = 401) => {
    const terms = [["channels", "web-public"], ...narrow];
    const params = { anchor: "oldest", num_before: 0, num_after: 1000, narrow: terms };
    const response = await request(game, "GET /messages", params, isIncluded ? status : 401);
    const own = response?.messages.filter((message: Json) => game.names.has(message.sender_id));
    const expected = readable(game)
      .filter(test)
      .map(({ id }) => id);
    const isRefused = !isIncluded || status !== 401;
    const label = `narrow ${narrow.join(" ")}`;
    const found = own?.map(({ id }: Json) => id) ?? REFUSED;
    wrong.push(...difference(label, found, isRefused ? REFUSED : expected));
  };
  const [word, other] = [game.pick(WORDS), game.pick(PEOPLE)];
  await fetch([], () => true);
  await fetch([["search", word]], (message) => message.word === word);
  await fetch([["sender", String(game.testServer.idOf(other))]], () => false, 400);
  await fetch(
    [{ operator: "sender", operand: game.testServer.idOf(other) }],
    (s) => s.sender === other,
  );
  await fetch([["topic", "tea"]], (message) => message.topic === "tea");
  for (const channel of game.world.channels.values()) {
    const narrow = [{ operator: "channel", operand: channel.id }];
    const status = isOnTheWeb(game.world, channel) ? 401 : 400;
    await fetch(narrow, (message) => message.channel === channel.id, status);
  }
  return wrong;
}

async function files(game: Game): Promise<string[]> {
  const wrong: string[] = [];
  for (const [url, owner] of game.world.files) {
    const { ok } = await read(game.testServer, null, url);
    const isShared = readable(game).some(({ file }) => file === url);
    wrong.push(...difference(`the file of ${owner}`, ok, isShared));
  }
  return wrong;
}
