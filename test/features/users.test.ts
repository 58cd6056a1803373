// Accounts are created, listed, renamed, deactivated and reactivated.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  insufficientPermission,
  userIsDeactivated,
  userNotFound,
} from "../../src/contract/errors/channels.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import {
  emailInvalid,
  emailTaken,
  fullNameHasInvalidCharacters,
  fullNameHasInvalidFormat,
  fullNameTaken,
  fullNameTooLong,
  fullNameTooShort,
  lastUserStaysActive,
  notAuthorizedToCreateUsers,
  onlyOwnerStays,
  onlyOwnerStaysActive,
  ownerRequired,
  passwordTooWeak,
} from "../../src/contract/errors/people.ts";
import { emailOf } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const nia = { email: "Nia@example.com", full_name: "Nia New", password: "correct horse" };
const errorBody = (refusal: Refusal) => ({ msg: refusal.message, code: refusal.errCode });

/** Lets guests see only users with whom they share a channel or conversation. */
const limitGuests = () =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
  });

test("returns the caller's account", async () => {
  const own = await testServer.request("bo", "GET /users/me");
  expect(own).toMatchObject({
    user_id: testServer.idOf("bo"),
    email: "bo@example.com",
    delivery_email: "bo@example.com",
    full_name: "Bo Member",
    role: 400,
    is_admin: false,
    is_bot: false,
    is_active: true,
    is_imported_stub: false,
    timezone: "",
    profile_data: {},
  });
  expect(own.date_joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
  expect(own.avatar_url).toStartWith("/user_avatars/");
});

test("returns the owner in a bot's account", async () => {
  const { user } = await testServer.request("cy", `GET /users/${testServer.idOf("bot")}`);
  expect(user).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: testServer.idOf("bo") });
  expect(user.profile_data).toBeUndefined();
  const { user: bo } = await testServer.request("cy", `GET /users/${testServer.idOf("bo")}`, {
    include_custom_profile_fields: true,
  });
  expect(bo.profile_data).toEqual({});
});

test("lists all users by id, except system bots", async () => {
  const { members } = await testServer.request("gus", "GET /users");
  const names = members.map((person: { full_name: string }) => person.full_name);
  expect(names).toEqual([
    "Olga Owner",
    "Ada Admin",
    "Mo Moderator",
    "Bo Member",
    "Cy Member",
    "Gus Guest",
    "Botty",
  ]);
  const bothUsers = await testServer.request("bo", "GET /users", {
    user_ids: [testServer.idOf("cy"), testServer.idOf("ada"), 999],
  });
  expect(bothUsers.members.map((person: { user_id: number }) => person.user_id)).toEqual([
    testServer.idOf("ada"),
    testServer.idOf("cy"),
  ]);
});

test("finds a user by id and by address, and not unknown ones", async () => {
  const byEmail = await testServer.request(
    "bo",
    `GET /users/${encodeURIComponent("CY@example.com")}`,
  );
  expect(byEmail.user.user_id).toBe(testServer.idOf("cy"));
  expect(await testServer.refused("bo", "GET /users/999")).toMatchObject(errorBody(userNotFound()));
  expect(await testServer.refused("bo", "GET /users/no@example.com")).toMatchObject(
    errorBody(userNotFound()),
  );
});

test("follows the user's setting of the visibility of the email address", async () => {
  await testServer.request("cy", "PATCH /settings", { email_address_visibility: 3 });
  const path = `GET /users/${testServer.idOf("cy")}`;
  const { user: asMember } = await testServer.request("bo", path);
  expect(asMember.delivery_email).toBeNull();
  expect(asMember.email).toStartWith(`user${testServer.idOf("cy")}@`);
  const { user: asAdministrator } = await testServer.request("ada", path);
  expect(asAdministrator.delivery_email).toBe("cy@example.com");
  expect(asAdministrator.email).toBe(asMember.email);
  const response = await testServer.request("bo", `GET /users/${asMember.email}`);
  expect(response.user.user_id).toBe(testServer.idOf("cy"));
  const refusal = await testServer.refused("bo", "GET /users/cy@example.com");
  expect(refusal).toMatchObject(errorBody(userNotFound()));
});

test("adds a new account to its groups and default channels, with events", async () => {
  const { result, events } = await staysInSync(testServer, ["olga", "bo", "gus"], () =>
    testServer.request("olga", "POST /users", nia),
  );
  const [addedEvents, group, ...rest] = events.bo!;
  expect(addedEvents).toMatchObject({
    type: "realm_user",
    op: "add",
    person: { user_id: result.user_id, full_name: "Nia New", delivery_email: "Nia@example.com" },
  });
  expect(addedEvents!["person"].is_active).toBe(true);
  expect(group).toMatchObject({ type: "user_group", op: "add_members" });
  const types = rest.map((event) => `${event["type"]}/${event["op"]}`);
  expect(new Set(types)).toEqual(new Set(["user_group/add_members", "subscription/peer_add"]));
  const signedIn = await testServer.request(null, "POST /fetch_api_key", {
    username: "nia@EXAMPLE.com",
    password: nia.password,
  });
  expect(signedIn).toMatchObject({ user_id: result.user_id, email: "Nia@example.com" });
});

