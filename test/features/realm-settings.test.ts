// The organization's settings: who may change them, valid values, and effects.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { DELETION_DAYS_MAX, DELETION_DAYS_MIN } from "../../src/features/realm/rules.ts";
import { emailOf, type Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const role = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
const change = (params: Params, requester: Name = "olga") =>
  testServer.request(requester, "PATCH /realm", params);
const everyone: Name[] = ["olga", "bo", "gus"];

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

test("lets an administrator change settings, with events to everyone", async () => {
  const expected = {
    name: "New Town",
    org_type: 20,
    require_unique_names: true,
    default_avatar_source: "G",
    message_content_delete_limit_seconds: "unlimited",
    move_messages_within_stream_limit_seconds: 300,
    message_edit_history_visibility_policy: "moves",
    jitsi_server_url: '"https://meet.example.com"',
    digest_weekday: 0,
  };
  const { result, events } = await staysInSync(testServer, everyone, () => change(expected, "ada"));
  expect(events.gus!.map(({ op, property, value }) => [op, property, value])).toEqual([
    ["update", "name", "New Town"],
    ["update", "default_avatar_source", "G"],
    ["update", "message_edit_history_visibility_policy", "moves"],
    ["update", "jitsi_server_url", "https://meet.example.com"],
    ["update", "require_unique_names", true],
    ["update", "message_content_delete_limit_seconds", null],
    ["update", "move_messages_within_stream_limit_seconds", 300],
    ["update", "org_type", 20],
    ["update", "digest_weekday", 0],
  ]);
  expect(result).toEqual({
    result: "success",
    msg: "",
    name: "updated",
    default_avatar_source: "updated",
    message_edit_history_visibility_policy: "updated",
    jitsi_server_url: "updated",
    require_unique_names: true,
    message_content_delete_limit_seconds: null,
    move_messages_within_stream_limit_seconds: 300,
    org_type: 20,
    digest_weekday: 0,
  });
  const secondResult = await staysInSync(testServer, ["bo"], () => change(expected, "ada"));
  expect(secondResult.events.bo).toEqual([]);
  expect(secondResult.result).toEqual({ result: "success", msg: "" });
  const previousParams = {
    jitsi_server_url: '"default"',
    require_unique_names: false,
    name: "Town",
  };
  expect(await change(previousParams)).toMatchObject({ jitsi_server_url: null });
});

test("sends settings that change together in one event", async () => {
  const { events } = await staysInSync(testServer, everyone, () =>
    change({
      description: "We *mend* things.",
      topics_policy: "disable_empty_topic",
      allow_message_editing: false,
      message_content_edit_limit_seconds: 60,
      can_mention_many_users_group: { new: role("moderators") },
      can_create_public_channel_group: { new: role("administrators"), old: role("members") },
      can_delete_any_message_group: { new: groupOfBo() },
    }),
  );
  for (const event of events.bo!) {
    expect(event).toMatchObject({ type: "realm", op: "update_dict", property: "default" });
  }
  expect(events.bo!.map(({ data }) => data)).toEqual([
    {
      description: "We *mend* things.",
      rendered_description: "<p>We <em>mend</em> things.</p>",
    },
    { topics_policy: "disable_empty_topic", mandatory_topics: true },
    { allow_message_editing: false },
    { message_content_edit_limit_seconds: 60 },
    { can_create_public_channel_group: role("administrators"), create_public_stream_policy: 2 },
    { can_delete_any_message_group: groupOfBo() },
    { can_mention_many_users_group: role("moderators"), wildcard_mention_policy: 7 },
  ]);
  const echo = await change({
    can_delete_any_message_group: { new: role("nobody"), old: groupOfBo() },
  });
  expect(echo.can_delete_any_message_group).toBe(role("nobody"));
  await change({
    topics_policy: "allow_empty_topic",
    allow_message_editing: true,
    can_create_public_channel_group: { new: role("members") },
  });
});

const groupOfBo = () => ({ direct_members: [testServer.idOf("bo")], direct_subgroups: [] });

test("requires an owner for some settings", async () => {
  for (const params of [
    { emails_restricted_to_domains: false },
    { disallow_disposable_email_addresses: true },
    { invite_required: true },
    { waiting_period_threshold: 0 },
    { authentication_methods: { Email: true } },
    { message_retention_days: "unlimited" },
    { string_id: "town" },
    ...["create_multiuse_invite_group", "can_create_groups", "can_invite_users_group"].map(groupOf),
    ...["can_manage_all_groups", "can_manage_billing_group"].map(groupOf),
  ]) {
    await expectRefused(errors.mustBeOwner(), "ada", "PATCH /realm", params);
  }
  await expectRefused(errors.mustBeAdministrator(), "mo", "PATCH /realm", { name: "Mine" });
  await expectRefused(realmErrors.demoOrganizationRequired(), "olga", "PATCH /realm", {
    string_id: "x",
  });
});

const groupOf = (name: string): Params => ({ [name]: { new: role("owners") } });

test("rejects invalid values and changes nothing", async () => {
  const expectRefusedWith = (refusal: errors.Refusal, params: Params) =>
    expectRefused(refusal, "olga", "PATCH /realm", { default_code_block_language: "c", ...params });
  await expectRefusedWith(realmErrors.languageInvalid("tlh"), { default_language: "tlh" });
  await expectRefusedWith(realmErrors.choiceInvalid("video_chat_provider", 3), {
    video_chat_provider: 3,
  });
  await expectRefusedWith(realmErrors.choiceInvalid("gif_rating_policy", 9), {
    gif_rating_policy: 9,
  });
  await expectRefusedWith(channelErrors.invalidValue("org_type"), { org_type: 5 });
  await expectRefusedWith(channelErrors.invalidValue("media_preview_size"), {
    media_preview_size: 120,
  });
  await expectRefusedWith(channelErrors.invalidValue("digest_weekday"), { digest_weekday: 7 });
  await expectRefusedWith(channelErrors.invalidValue("topics_policy"), {
    topics_policy: "inherit",
  });
  for (const name of [
    "message_content_edit_limit_seconds",
    "move_messages_between_streams_limit_seconds",
    "message_retention_days",
  ]) {
    for (const value of ["0", "-1", "soon"]) {
      await expectRefusedWith(channelErrors.badVariable(name, value), { [name]: value });
    }
  }
  await expectRefusedWith(realmErrors.noAuthenticationLeft(), {
    authentication_methods: { Email: false },
  });
  const invalid = realmErrors.authenticationMethodInvalid("GitHub", ["Email"]);
  await expectRefusedWith(invalid, { authentication_methods: { GitHub: true } });
  await expectRefusedWith(realmErrors.notAllowedType("jitsi_server_url"), {
    jitsi_server_url: '"ftp://x"',
  });
  await expectRefusedWith(errors.malformed("waiting_period_threshold is too large"), {
    waiting_period_threshold: 1_000_000,
  });
  await expectRefusedWith(errors.malformed("name cannot be blank"), { name: " " });
  await expectRefusedWith(channelErrors.tooLong("name", 40), { name: "n".repeat(41) });
  const outdated = { can_create_groups: { new: role("owners"), old: role("nobody") } };
  await expectRefusedWith(channelErrors.expectationMismatch("old"), outdated);
  const { code } = await testServer.refused("olga", "PATCH /realm", outdated);
  expect(code).toBe("EXPECTATION_MISMATCH");
  const setting = { can_access_all_users_group: { new: groupOfBo() } };
  await expectRefusedWith(channelErrors.systemGroupRequired("can_access_all_users_group"), setting);
  expect((await testServer.refused("olga", "PATCH /realm", setting)).code).toBe(
    "SYSTEM_GROUP_REQUIRED",
  );
  await expectRefusedWith(
    channelErrors.groupSettingNotAllowed("can_manage_all_groups", "role:nobody"),
    {
      can_manage_all_groups: { new: role("nobody") },
    },
  );
  expect(testServer.realm.read.settings.default_code_block_language).toBe("");
});

test("returns the sign-in methods, which can be named", async () => {
  const authentication_methods = { Email: true };
  expect(await change({ authentication_methods })).toMatchObject({ authentication_methods });
});

test("requires access to the channels for announcements", async () => {
  const { id: open } = await testServer.request("bo", "POST /channels/create", {
    name: "open",
    subscribers: [testServer.idOf("bo")],
  });
  const { id: closedId } = await testServer.request("bo", "POST /channels/create", {
    name: "closed",
    subscribers: [testServer.idOf("bo")],
    invite_only: true,
  });
  const { events } = await staysInSync(testServer, everyone, () =>
    change({
      moderation_request_channel_id: closedId,
      signup_announcements_stream_id: open,
      zulip_update_announcements_stream_id: open,
      new_stream_announcements_stream_id: -1,
    }),
  );
  expect(events.bo!.map(({ property, value }) => [property, value])).toEqual([
    ["moderation_request_channel_id", closedId],
    ["new_stream_announcements_stream_id", -1],
    ["signup_announcements_stream_id", open],
    ["zulip_update_announcements_stream_id", open],
  ]);
  const expectRefusedWith = (refusal: errors.Refusal, params: Params) =>
    expectRefused(refusal, "olga", "PATCH /realm", params);
  await expectRefusedWith(channelErrors.moderationChannelPublic(), {
    moderation_request_channel_id: open,
  });
  await expectRefusedWith(channelErrors.channelNotFound(), { signup_announcements_stream_id: 999 });
  await testServer.request("olga", `DELETE /streams/${open}`);
  await expectRefusedWith(channelErrors.channelNotFound(), {
    new_stream_announcements_stream_id: open,
  });
});

test("accepts both spellings of settings, and answers accordingly", async () => {
  const { id } = await testServer.request("bo", "POST /channels/create", {
    name: "news",
    subscribers: [],
  });
  const service = await testServer.listen("bo", {
    client_capabilities: "{}",
    event_types: ["realm"],
  });
  const response = await change({ service_update_announcements_stream_id: id });
  expect(response.service_update_announcements_stream_id).toBe(id);
  expect(response.zulip_update_announcements_stream_id).toBe(id);
  expect(await service.next()).toMatchObject({ value: id });
  expect(testServer.realm.read.settings.zulip_update_announcements_stream_id).toBe(id);
});

test("returns whether a subdomain is available, or why not", async () => {
  const verdict = async (subdomain: string) =>
    (await testServer.request(null, `GET /realm/subdomain/${subdomain}`)).msg;
  expect(await verdict("mendingtown")).toBe("available");
  for (const name of ["ab", "x".repeat(41), "Town", "-town", "www"]) {
    expect(await verdict(name)).toStartWith("Subdomain ");
  }
});

test("lets an owner deactivate an organization, which rejects everyone", async () => {
  const path = "POST /realm/deactivate";
  const closedServer = await startTestServer();
  try {
    const refusal = await closedServer.refused("ada", path);
    expect(refusal).toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
    const response = await closedServer.refused("olga", path, { deletion_delay_days: 3 });
    expect(response.msg).toBe(realmErrors.deletionTooSoon(DELETION_DAYS_MIN).message);
    const days = DELETION_DAYS_MAX + 1;
    const late = await closedServer.refused("olga", path, { deletion_delay_days: days });
    expect(late.msg).toBe(realmErrors.deletionTooLate(DELETION_DAYS_MAX).message);
    const listener = await closedServer.listen("gus");
    const received: Promise<Json> = listener.next();
    await closedServer.request("olga", path);
    expect(await received).toMatchObject({ type: "realm", op: "deactivated", realm_id: 1 });
    const { errCode: code, message: msg } = realmErrors.realmDeactivated();
    for (const line of ["GET /users/me", "POST /register", "POST /messages", "GET /events"]) {
      expect(await closedServer.refused("olga", line)).toMatchObject({ status: 401, code, msg });
    }
    const signIn = await closedServer.refused(null, "POST /fetch_api_key", {
      username: emailOf("olga"),
      password: "whatever it was",
    });
    const { errCode, status } = realmErrors.signInRealmDeactivated();
    expect(signIn).toMatchObject({ status, code: errCode });
    expect(errCode).toBe("REALM_DEACTIVATED");
  } finally {
    await closedServer.close();
  }
});

test("sends no welcome emails without a mail server, in response, event and state", async () => {
  await change({ send_welcome_emails: false });
  const { result, events } = await staysInSync(testServer, ["bo"], () =>
    change({ send_welcome_emails: true }),
  );
  expect(result).toMatchObject({ send_welcome_emails: false });
  expect(events.bo).toMatchObject([{ property: "send_welcome_emails", value: false }]);
  const { realm_send_welcome_emails } = await testServer.request("bo", "POST /register");
  expect(realm_send_welcome_emails).toBe(false);
});
