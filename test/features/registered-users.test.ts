// The users in the register snapshot, whose texts are cached, compared with those of GET /users.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CAST, type Name } from "../users.ts";
import { type Params, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

interface Person {
  user_id: number;
  is_active?: boolean;
}

function withoutActivity(person: Person): Person {
  const { is_active: _, ...listed } = person;
  return listed;
}

/** Every active user of the test server registers, with and without Gravatar URLs. */
async function compareForEveryone(): Promise<void> {
  for (const name of Object.keys(CAST) as Name[]) {
    if (!testServer.realm.read.users.get(testServer.idOf(name))!.is_active) continue;
    for (const client_gravatar of [true, false]) {
      const options = { client_gravatar, include_custom_profile_fields: true };
      const { members } = await testServer.request(name, "GET /users", options);
      const { realm_users, realm_non_active_users } = await testServer.request(
        name,
        "POST /register",
        { client_gravatar, fetch_event_types: ["realm_user"] },
      );
      const people = (members as Person[]).toSorted((a, b) => a.user_id - b.user_id);
      const active = people.filter(({ is_active }) => is_active);
      const inactive = people.filter(({ is_active }) => !is_active);
      expect(realm_users).toEqual(active.map(withoutActivity));
      expect(realm_non_active_users).toEqual(inactive.map(withoutActivity));
    }
  }
}

test.each([1, 2, 3, 4, 5])(
  "shows each address to the users who may see it, with email visibility %d",
  async (email_address_visibility) => {
    // A Gravatar reveals the address, too.
    await testServer.realm.write((tx) => {
      const bo = tx.users.get(testServer.idOf("bo"))!;
      tx.users.put({ ...bo, avatar_source: "G" });
    });
    await compareForEveryone();
    for (const name of ["olga", "bo", "gus"] as const) {
      await testServer.request(name, "PATCH /settings", { email_address_visibility });
      await compareForEveryone();
    }
  },
);

test("shows each change of a user in the next snapshot", async () => {
  const cy = testServer.idOf("cy");
  const field = { name: "Phone", field_type: 1 };
  const { id } = await testServer.request("ada", "POST /realm/profile_fields", field);
  const changes: [Name, string, Params][] = [
    ["cy", "PATCH /settings", { full_name: "Cyrus Member" }],
    ["cy", "PATCH /users/me/profile_data", { data: [{ id, value: "12345" }] }],
    ["cy", "PATCH /users/me/profile_data", { data: [{ id, value: "67890" }] }],
    ["cy", "PATCH /settings", { timezone: "Europe/Berlin" }],
    ["cy", "DELETE /users/me/profile_data", { data: [id] }],
    ["ada", `PATCH /users/${cy}`, { role: 300 }],
    ["ada", `DELETE /users/${cy}`, {}],
    ["ada", `POST /users/${cy}/reactivate`, {}],
  ];
  const registered = async () =>
    JSON.stringify((await testServer.request("bo", "POST /register", {})).realm_users);
  for (const [name, line, params] of changes) {
    const before = await registered();
    await testServer.request(name, line, params);
    expect(await registered()).not.toBe(before);
    await compareForEveryone();
  }
});

test("replaces hidden addresses by the current URL of the server", async () => {
  await testServer.request("bo", "PATCH /settings", { email_address_visibility: 4 });
  const hidden = async () =>
    JSON.stringify((await testServer.request("cy", "POST /register", {})).realm_users);
  expect(await hidden()).toContain(`user${testServer.idOf("bo")}@127.0.0.1`);
  testServer.realm.config.url = "https://chat.example";
  expect(await hidden()).toContain(`user${testServer.idOf("bo")}@chat.example`);
});

test("hides the users from a guest whom the guest may not see", async () => {
  await compareForEveryone();
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
  });
  const registered = await testServer.request("gus", "POST /register", {
    client_capabilities: { user_list_incomplete: true },
  });
  const text = JSON.stringify(registered);
  expect(text).toContain("Gus Guest");
  for (const name of ["olga", "bo", "cy"] as const) {
    expect(text).not.toContain(CAST[name].full_name);
    expect(text).not.toContain(`${name}@example.com`);
  }
});