test("lets permitted administrators create accounts", async () => {
  const refusal = await testServer.refused("ada", "POST /users", nia);
  expect(refusal).toMatchObject(errorBody(notAuthorizedToCreateUsers()));
  expect(await testServer.refused("bo", "POST /users", nia)).toMatchObject({
    status: 400,
    code: "UNAUTHORIZED_PRINCIPAL",
    msg: "Must be an organization administrator",
  });
});

test("rejects invalid names, addresses and passwords", async () => {
  const cases: [object, Refusal][] = [
    [{ full_name: " N " }, fullNameTooShort()],
    [{ full_name: "n".repeat(101) }, fullNameTooLong()],
    [{ full_name: "Nia *New*" }, fullNameHasInvalidCharacters()],
    [{ full_name: "Nia\u202Eweiv" }, fullNameHasInvalidCharacters()],
    [{ full_name: "Nia|12" }, fullNameHasInvalidFormat()],
    [{ email: "nia" }, emailInvalid()],
    [{ email: "nia@exam ple.com" }, emailInvalid()],
    [{ email: emailOf("bo").toUpperCase() }, emailTaken()],
    [{ password: "short" }, passwordTooWeak()],
    [{ password: "x".repeat(101) }, passwordTooWeak()],
    [{ password: "qwertyuiop" }, passwordTooWeak()],
    [{ password: "nia@example.com" }, passwordTooWeak()],
    [{ password: "NiaNew" }, passwordTooWeak()],
  ];
  for (const [wrong, refusal] of cases) {
    const refusedResponse = await testServer.refused("olga", "POST /users", { ...nia, ...wrong });
    expect(refusedResponse).toMatchObject({ status: 400, ...errorBody(refusal) });
  }
  await testServer.request("olga", "POST /users", nia);
});

test("requires unique names if the organization wants them", async () => {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, require_unique_names: true } });
  });
  const nameTaken = await testServer.refused("olga", "POST /users", {
    ...nia,
    full_name: "bo MEMBER",
  });
  expect(nameTaken).toMatchObject(errorBody(fullNameTaken()));
  await testServer.request("bo", "PATCH /settings", { full_name: "BO Member" });
});

test("shows a limited guest only bots and users with contact", async () => {
  await limitGuests();
  const { members } = await testServer.request("gus", "GET /users");
  const ids = members.map((person: { user_id: number }) => person.user_id);
  expect(ids).toEqual([testServer.idOf("gus"), testServer.idOf("bot")]);
  const refusal = await testServer.refused("gus", `GET /users/${testServer.idOf("bo")}`);
  expect(refusal).toMatchObject(errorBody(insufficientPermission()));
  const complete = await testServer.request("gus", "POST /register", {
    fetch_event_types: ["realm_user"],
  });
  const bo = complete.realm_users.find((person: any) => person.user_id === testServer.idOf("bo"));
  expect(bo).toMatchObject({ full_name: "Unknown user", delivery_email: null });
  const partial = await testServer.request("gus", "POST /register", {
    fetch_event_types: ["realm_user"],
    client_capabilities: { user_list_incomplete: true },
  });
  expect(partial.realm_users).toHaveLength(2);
});

test("sends a placeholder of a stranger to a limited guest whose client needs one", async () => {
  await limitGuests();
  const event_types = ["realm_user"];
  const complete = await testServer.listen("gus", { event_types });
  const partial = await testServer.listen("gus", {
    event_types,
    client_capabilities: { user_list_incomplete: true },
  });
  await testServer.request("olga", "POST /users", nia);
  const [outsider] = await complete.takeAll();
  expect(outsider.person).toMatchObject({ full_name: "Unknown user", role: 400 });
  expect(await partial.takeAll()).toEqual([]);
});

test("removes a deactivated account from channels and groups until it is reactivated", async () => {
  const off = await staysInSync(testServer, ["olga", "bo"], () =>
    testServer.request("ada", `DELETE /users/${testServer.idOf("cy")}`),
  );
  const last = off.events.bo!.at(-1)!;
  expect(last["person"]).toEqual({ user_id: testServer.idOf("cy"), is_active: false });
  expect((await testServer.send("cy", "GET /users/me")).status).toBe(401);
  const secondRefusal = await testServer.refused("ada", `DELETE /users/${testServer.idOf("cy")}`);
  expect(secondRefusal).toMatchObject(errorBody(userIsDeactivated()));

  const on = await staysInSync(testServer, ["olga", "bo"], () =>
    testServer.request("ada", `POST /users/${testServer.idOf("cy")}/reactivate`),
  );
  expect(on.events.bo![0]!["person"]).toEqual({ user_id: testServer.idOf("cy"), is_active: true });
  expect(on.events.olga!.map((event) => event["type"])).toContain("realm_export_consent");
  expect((await testServer.request("cy", "GET /users/me")).is_active).toBe(true);
  await testServer.request("ada", `POST /users/${testServer.idOf("cy")}/reactivate`);
});

