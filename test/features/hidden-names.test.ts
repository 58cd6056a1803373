// A renamed private channel: users who no longer see it do not receive the new name.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Json, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const FORMS: Params[] = [{}, { event_types: ["muted_topics"] }, { client_capabilities: {} }];

async function shed(subscribers: readonly Name[], params: object = {}): Promise<number> {
  const ids = subscribers.map((who) => testServer.idOf(who));
  const given = { name: "shed", subscribers: ids, invite_only: true, ...params };
  return (await testServer.ask("olga", "POST /channels/create", given)).id;
}

/** Creates everything that can contain a channel's name while it is visible. */
async function leaveTraces(who: Name, stream_id: number): Promise<void> {
  for (const topic of ["nettles", "peas"]) {
    const visibility_policy = topic === "nettles" ? 1 : 3;
    await testServer.ask(who, "POST /user_topics", { stream_id, topic, visibility_policy });
  }
  const later = { scheduled_delivery_timestamp: testServer.realm.read.now + 86_400 };
  const message = { type: "stream", to: stream_id, topic: "weeds", content: "tea" };
  const isWriting = testServer.realm.read.subscriptions.get(
    testServer.idOf(who),
    stream_id,
  )?.active;
  if (!isWriting) return;
  const draft = { ...message, to: [stream_id] };
  await testServer.ask(who, "POST /drafts", { drafts: [draft] });
  await testServer.ask(who, "POST /scheduled_messages", { ...message, ...later });
  const { id } = await testServer.ask(who, "POST /messages", message);
  await testServer.ask(who, "POST /messages/flags", { messages: [id], op: "add", flag: "starred" });
  if (who === "gus") return;
  const bot = { full_name: `Bot of ${who}`, short_name: `${who}bot`, bot_type: 1 };
  const made = await testServer.ask(who, "POST /bots", bot);
  await testServer.ask(who, `PATCH /bots/${made.user_id}`, { default_sending_stream: "shed" });
}

const rename = (stream_id: number, new_name: string) =>
  testServer.ask("olga", `PATCH /streams/${stream_id}`, { new_name });

/** Returns where the words occur in the events of an action and in a later register response. */
async function learnt(
  who: Name,
  words: RegExp,
  act: () => Promise<unknown>,
): Promise<readonly string[]> {
  const clients = [];
  for (const form of FORMS) clients.push(await testServer.listen(who, form));
  await staysInSync(testServer, [who], act);
  const heard = await Promise.all(clients.map((client) => client.all()));
  const states = await Promise.all(
    FORMS.map((form) => testServer.ask(who, "POST /register", form)),
  );
  const all: Json[] = [...heard.flat(), ...states.flatMap((state) => Object.entries(state))];
  return all.map((one) => JSON.stringify(one)).filter((text) => words.test(text));
}

test.each(["bo", "gus", "mo"] as const)("%s was removed from it", async (who) => {
  const stream_id = await shed(["olga", who, "cy"]);
  await leaveTraces(who, stream_id);
  await leaveTraces("cy", stream_id);
  const remove = { subscriptions: ["shed"], principals: [testServer.idOf(who)] };
  await staysInSync(testServer, [who, "cy"], () =>
    testServer.ask("olga", "DELETE /users/me/subscriptions", remove),
  );
  const renaming = () => rename(stream_id, "cellar of secrets");
  expect(await learnt(who, /secrets/, renaming)).toEqual([]);
  const seeing = await staysInSync(testServer, ["cy"], () => rename(stream_id, "cellar of jam"));
  const muted = seeing.heard.cy!.filter(({ type }) => type === "muted_topics");
  expect(muted.map((event) => event["muted_topics"][0][0])).toEqual(["cellar of jam"]);
  const archiving = () => testServer.ask("olga", `DELETE /streams/${stream_id}`);
  expect(await learnt(who, /secrets|jam/, archiving)).toEqual([]);
});

test("an administrator who never subscribed loses the role", async () => {
  const stream_id = await shed(["olga"]);
  await leaveTraces("ada", stream_id);
  const role = (to: number) =>
    testServer.ask("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: to });
  const { heard } = await staysInSync(testServer, ["ada"], () => role(400));
  const lists = heard.ada!.filter(({ type }) => type === "muted_topics");
  expect(lists.map((event) => event["muted_topics"])).toEqual([[]]);
  const renaming = () => rename(stream_id, "cellar of secrets");
  expect(await learnt("ada", /secrets/, renaming)).toEqual([]);
  const back = await staysInSync(testServer, ["ada"], () => role(200));
  const list = back.heard.ada!.find(({ type }) => type === "muted_topics")!["muted_topics"];
  expect(list[0].slice(0, 2)).toEqual(["cellar of secrets", "nettles"]);
});

test("a channel is hidden with a group, with a permission and with its type", async () => {
  const group = { name: "cooks", description: "", members: [testServer.idOf("bo")] };
  const { group_id } = await testServer.ask("olga", "POST /user_groups/create", group);
  const stream_id = await shed(["olga"], { can_subscribe_group: group_id });
  await leaveTraces("bo", stream_id);
  const members = (params: object) =>
    testServer.ask("olga", `POST /user_groups/${group_id}/members`, { ...params });
  const set = (params: object) =>
    testServer.ask("olga", `PATCH /streams/${stream_id}`, { ...params });
  const nobody = testServer.realm.read.groups.one("name", "role:nobody")!.id;
  const turns: [() => Promise<Json>, () => Promise<Json>][] = [
    [
      () => members({ delete: [testServer.idOf("bo")] }),
      () => members({ add: [testServer.idOf("bo")] }),
    ],
    [
      () => set({ can_subscribe_group: { new: nobody } }),
      () => set({ can_subscribe_group: { new: group_id } }),
    ],
  ];
  for (const [at, [hide, show]] of turns.entries()) {
    await staysInSync(testServer, ["bo"], hide);
    const secret = `secrets ${at}`;
    expect(await learnt("bo", new RegExp(secret), () => rename(stream_id, secret))).toEqual([]);
    const { heard } = await staysInSync(testServer, ["bo"], show);
    const muted = heard.bo!.filter(({ type }) => type === "muted_topics");
    expect(muted.map((event) => event["muted_topics"][0][0])).toEqual([secret]);
  }
  await testServer.ask("olga", `PATCH /streams/${stream_id}`, { is_private: false });
  await set({ can_subscribe_group: { new: nobody } });
  await staysInSync(testServer, ["bo"], () => set({ is_private: true }));
  expect(await learnt("bo", /again/, () => rename(stream_id, "secret again"))).toEqual([]);
});
