// Email addresses and channels that become visible or hidden with a change of role.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const setRole = (name: Name, role: number) =>
  testServer.request("olga", `PATCH /users/${testServer.idOf(name)}`, { role });
const listsOf = async (name: Name, channel: string) => {
  const state = await testServer.request(name, "POST /register");
  const lists = ["subscriptions", "unsubscribed", "never_subscribed"];
  return lists.filter((list) => state[list].some((row: { name: string }) => row.name === channel));
};

async function createChannel(name: string, extra: object = {}): Promise<number> {
  const subscribers = [testServer.idOf("bo"), testServer.idOf("ada")];
  return (await testServer.request("ada", "POST /channels/create", { name, subscribers, ...extra }))
    .id;
}

test("shows addresses to users with a higher role, and hides them from a lower", async () => {
  await testServer.request("cy", "PATCH /settings", { email_address_visibility: 5 });
  await testServer.request("ada", "PATCH /settings", { email_address_visibility: 3 });
  await testServer.request("mo", "PATCH /settings", { email_address_visibility: 4 });
  const read = (list: Record<string, any>[]) =>
    list.flatMap(({ person }) => (person && "delivery_email" in person ? [person] : []));
  const up = await staysInSync(testServer, ["bo", "gus"], () => setRole("bo", 300));
  const cy = { user_id: testServer.idOf("cy"), delivery_email: "cy@example.com" };
  expect(read(up.events.bo!)).toEqual([cy]);
  expect(read(up.events.gus!)).toEqual([]);
  const top = await staysInSync(testServer, ["bo"], () => setRole("bo", 200));
  const ada = { user_id: testServer.idOf("ada"), delivery_email: "ada@example.com" };
  expect(read(top.events.bo!)).toEqual([ada]);
  const down = await staysInSync(testServer, ["bo"], () => setRole("bo", 400));
  expect(read(down.events.bo!)).toEqual([
    { ...ada, delivery_email: null },
    { ...cy, delivery_email: null },
  ]);
});

test("shows a limited guest only the addresses of visible users", async () => {
  await testServer.request("cy", "PATCH /settings", { email_address_visibility: 2 });
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
  });
  await staysInSync(testServer, ["bo"], () => setRole("bo", 600));
  await staysInSync(testServer, ["bo"], () => setRole("bo", 400));
});

test("restores a previously left and hidden channel like any other", async () => {
  const stream_id = await createChannel("garden");
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  expect(await listsOf("bo", "garden")).toEqual(["unsubscribed"]);
  await staysInSync(testServer, ["bo"], () => setRole("bo", 600));
  await staysInSync(testServer, ["bo"], () => setRole("bo", 400));
  expect(await listsOf("bo", "garden")).toEqual(["never_subscribed"]);

  const subscriptions = [{ name: "garden" }];
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", "POST /users/me/subscriptions", { subscriptions }),
  );
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  expect(await listsOf("bo", "garden")).toEqual(["unsubscribed"]);
  expect(
    testServer.realm.read.subscriptions.get(testServer.idOf("bo"), stream_id)!.intervals,
  ).toEqual([]);
});

test("restores a channel that became private and public again after a user left", async () => {
  const stream_id = await createChannel("pond");
  await testServer.request("bo", "DELETE /users/me/subscriptions", { subscriptions: ["pond"] });
  const line = `PATCH /streams/${stream_id}`;
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, { is_private: true }),
  );
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, { is_private: false }),
  );
  expect(await listsOf("bo", "pond")).toEqual(["never_subscribed"]);
});
