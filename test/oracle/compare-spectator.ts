// Fetches everything that spectators can request, and compares it with the oracle.
import { read } from "../features/upload-fixture.ts";
import type { Json, Params } from "../test-server.ts";
import { difference } from "./difference.ts";
import { type Simulation, PEOPLE, WORDS } from "./simulation.ts";
import { channelOf, isOnTheWeb } from "./visibility.ts";
import type { Channel, ModelMessage } from "./model.ts";

const SAMPLE = 6;
const REFUSED = "refused";

/** Always fetches the snapshot, since spectators get no events, and a random half of the rest. */
export async function compareSpectator(sim: Simulation): Promise<string[]> {
  const parts = [compareTopics, compareMessages, compareNarrows, compareFiles].filter(
    () => sim.roll(2) === 0,
  );
  const wrong = [];
  for (const part of [compareState, ...parts]) wrong.push(...(await part(sim)));
  return wrong.map((text) => `a spectator: ${text}`);
}

const webPublicChannels = ({ model }: Simulation) =>
  [...model.channels.values()].filter((channel) => isOnTheWeb(model, channel));

const canRead = ({ model }: Simulation, message: ModelMessage): boolean => {
  const channel = channelOf(model, message);
  return channel !== undefined && isOnTheWeb(model, channel);
};

const readableMessages = (sim: Simulation) =>
  [...sim.model.messages.values()].filter((message) => canRead(sim, message));

/** Returns the response, or undefined for an error of the given status. */
async function request(sim: Simulation, line: string, params: Params, status = 401): Promise<Json> {
  const response = await sim.testServer.send(null, line, params);
  const body = (await response.json()) as Json;
  if (response.ok) return body;
  if (response.status !== status) throw new Error(`a spectator: ${line} → ${JSON.stringify(body)}`);
  return undefined;
}

async function compareState(sim: Simulation): Promise<string[]> {
  const { testServer } = sim;
  const channels = webPublicChannels(sim);
  const isIncluded = channels.length > 0;
  const expected = isIncluded ? channels.map(({ id }) => id) : REFUSED;
  const ids = (found: Json[] | undefined) => found?.map(({ stream_id }) => stream_id) ?? REFUSED;
  const registered = await request(sim, "POST /register", {});
  const list = await request(sim, "GET /streams", {
    include_all: true,
    exclude_archived: false,
  });
  const users = await request(sim, "GET /users", {});
  const people = users?.members.map((person: Json) => person.user_id) ?? REFUSED;
  const settings = await testServer.request(null, "GET /server_settings");
  return [
    ...difference("register", ids(registered?.subscriptions), expected),
    ...difference("GET /streams", ids(list?.streams), expected),
    ...difference("GET /users", people, isIncluded ? sim.ids(PEOPLE) : REFUSED),
    ...difference("is let in", settings.realm_web_public_access_enabled, isIncluded),
  ];
}

async function compareTopics(sim: Simulation): Promise<string[]> {
  const wrong: string[] = [];
  const isIncluded = webPublicChannels(sim).length > 0;
  for (const channel of sim.model.channels.values()) {
    const line = `GET /users/me/${channel.id}/topics`;
    const response = await request(sim, line, {}, isIncluded ? 400 : 401);
    const topicTexts = response?.topics.map((topic: Json) => `${topic.name} ${topic.max_id}`);
    const expected = isOnTheWeb(sim.model, channel) ? topicsOf(sim, channel) : REFUSED;
    wrong.push(...difference(`topics of ${channel.name}`, topicTexts ?? REFUSED, expected));
  }
  return wrong;
}

function topicsOf({ model }: Simulation, channel: Channel): string[] {
  const newest = new Map<string, number>();
  for (const message of model.messages.values()) {
    if (message.channel !== channel.id) continue;
    newest.set(message.topic, Math.max(message.id, newest.get(message.topic) ?? 0));
  }
  return [...newest].map(([topic, id]) => `${topic} ${id}`);
}

async function compareMessages(sim: Simulation): Promise<string[]> {
  const wrong: string[] = [];
  const all = [...sim.model.messages.values()];
  for (let index = 0; index < Math.min(SAMPLE, all.length); index++) {
    const message = sim.pick(all);
    const flags = (await request(sim, `GET /messages/${message.id}`, {}))?.message.flags;
    const expected = canRead(sim, message) ? ["read"] : REFUSED;
    wrong.push(...difference(`GET /messages/${message.id}`, flags ?? REFUSED, expected));
  }
  for (const id of sim.gone) {
    if (sim.roll(8) > 0) continue;
    const response = await request(sim, `GET /messages/${id}`, {});
    wrong.push(...difference(`GET /messages/${id}, deleted`, response !== undefined, false));
  }
  return wrong;
}

async function compareNarrows(sim: Simulation): Promise<string[]> {
  const wrong: string[] = [];
  const isIncluded = webPublicChannels(sim).length > 0;
  const fetch = async (narrow: Json[], test: (message: ModelMessage) => boolean, status = 401) => {
    const terms = [["channels", "web-public"], ...narrow];
    const params = { anchor: "oldest", num_before: 0, num_after: 1000, narrow: terms };
    const response = await request(sim, "GET /messages", params, isIncluded ? status : 401);
    const own = response?.messages.filter((message: Json) => sim.names.has(message.sender_id));
    const expected = readableMessages(sim)
      .filter(test)
      .map(({ id }) => id);
    const isRefused = !isIncluded || status !== 401;
    const label = `narrow ${narrow.join(" ")}`;
    const ids = own?.map(({ id }: Json) => id) ?? REFUSED;
    wrong.push(...difference(label, ids, isRefused ? REFUSED : expected));
  };
  const [word, other] = [sim.pick(WORDS), sim.pick(PEOPLE)];
  await fetch([], () => true);
  await fetch([["search", word]], (message) => message.word === word);
  await fetch([["sender", String(sim.testServer.idOf(other))]], () => false, 400);
  await fetch(
    [{ operator: "sender", operand: sim.testServer.idOf(other) }],
    (s) => s.sender === other,
  );
  await fetch([["topic", "tea"]], (message) => message.topic === "tea");
  for (const channel of sim.model.channels.values()) {
    const narrow = [{ operator: "channel", operand: channel.id }];
    const status = isOnTheWeb(sim.model, channel) ? 401 : 400;
    await fetch(narrow, (message) => message.channel === channel.id, status);
  }
  return wrong;
}

async function compareFiles(sim: Simulation): Promise<string[]> {
  const wrong: string[] = [];
  for (const [url, owner] of sim.model.files) {
    const { ok } = await read(sim.testServer, null, url);
    const isShared = readableMessages(sim).some(({ file }) => file === url);
    wrong.push(...difference(`the file of ${owner}`, ok, isShared));
  }
  return wrong;
}
