// Values of custom profile fields.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const OWN = "/users/me/profile_data";

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

const add = async (field_type: number, params: Params = {}) =>
  (
    await testServer.request("ada", "POST /realm/profile_fields", {
      ...{ field_type, name: `of type ${field_type}`, ...params },
    })
  ).id as number;
const post = (name: Name, id: number, value: unknown) =>
  testServer.request(name, `PATCH ${OWN}`, { data: [{ id, value }] });
const profileOf = async (name: Name) =>
  (await testServer.request(name, "GET /users/me")).profile_data;

test("sends a user's values as text and HTML to everyone who sees the user", async () => {
  const id = await add(2);
  const { events } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
    post("bo", id, " *so* "),
  );
  const value = { value: "*so*", rendered_value: "<p><em>so</em></p>" };
  const person = { user_id: testServer.idOf("bo"), custom_profile_field: { id, ...value } };
  expect(events.cy).toMatchObject([{ type: "realm_user", op: "update", person }]);
  expect(await profileOf("bo")).toEqual({ [id]: value });
  const path = `GET /users/${testServer.idOf("bo")}`;
  const { user } = await testServer.request("cy", path, { include_custom_profile_fields: true });
  expect(user.profile_data).toEqual({ [id]: value });
  expect((await testServer.request("cy", path)).user).not.toHaveProperty("profile_data");
  const secondResult = await staysInSync(testServer, ["cy"], () => post("bo", id, "*so*"));
  expect(secondResult.events.cy).toEqual([]);

  for (const emptyValue of ["", null, []]) {
    await post("bo", id, "there");
    const erased = await staysInSync(testServer, ["cy"], () => post("bo", id, emptyValue));
    expect(erased.events.cy).toMatchObject([
      { person: { custom_profile_field: { id, value: null } } },
    ]);
  }
  await post("bo", id, "there");
  const accepted = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", "DELETE /users/me/profile_data", { data: [id] }),
  );
  expect(accepted.events.bo).toHaveLength(1);
  const none = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `DELETE ${OWN}`, { data: [id] }),
  );
  expect(none.events.bo).toEqual([]);
});

test("validates values by the type of the field", async () => {
  const choices = { a: { text: "Apple", order: "1" } };
  const pattern = { subtype: "custom", url_pattern: "https://x.example/%(username)s" };
  const kinds: [type: number, good: unknown, kept: string, params?: Params][] = [
    [1, "short", "short"],
    [3, "a", "a", { field_data: choices }],
    [4, "2024-02-29", "2024-02-29"],
    [5, "https://x.example/a?b", "https://x.example/a?b"],
    [
      6,
      [testServer.idOf("bo"), testServer.idOf("cy")],
      `[${testServer.idOf("bo")},${testServer.idOf("cy")}]`,
    ],
    [7, "bo_at_x", "bo_at_x", { field_data: pattern }],
    [8, "he/him", "he/him"],
  ];
  const bad: Record<number, [value: unknown, reason: string][]> = {
    1: [["x".repeat(51), "of type 1 is too long (limit: 50 characters)"]],
    3: [["b", "'b' is not a valid choice for 'of type 3'."]],
    4: ["2023-02-29", "1.2.2023", "2023-13-01"].map((value) => [value, "of type 4 is not a date"]),
    5: ["x.example", "javascript:alert(1)"].map((value) => [value, "of type 5 is not a URL"]),
    6: [
      [[testServer.idOf("bo"), 9998, 9999], "Invalid user IDs: 9998, 9999"],
      [[testServer.idOf("bot")], `User with ID ${testServer.idOf("bot")} is a bot`],
      ["bo", "of type 6 is not a list"],
    ],
    8: [[[1], "of type 8 is not a string"]],
  };
  for (const [type, good, stored, params] of kinds) {
    const id = await add(type, params);
    await staysInSync(testServer, ["cy"], () => post("bo", id, good));
    expect((await profileOf("bo"))[id].value).toBe(stored);
    for (const [value, reason] of bad[type] ?? []) {
      const data = [{ id, value }];
      await expectRefused(realmErrors.profileFieldInvalid(reason), "bo", `PATCH ${OWN}`, { data });
    }
  }
  await testServer.request("ada", `DELETE /users/${testServer.idOf("cy")}`);
  const id = await add(6, { name: "Friends" });
  const refusal = realmErrors.profileFieldInvalid(
    `User with ID ${testServer.idOf("cy")} is deactivated`,
  );
  await expectRefused(refusal, "bo", `PATCH ${OWN}`, {
    data: [{ id, value: [testServer.idOf("cy")] }],
  });
});

test("stores all values of a request or none", async () => {
  const [id, other] = [await add(1), await add(4)];
  const data = [
    { id, value: "kept?" },
    { id: other, value: "never" },
  ];
  const refusal = realmErrors.profileFieldInvalid("of type 4 is not a date");
  await expectRefused(refusal, "bo", `PATCH ${OWN}`, { data });
  expect(await profileOf("bo")).toEqual({});
  for (const method of ["PATCH", "DELETE"]) {
    const unknown = method === "PATCH" ? [{ id: 999, value: "x" }] : [999];
    const line = `${method} ${OWN}`;
    await expectRefused(realmErrors.profileFieldNotFound(999), "bo", line, { data: unknown });
    await expectRefused(errors.botsNotAllowed(), "bot", line, { data: unknown });
  }
});

test("lets administrators set all values of others", async () => {
  const id = await add(1, { editable_by_user: false });
  const locked = realmErrors.profileFieldNotEditable();
  await expectRefused(locked, "bo", `PATCH ${OWN}`, { data: [{ id, value: "x" }] });
  await expectRefused(locked, "bo", `DELETE ${OWN}`, { data: [id] });
  const path = `PATCH /users/${testServer.idOf("bo")}`;
  const profile_data = [{ id, value: "so it is" }];
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("ada", path, { profile_data }),
  );
  expect(events.cy).toHaveLength(1);
  expect((await profileOf("bo"))[id].value).toBe("so it is");
  await expectRefused(channelErrors.insufficientPermission(), "cy", path, { profile_data });
  const bot = `PATCH /users/${testServer.idOf("bot")}`;
  await expectRefused(channelErrors.insufficientPermission(), "ada", bot, { profile_data });
});

test("hides values of users whom a guest cannot see", async () => {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
  });
  const id = await add(1);
  const { events } = await staysInSync(testServer, ["gus", "cy"], () => post("bo", id, "secret"));
  expect(events.gus).toEqual([]);
  expect(events.cy).toHaveLength(1);
});

test("stores and sends only the last value of a field that a request repeats", async () => {
  const [first, second] = [await add(1), await add(2)];
  const entries = Array.from({ length: 2_000 }, (_, index) => ({ id: first, value: `v${index}` }));
  const data = [...entries, { id: second, value: "other" }, { id: first, value: "last" }];
  const { events } = await staysInSync(testServer, ["cy"], () =>
    testServer.request("bo", `PATCH ${OWN}`, { data }),
  );
  const fields = events.cy!.map(({ person }) => person.custom_profile_field);
  expect(fields).toMatchObject([
    { id: first, value: "last" },
    { id: second, value: "other" },
  ]);
});
