// Custom profile fields of an organization: valid values, and who receives their events.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /realm/profile_fields";
const CHOICES = { a: { text: "Apple", order: "1" }, b: { text: "Pear", order: "2" } };

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}
const isInvalid = (reason: string, params: Params, line = POST) =>
  expectRefused(realmErrors.profileFieldInvalid(reason), "ada", line, params);

const add = async (params: Params) => (await testServer.request("ada", POST, params)).id as number;
const patch = (id: number, params: Params) =>
  testServer.request("ada", `PATCH /realm/profile_fields/${id}`, params);
const listFields = async (): Promise<Json[]> =>
  (await testServer.request("gus", "GET /realm/profile_fields")).custom_fields;
const post = (name: Name, id: number, value: unknown) =>
  testServer.request(name, "PATCH /users/me/profile_data", { data: [{ id, value }] });
const profileOf = async (name: Name) =>
  (await testServer.request(name, "GET /users/me")).profile_data;

test("creates, changes and deletes a field, with events to everyone", async () => {
  const { events, result: id } = await staysInSync(testServer, ["bo", "gus"], () =>
    add({ field_type: 1, name: " Phone ", hint: "with its country" }),
  );
  const object = {
    ...{ id, type: 1, name: "Phone", hint: "with its country", field_data: "" },
    ...{ order: expect.any(Number), required: false, editable_by_user: true },
  };
  expect(events.gus).toMatchObject([{ type: "custom_profile_fields", fields: [object] }]);
  expect(await listFields()).toEqual([object]);

  const change = { name: "Call me", required: true, editable_by_user: false };
  const flags = { display_in_profile_summary: true, use_for_user_matching: true };
  await staysInSync(testServer, ["bo", "gus"], () => patch(id, { ...change, ...flags }));
  expect(await listFields()).toEqual([{ ...object, ...change, ...flags }]);
  const quiet = await staysInSync(testServer, ["bo"], () => patch(id, change));
  expect(quiet.events.bo).toEqual([]);

  await testServer.request("ada", "PATCH /users/me/profile_data", { data: [{ id, value: "112" }] });
  await staysInSync(testServer, ["ada", "bo"], () =>
    testServer.request("ada", `DELETE /realm/profile_fields/${id}`),
  );
  expect(await listFields()).toEqual([]);
  expect(await profileOf("ada")).toEqual({});
});

test("removes users' values when an option is removed", async () => {
  const id = await add({ field_type: 3, name: "Fruit", field_data: CHOICES });
  expect(JSON.parse((await listFields())[0].field_data)).toEqual(CHOICES);
  await post("bo", id, "a");
  await post("cy", id, "b");
  const rest = { b: { text: "Williams", order: "1" } };
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    patch(id, { field_data: rest }),
  );
  const removed = { user_id: testServer.idOf("bo"), custom_profile_field: { id, value: null } };
  expect(events.cy).toMatchObject([
    { type: "realm_user", op: "update", person: removed },
    { type: "custom_profile_fields" },
  ]);
  expect(await profileOf("bo")).toEqual({});
  expect(await profileOf("cy")).toEqual({ [id]: { value: "b" } });
});

test("keeps the predefined name of a well-known site's account field", async () => {
  const field_data = { subtype: "github" };
  const id = await add({ field_type: 7, field_data, display_in_profile_summary: true });
  const [field] = await listFields();
  expect(field).toMatchObject({ name: "GitHub username", field_data: '{"subtype":"github"}' });
  for (const change of [{ name: "Code" }, { hint: "x" }, { field_data: { subtype: "twitter" } }]) {
    const line = `PATCH /realm/profile_fields/${id}`;
    await expectRefused(realmErrors.profileFieldFixed(), "ada", line, change);
  }
  await patch(id, { name: "GitHub username", field_data, display_in_profile_summary: false });
  expect((await listFields())[0]).not.toHaveProperty("display_in_profile_summary");
  const pattern = { subtype: "custom", url_pattern: "https://x.example/~%(username)s" };
  await add({ field_type: 7, name: "Home", field_data: pattern });
  expect(JSON.parse((await listFields())[1].field_data)).toEqual(pattern);
});

test("returns fields in the order that an administrator sets", async () => {
  const ids = [
    await add({ field_type: 1, name: "one" }),
    await add({ field_type: 2, name: "two" }),
    await add({ field_type: 8, name: "three" }),
  ];
  const order = ids.toReversed();
  const line = "PATCH /realm/profile_fields";
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, { order }),
  );
  expect(events.bo).toHaveLength(1);
  expect((await listFields()).map((field) => field.id)).toEqual(order);
  expect(
    (await staysInSync(testServer, ["bo"], () => testServer.request("ada", line, { order }))).events
      .bo,
  ).toEqual([]);
  for (const wrong of [ids.slice(1), [...ids, 999], [ids[0], ...ids.slice(1, 2), ids[0]]]) {
    await expectRefused(channelErrors.orderInvalid(), "ada", line, { order: wrong });
  }
});

