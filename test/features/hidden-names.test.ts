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

async function createShed(subscribers: readonly Name[], params: object = {}): Promise<number> {
  const ids = subscribers.map((name) => testServer.idOf(name));
  const input = { name: "shed", subscribers: ids, invite_only: true, ...params };
  return (await testServer.request("olga", "POST /channels/create", input)).id;
}

/** Creates everything that can contain a channel's name while it is visible. */
async function leaveTraces(name: Name, stream_id: number): Promise<void> {
  for (const topic of ["nettles", "peas"]) {
    const visibility_policy = topic === "nettles" ? 1 : 3;
    await testServer.request(name, "POST /user_topics", { stream_id, topic, visibility_policy });
  }
  const schedule = { scheduled_delivery_timestamp: testServer.realm.read.now + 86_400 };
  const message = { type: "stream", to: stream_id, topic: "weeds", content: "tea" };
  const isWriting = testServer.realm.read.subscriptions.get(
    testServer.idOf(name),
    stream_id,
  )?.active;
  if (!isWriting) return;
  const draft = { ...message, to: [stream_id] };
  await testServer.request(name, "POST /drafts", { drafts: [draft] });
  await testServer.request(name, "POST /scheduled_messages", { ...message, ...schedule });
  const { id } = await testServer.request(name, "POST /messages", message);
  await testServer.request(name, "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "starred",
  });
  if (name === "gus") return;
  const bot = { full_name: `Bot of ${name}`, short_name: `${name}bot`, bot_type: 1 };
  const created = await testServer.request(name, "POST /bots", bot);
  await testServer.request(name, `PATCH /bots/${created.user_id}`, {
    default_sending_stream: "shed",
  });
}

const rename = (stream_id: number, new_name: string) =>
  testServer.request("olga", `PATCH /streams/${stream_id}`, { new_name });

/** Returns where the words occur in the events of an action and in a later register response. */
async function namesReceived(
  name: Name,
  words: RegExp,
  action: () => Promise<unknown>,
): Promise<readonly string[]> {
  const clients = [];
  for (const form of FORMS) clients.push(await testServer.listen(name, form));
  await staysInSync(testServer, [name], action);
  const events = await Promise.all(clients.map((client) => client.takeAll()));
  const states = await Promise.all(
    FORMS.map((form) => testServer.request(name, "POST /register", form)),
  );
  const all: Json[] = [...events.flat(), ...states.flatMap((state) => Object.entries(state))];
  return all.map((item) => JSON.stringify(item)).filter((text) => words.test(text));
}

test.each(["bo", "gus", "mo"] as const)("%s was removed from it", async (name) => {
  const stream_id = await createShed(["olga", name, "cy"]);
  await leaveTraces(name, stream_id);
  await leaveTraces("cy", stream_id);
  const remove = { subscriptions: ["shed"], principals: [testServer.idOf(name)] };
  await staysInSync(testServer, [name, "cy"], () =>
    testServer.request("olga", "DELETE /users/me/subscriptions", remove),
  );
  const renameChannel = () => rename(stream_id, "cellar of secrets");
  expect(await namesReceived(name, /secrets/, renameChannel)).toEqual([]);
  const renaming = await staysInSync(testServer, ["cy"], () => rename(stream_id, "cellar of jam"));
  const muted = renaming.events.cy!.filter(({ type }) => type === "muted_topics");
  expect(muted.map((event) => event["muted_topics"][0][0])).toEqual(["cellar of jam"]);
  const archive = () => testServer.request("olga", `DELETE /streams/${stream_id}`);
  expect(await namesReceived(name, /secrets|jam/, archive)).toEqual([]);
});

test("an administrator who never subscribed loses the role", async () => {
  const stream_id = await createShed(["olga"]);
  await leaveTraces("ada", stream_id);
  const setRole = (to: number) =>
    testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { role: to });
  const { events } = await staysInSync(testServer, ["ada"], () => setRole(400));
  const lists = events.ada!.filter(({ type }) => type === "muted_topics");
  expect(lists.map((event) => event["muted_topics"])).toEqual([[]]);
  const renameChannel = () => rename(stream_id, "cellar of secrets");
  expect(await namesReceived("ada", /secrets/, renameChannel)).toEqual([]);
  const restoring = await staysInSync(testServer, ["ada"], () => setRole(200));
  const list = restoring.events.ada!.find(({ type }) => type === "muted_topics")!["muted_topics"];
  expect(list[0].slice(0, 2)).toEqual(["cellar of secrets", "nettles"]);
});

test("a channel is hidden with a group, with a permission and with its type", async () => {
  const group = { name: "cooks", description: "", members: [testServer.idOf("bo")] };
  const { group_id } = await testServer.request("olga", "POST /user_groups/create", group);
  const stream_id = await createShed(["olga"], { can_subscribe_group: group_id });
  await leaveTraces("bo", stream_id);
  const setMembers = (params: object) =>
    testServer.request("olga", `POST /user_groups/${group_id}/members`, { ...params });
  const set = (params: object) =>
    testServer.request("olga", `PATCH /streams/${stream_id}`, { ...params });
  const nobody = testServer.realm.read.groups.findBy("name", "role:nobody")!.id;
  const transitions: [() => Promise<Json>, () => Promise<Json>][] = [
    [
      () => setMembers({ delete: [testServer.idOf("bo")] }),
      () => setMembers({ add: [testServer.idOf("bo")] }),
    ],
    [
      () => set({ can_subscribe_group: { new: nobody } }),
      () => set({ can_subscribe_group: { new: group_id } }),
    ],
  ];
  for (const [index, [hide, show]] of transitions.entries()) {
    await staysInSync(testServer, ["bo"], hide);
    const secret = `secrets ${index}`;
    expect(await namesReceived("bo", new RegExp(secret), () => rename(stream_id, secret))).toEqual(
      [],
    );
    const { events } = await staysInSync(testServer, ["bo"], show);
    const muted = events.bo!.filter(({ type }) => type === "muted_topics");
    expect(muted.map((event) => event["muted_topics"][0][0])).toEqual([secret]);
  }
  await testServer.request("olga", `PATCH /streams/${stream_id}`, { is_private: false });
  await set({ can_subscribe_group: { new: nobody } });
  await staysInSync(testServer, ["bo"], () => set({ is_private: true }));
  expect(await namesReceived("bo", /again/, () => rename(stream_id, "secret again"))).toEqual([]);
});
