// A private channel's new name: nobody hears it who no longer sees the channel.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../cast.ts";
import { staysInSync } from "../sync.ts";
import { openTown, type Json, type Params, type Town } from "../town.ts";

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const FORMS: Params[] = [{}, { event_types: ["muted_topics"] }, { client_capabilities: {} }];

async function shed(subscribers: readonly Name[], params: object = {}): Promise<number> {
  const ids = subscribers.map((who) => town.idOf(who));
  const given = { name: "shed", subscribers: ids, invite_only: true, ...params };
  return (await town.ask("olga", "POST /channels/create", given)).id;
}

/** Leaves of everything that may name a channel, while it is in sight. */
async function leaveTraces(who: Name, stream_id: number): Promise<void> {
  for (const topic of ["nettles", "peas"]) {
    const visibility_policy = topic === "nettles" ? 1 : 3;
    await town.ask(who, "POST /user_topics", { stream_id, topic, visibility_policy });
  }
  const later = { scheduled_delivery_timestamp: town.realm.read.now + 86_400 };
  const message = { type: "stream", to: stream_id, topic: "weeds", content: "tea" };
  const isWriting = town.realm.read.subscriptions.get(town.idOf(who), stream_id)?.active;
  if (!isWriting) return;
  const draft = { ...message, to: [stream_id] };
  await town.ask(who, "POST /drafts", { drafts: [draft] });
  await town.ask(who, "POST /scheduled_messages", { ...message, ...later });
  const { id } = await town.ask(who, "POST /messages", message);
  await town.ask(who, "POST /messages/flags", { messages: [id], op: "add", flag: "starred" });
  if (who === "gus") return;
  const bot = { full_name: `Bot of ${who}`, short_name: `${who}bot`, bot_type: 1 };
  const made = await town.ask(who, "POST /bots", bot);
  await town.ask(who, `PATCH /bots/${made.user_id}`, { default_sending_stream: "shed" });
}

const rename = (stream_id: number, new_name: string) =>
  town.ask("olga", `PATCH /streams/${stream_id}`, { new_name });

/** Where the words are found in what a person hears of an act, and starts from after it. */
async function learnt(
  who: Name,
  words: RegExp,
  act: () => Promise<unknown>,
): Promise<readonly string[]> {
  const clients = [];
  for (const form of FORMS) clients.push(await town.listen(who, form));
  await staysInSync(town, [who], act);
  const heard = await Promise.all(clients.map((client) => client.all()));
  const states = await Promise.all(FORMS.map((form) => town.ask(who, "POST /register", form)));
  const all: Json[] = [...heard.flat(), ...states.flatMap((state) => Object.entries(state))];
  return all.map((one) => JSON.stringify(one)).filter((text) => words.test(text));
}

test.each(["bo", "gus", "mo"] as const)("%s was removed from it", async (who) => {
  const stream_id = await shed(["olga", who, "cy"]);
  await leaveTraces(who, stream_id);
  await leaveTraces("cy", stream_id);
  const remove = { subscriptions: ["shed"], principals: [town.idOf(who)] };
  await staysInSync(town, [who, "cy"], () =>
    town.ask("olga", "DELETE /users/me/subscriptions", remove),
  );
  const renaming = () => rename(stream_id, "cellar of secrets");
  expect(await learnt(who, /secrets/, renaming)).toEqual([]);
  const seeing = await staysInSync(town, ["cy"], () => rename(stream_id, "cellar of jam"));
  const muted = seeing.heard.cy!.filter(({ type }) => type === "muted_topics");
  expect(muted.map((event) => event["muted_topics"][0][0])).toEqual(["cellar of jam"]);
  const archiving = () => town.ask("olga", `DELETE /streams/${stream_id}`);
  expect(await learnt(who, /secrets|jam/, archiving)).toEqual([]);
});

test("an administrator who never subscribed is one no more", async () => {
  const stream_id = await shed(["olga"]);
  await leaveTraces("ada", stream_id);
  const role = (to: number) => town.ask("olga", `PATCH /users/${town.idOf("ada")}`, { role: to });
  const { heard } = await staysInSync(town, ["ada"], () => role(400));
  const lists = heard.ada!.filter(({ type }) => type === "muted_topics");
  expect(lists.map((event) => event["muted_topics"])).toEqual([[]]);
  const renaming = () => rename(stream_id, "cellar of secrets");
  expect(await learnt("ada", /secrets/, renaming)).toEqual([]);
  const back = await staysInSync(town, ["ada"], () => role(200));
  const list = back.heard.ada!.find(({ type }) => type === "muted_topics")!["muted_topics"];
  expect(list[0].slice(0, 2)).toEqual(["cellar of secrets", "nettles"]);
});

test("it goes out of sight with a group, with a permission and with its kind", async () => {
  const group = { name: "cooks", description: "", members: [town.idOf("bo")] };
  const { group_id } = await town.ask("olga", "POST /user_groups/create", group);
  const stream_id = await shed(["olga"], { can_subscribe_group: group_id });
  await leaveTraces("bo", stream_id);
  const members = (params: object) =>
    town.ask("olga", `POST /user_groups/${group_id}/members`, { ...params });
  const set = (params: object) => town.ask("olga", `PATCH /streams/${stream_id}`, { ...params });
  const nobody = town.realm.read.groups.one("name", "role:nobody")!.id;
  const turns: [() => Promise<Json>, () => Promise<Json>][] = [
    [() => members({ delete: [town.idOf("bo")] }), () => members({ add: [town.idOf("bo")] })],
    [
      () => set({ can_subscribe_group: { new: nobody } }),
      () => set({ can_subscribe_group: { new: group_id } }),
    ],
  ];
  for (const [at, [hide, show]] of turns.entries()) {
    await staysInSync(town, ["bo"], hide);
    const secret = `secrets ${at}`;
    expect(await learnt("bo", new RegExp(secret), () => rename(stream_id, secret))).toEqual([]);
    const { heard } = await staysInSync(town, ["bo"], show);
    const muted = heard.bo!.filter(({ type }) => type === "muted_topics");
    expect(muted.map((event) => event["muted_topics"][0][0])).toEqual([secret]);
  }
  await town.ask("olga", `PATCH /streams/${stream_id}`, { is_private: false });
  await set({ can_subscribe_group: { new: nobody } });
  await staysInSync(town, ["bo"], () => set({ is_private: true }));
  expect(await learnt("bo", /again/, () => rename(stream_id, "secret again"))).toEqual([]);
});
