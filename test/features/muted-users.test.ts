// Muted users: who may be muted, and what a snapshot contains about them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const muteRoute = (name: Name) => `/users/me/muted_users/${testServer.idOf(name)}`;
const mutedOf = async (name: Name): Promise<number[]> => {
  const { muted_users } = await testServer.request(name, "POST /register", {
    fetch_event_types: ["muted_users"],
  });
  return muted_users.map(({ id }: { id: number }) => id);
};

test("lists all muted users, including bots and deactivated ones", async () => {
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  const { events } = await staysInSync(testServer, ["bo", "cy"], async () => {
    for (const name of ["bot", "mo", "olga"] as const)
      await testServer.request("bo", `POST ${muteRoute(name)}`);
  });
  const muted = [testServer.idOf("olga"), testServer.idOf("mo"), testServer.idOf("bot")];
  const lists = events.bo!.filter((event) => event["type"] === "muted_users");
  expect(lists.at(-1)!["muted_users"]).toEqual(
    muted.map((id) => ({ id, timestamp: expect.any(Number) })),
  );
  expect(events.cy).toEqual([]);
  expect(await mutedOf("bo")).toEqual(muted);
  expect(await mutedOf("cy")).toEqual([]);
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `DELETE ${muteRoute("mo")}`),
  );
  expect(await mutedOf("bo")).toEqual([testServer.idOf("olga"), testServer.idOf("bot")]);
});

test("direct messages of a muted user are read from the start, but not those to them", async () => {
  await testServer.request("bo", `POST ${muteRoute("cy")}`);
  const flagsOf = async (from: Name, to: Name) => {
    const listener = await testServer.listen(to, { event_types: ["message"] });
    const params = { type: "direct", to: [testServer.idOf(to)], content: "x" };
    await testServer.request(from, "POST /messages", params);
    return (await listener.next()).flags;
  };
  expect(await flagsOf("cy", "bo")).toEqual(["read"]);
  expect(await flagsOf("bo", "cy")).toEqual([]);
  await testServer.request("bo", `DELETE ${muteRoute("cy")}`);
  expect(await flagsOf("cy", "bo")).toEqual([]);
});

test("a guest who sees only some users cannot mute others", async () => {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    const settings = { ...realm.settings, can_access_all_users_group };
    tx.realm.put({ ...realm, settings });
    for (const sub of tx.subscriptions.listBy("user", testServer.idOf("gus"))) {
      tx.subscriptions.delete(sub.user_id, sub.stream_id);
    }
  });
  const { errCode: code, message: msg } = channelErrors.insufficientPermission();
  expect(await testServer.refused("gus", `POST ${muteRoute("cy")}`)).toMatchObject({ code, msg });
});