test("deactivates a user's bots, and gives them to the user who reactivates them", async () => {
  await testServer.request("ada", `DELETE /users/${testServer.idOf("bo")}`);
  expect((await testServer.send("bot", "GET /users/me")).status).toBe(401);
  const listener = await testServer.listen("ada", { event_types: ["realm_bot", "realm_user"] });
  await testServer.request("ada", `POST /users/${testServer.idOf("bot")}/reactivate`);
  const [active, bot, owner] = await listener.takeAll();
  expect(active.person).toMatchObject({ is_active: true });
  expect(bot).toMatchObject({
    type: "realm_bot",
    op: "add",
    bot: { user_id: testServer.idOf("bot") },
  });
  expect(owner.person).toEqual({
    user_id: testServer.idOf("bot"),
    bot_owner_id: testServer.idOf("ada"),
  });
});

test("checks who can deactivate whom", async () => {
  const bo = `DELETE /users/${testServer.idOf("bo")}`;
  const olga = `DELETE /users/${testServer.idOf("olga")}`;
  const bot = `DELETE /users/${testServer.idOf("bot")}`;
  expect(await testServer.refused("cy", bo)).toMatchObject(errorBody(insufficientPermission()));
  expect(await testServer.refused("ada", olga)).toMatchObject(errorBody(ownerRequired()));
  expect(await testServer.refused("olga", olga)).toMatchObject(errorBody(onlyOwnerStaysActive()));
  expect(await testServer.refused("olga", bot)).toMatchObject(errorBody(userNotFound()));
});

test("lets a user leave, unless it is the only owner", async () => {
  expect(await testServer.refused("olga", "DELETE /users/me")).toMatchObject({
    ...errorBody(lastUserStaysActive(true)),
    code: "CANNOT_DEACTIVATE_LAST_USER",
    is_last_owner: true,
    entity: "organization owner",
  });
  await testServer.request("bo", "DELETE /users/me");
  expect((await testServer.send("bo", "GET /users/me")).status).toBe(401);
});

test("grants and removes what depends on a role", async () => {
  const path = `PATCH /users/${testServer.idOf("gus")}`;
  const up = await staysInSync(testServer, ["gus", "bo"], () =>
    testServer.request("ada", path, { role: 400 }),
  );
  expect(up.events.bo![0]!["person"]).toEqual({ user_id: testServer.idOf("gus"), role: 400 });
  expect(up.events.gus!.map((event) => `${event["type"]}/${event["op"]}`)).toContain(
    "stream/create",
  );
  const down = await staysInSync(testServer, ["gus", "bo"], () =>
    testServer.request("ada", path, { role: 600 }),
  );
  expect(down.events.gus!.map((event) => `${event["type"]}/${event["op"]}`)).toContain(
    "stream/delete",
  );
});

test("checks who can change roles", async () => {
  const bo = `PATCH /users/${testServer.idOf("bo")}`;
  const bot = `PATCH /users/${testServer.idOf("bot")}`;
  const olga = `PATCH /users/${testServer.idOf("olga")}`;
  expect(await testServer.refused("ada", bo, { role: 100 })).toMatchObject(
    errorBody(ownerRequired()),
  );
  expect(await testServer.refused("ada", olga, { role: 400 })).toMatchObject(
    errorBody(ownerRequired()),
  );
  expect(await testServer.refused("olga", olga, { role: 200 })).toMatchObject(
    errorBody(onlyOwnerStays()),
  );
  expect(await testServer.refused("bo", bot, { role: 300 })).toMatchObject(
    errorBody(insufficientPermission()),
  );
  expect(await testServer.refused("ada", bo, { role: 350 })).toMatchObject({ msg: "Invalid role" });
});

test("lets administrators rename users, and owners their bots", async () => {
  const { events } = await staysInSync(testServer, ["cy"], () =>
    testServer.request("bo", `PATCH /users/${testServer.idOf("bot")}`, { full_name: " Bottina " }),
  );
  expect(events.cy![0]!["person"]).toEqual({
    user_id: testServer.idOf("bot"),
    full_name: "Bottina",
  });
  await testServer.request("ada", "PATCH /users/bo@example.com", { full_name: "  " });
  expect((await testServer.request("bo", "GET /users/me")).full_name).toBe("Bo Member");
});