test("rejects an invalid field", async () => {
  const text = { field_type: 1, name: "Text" };
  const id = await add(text);
  await isInvalid("Label cannot be blank.", { field_type: 1, name: " " });
  await isInvalid("A field with that label already exists.", text);
  await isInvalid("Invalid field type.", { ...text, field_type: 9 });
  await expectRefused(channelErrors.tooLong("name", 40), "ada", POST, {
    ...text,
    name: "n".repeat(41),
  });
  const hint = { name: "x", hint: "h".repeat(81) };
  await expectRefused(channelErrors.tooLong("hint", 80), "ada", POST, { ...text, ...hint });
  const other = await add({ field_type: 2, name: "Other" });
  const line = `PATCH /realm/profile_fields/${other}`;
  await isInvalid("A field with that label already exists.", { name: "Text" }, line);
  await isInvalid("Label cannot be blank.", { name: "" }, line);

  const shown = { display_in_profile_summary: true };
  const people = { field_type: 6, name: "Boss", ...shown };
  await isInvalid("Field type not supported for display in profile summary.", people);
  await patch(id, shown);
  await patch(other, shown);
  await patch(other, { ...shown, hint: "the same" });
  const third = "Only 2 custom profile fields can be displayed in the profile summary.";
  await isInvalid(third, { field_type: 1, name: "Third", ...shown });

  for (const method of ["PATCH", "DELETE"]) {
    const removed = `${method} /realm/profile_fields/9999`;
    await expectRefused(realmErrors.profileFieldNotFound(9999), "ada", removed);
  }
  const field = `/realm/profile_fields/${id}`;
  for (const row of [POST, "PATCH /realm/profile_fields", `PATCH ${field}`, `DELETE ${field}`]) {
    await expectRefused(errors.mustBeAdministrator(), "mo", row);
  }
  for (let n = 2; n < 100; n++) await add({ field_type: 1, name: `field ${n}` });
  await expectRefused(channelErrors.tooMany("profile fields", 100), "ada", POST, {
    ...text,
    name: "More",
  });
});

test("requires complete and valid field data", async () => {
  const list = (reason: string, field_data: unknown) =>
    isInvalid(reason, { field_type: 3, name: "List", field_data });
  const choice = (text: unknown, order: unknown = "1") => ({ a: { text, order } });
  await list("Field must have at least one choice.", {});
  await isInvalid("Field must have at least one choice.", { field_type: 3, name: "List" });
  const twice = { a: { text: "x", order: "1" }, b: { text: " x", order: "2" } };
  await list("Field must not have duplicate choices.", twice);
  await list('field_data["a"] is not a dict', { a: "x" });
  await list('field_data["a"]["text"] is not a string', choice(1));
  await list('field_data["a"]["text"] cannot be blank', choice(" "));
  await list('field_data["a"]["order"] is not a string', choice("x", 1));
  const long = "x".repeat(201);
  await list('field_data["a"]["text"] is too long (limit: 200 characters)', choice(long));
  await list("value cannot be blank", { "": { text: "x", order: "1" } });

  const accountField = (reason: string, field_data: Params) =>
    isInvalid(reason, { field_type: 7, name: "Account", field_data });
  await accountField("Invalid external account type", {});
  await accountField("Invalid external account type", { subtype: "toString" });
  await accountField("Custom external account must define URL pattern", { subtype: "custom" });
  const accountPattern = (url_pattern: string) => ({ subtype: "custom", url_pattern });
  await accountField(
    "URL pattern must contain '%(username)s'.",
    accountPattern("https://x.example"),
  );
  const { message } = realmErrors.profileLinkInvalid("url_pattern");
  await accountField(message, accountPattern("javascript:alert(%(username)s)"));
  expect(await listFields()).toEqual([]);
});

test("sends pronouns as short text to clients without support", async () => {
  const types = ["custom_profile_fields"];
  const forms: Params[] = [
    { pronouns_field_type_supported: false },
    { client_capabilities: { pronouns_field_type_supported: false } },
  ];
  const oldFieldIds = [];
  for (const form of forms)
    oldFieldIds.push(await testServer.listen("bo", { event_types: types, ...form }));
  const listener = await testServer.listen("bo", { event_types: types });
  await add({ field_type: 8, name: "Pronouns" });
  const typesIn = (fields: Json[]) =>
    fields.filter((f) => f.name === "Pronouns").map((f) => f.type);
  for (const listener of oldFieldIds) expect(typesIn((await listener.next()).fields)).toEqual([1]);
  expect(typesIn((await listener.next()).fields)).toEqual([8]);
  for (const [form, type] of [...forms.map((form) => [form, 1] as const), [{}, 8] as const]) {
    const state = await testServer.request("bo", "POST /register", {
      ...form,
      fetch_event_types: types,
    });
    expect(typesIn(state.custom_profile_fields)).toEqual([type]);
  }
});
