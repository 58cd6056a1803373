// Events about a deactivated account, for users who see it and guests who do not.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { GUEST } from "../../src/contract/roles.ts";
import { deactivateUser } from "../../src/features/accounts/activation.ts";
import { changeRole } from "../../src/features/accounts/changes.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let group_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const namingGroup = {
    direct_members: [testServer.idOf("bo"), testServer.idOf("cy")],
    direct_subgroups: [],
  };
  const params = { name: "cooks", description: "", members: [testServer.idOf("bo")] };
  const group = { ...params, can_mention_group: namingGroup };
  group_id = (await testServer.request("olga", "POST /user_groups/create", group)).group_id;
  const members = testServer.realm.read.groups.findBy("name", "role:members")!.id;
  const setting = JSON.stringify({ new: members });
  await testServer.request("olga", "PATCH /realm", { can_access_all_users_group: setting });
  await testServer.request("bo", "POST /channels/create", { name: "kitchen", subscribers: [] });
});
afterEach(() => testServer.close());

const describeEvents = (events: Json[] = []) =>
  events.map((event) => `${event.type} ${event.op} ${event.person?.is_active ?? ""}`.trim());

test("sends events of channels first, then of the account, which include its groups", async () => {
  const { events } = await staysInSync(testServer, ["ada", "cy", "gus"], () =>
    testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`),
  );
  for (const name of ["ada", "cy"] as const) {
    // His bot is deactivated first.
    const [ofBot, ...ofBo] = describeEvents(events[name]);
    expect(ofBot).toBe("realm_user update false");
    expect(ofBo.at(-1)).toBe("realm_user update false");
    expect(new Set(ofBo.slice(0, -1))).toEqual(new Set(["subscription peer_remove"]));
  }
  expect(events.gus).toContainEqual(
    expect.objectContaining({ op: "remove_members", group_id, user_ids: [testServer.idOf("bo")] }),
  );
  const people = events.gus!.map(({ person }) => person?.user_id);
  expect(people).not.toContain(testServer.idOf("bo"));
});

test("sends events of the user's groups to everyone at reactivation", async () => {
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  const { events: eventsByUser } = await staysInSync(testServer, ["ada", "gus"], () =>
    testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`),
  );
  const joinedEvent = expect.objectContaining({ op: "add_members", group_id });
  for (const events of Object.values(eventsByUser)) expect(events).toContainEqual(joinedEvent);
});

test("sends one event about all public channels, and one to each guest who sees some", async () => {
  const [bo, gus, cy] = [testServer.idOf("bo"), testServer.idOf("gus"), testServer.idOf("cy")];
  const create = (name: string, subscribers: number[], options: Json = {}) =>
    testServer
      .request("olga", "POST /channels/create", { name, subscribers, ...options })
      .then(({ id }) => id as number);
  const shared = [await create("cellar", [bo, gus]), await create("attic", [bo, gus])];
  const open = [...shared, await create("porch", [bo])];
  const hidden = await create("safe", [bo, cy], { invite_only: true });
  const actions = { peer_remove: `DELETE /users/${bo}`, peer_add: `POST /users/${bo}/reactivate` };
  for (const [op, action] of Object.entries(actions)) {
    const { events } = await staysInSync(testServer, ["mo", "cy", "gus"], () =>
      testServer.request("olga", action),
    );
    const told = (name: "mo" | "cy" | "gus") =>
      events[name]!.filter((event) => event.op === op).map(({ stream_ids }) => stream_ids);
    expect(told("mo")).toEqual([expect.arrayContaining(open)]);
    expect(told("cy")).toEqual([expect.arrayContaining(open), [hidden]]);
    expect(told("gus")).toEqual([expect.arrayContaining(shared)]);
    expect(told("mo").flat()).not.toContain(hidden);
    expect(told("gus").flat()).not.toContain(open.at(-1));
  }
});

test("tells a member who becomes a guest in the same commit", async () => {
  const [bo, mo] = [testServer.idOf("bo"), testServer.idOf("mo")];
  const { id } = await testServer.request("olga", "POST /channels/create", {
    name: "cellar",
    subscribers: [bo, mo],
  });
  const { realm } = testServer;
  const olga = realm.read.users.get(testServer.idOf("olga"))!;
  const listener = await testServer.listen("mo", { event_types: ["subscription"] });
  await Promise.all([
    realm.write((tx) => void deactivateUser(tx, olga, bo)),
    realm.write((tx) => void changeRole(tx, olga, mo, GUEST)),
  ]);
  const told = (await listener.takeAll()).filter(({ op }) => op === "peer_remove");
  expect(told.flatMap(({ stream_ids }) => stream_ids)).toContain(id);
});
