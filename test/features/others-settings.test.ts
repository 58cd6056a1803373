// Administrators change settings of other users and of groups.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import { userSetting } from "../../src/features/settings/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const LINE = "PATCH /settings";
const change = (target_users: Params, settings: Params, requester: Name = "ada") =>
  testServer.request(requester, LINE, { ...settings, target_users });
const styleOf = (name: Name) =>
  userSetting(testServer.realm.read.users.get(testServer.idOf(name))!, "user_list_style");

async function expectRefused(refusal: errors.Refusal, requester: Name, params: Params) {
  const { errCode: code, message: msg } = refusal;
  expect(await testServer.refused(requester, LINE, params)).toMatchObject({ code, msg });
}

test("lets an administrator change settings of users and groups, with events", async () => {
  const members = testServer.realm.read.groups.findBy("name", "role:moderators")!.id;
  const targets = { user_ids: [testServer.idOf("bo")], group_ids: [members] };
  const { events } = await staysInSync(testServer, ["bo", "mo", "cy", "ada"], () =>
    change(targets, { user_list_style: 1 }),
  );
  const event = { type: "user_settings", property: "user_list_style", value: 1 };
  expect([events.bo, events.mo, events.ada]).toMatchObject([[event], [event], [event]]);
  expect(events.cy).toEqual([]);
  expect([styleOf("bo"), styleOf("mo"), styleOf("cy")]).toEqual([1, 1, 3]);
});

test("keeps users' own choices if the administrator wants it", async () => {
  await testServer.request("cy", LINE, { user_list_style: 2 });
  const user_ids = [testServer.idOf("cy"), testServer.idOf("gus")];
  await change({ user_ids, skip_if_already_edited: true }, { user_list_style: 1 });
  expect([styleOf("cy"), styleOf("gus")]).toEqual([2, 1]);
  await change({ user_ids }, { user_list_style: 1 });
  expect(styleOf("cy")).toBe(1);
});

test("applies to deactivated users after reactivation", async () => {
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  await change({ user_ids: [testServer.idOf("mo")] }, { user_list_style: 2 });
  await testServer.request("olga", `POST /users/${testServer.idOf("mo")}/reactivate`);
  expect(styleOf("mo")).toBe(2);
});

test("rejects other roles, and missing users", async () => {
  const user_ids = [testServer.idOf("cy")];
  await expectRefused(errors.mustBeAdministrator(), "bo", { target_users: { user_ids } });
  const nobody = { target_users: { user_ids: [9_999] }, user_list_style: 1 };
  await expectRefused(channelErrors.userIdInvalid(9_999), "ada", nobody);
  const bot = { target_users: { user_ids: [testServer.idOf("bot")] }, user_list_style: 1 };
  await expectRefused(channelErrors.userIdInvalid(testServer.idOf("bot")), "ada", bot);
  await expectRefused(channelErrors.groupNotFound(), "ada", {
    target_users: { group_ids: [9_999] },
  });
  await expectRefused(refusals.targetsMissing(), "ada", { target_users: { user_ids: [] } });
});

test("excludes settings of identity, visibility and emails", async () => {
  const target_users = { user_ids: [testServer.idOf("cy")] };
  for (const [name, value] of [
    ["full_name", "Cyrano"],
    ["email", "c@example.com"],
    ["new_password", "correct horse battery"],
    ["timezone", "Europe/Paris"],
    ["do_not_disturb_hours", "22:00-07:00"],
    ["allow_private_data_export", true],
    ["email_address_visibility", 1],
    ["enable_digest_emails", true],
    ["enable_login_emails", false],
    ["enable_marketing_emails", true],
    ["presence_enabled", false],
    ["send_private_typing_notifications", false],
    ["send_read_receipts", false],
    ["send_stream_typing_notifications", false],
  ] as const) {
    await expectRefused(refusals.settingOwnerOnly(), "ada", { target_users, [name]: value });
  }
  const wrong = { target_users, user_list_style: 9, twenty_four_hour_time: true };
  await expectRefused(channelErrors.invalidValue("user_list_style"), "ada", wrong);
  const { settings } = testServer.realm.read.users.get(testServer.idOf("cy"))!;
  expect(settings["twenty_four_hour_time"]).toBeUndefined();
});
