// User settings: their defaults, valid values, and events about changes.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Refusal } from "../../src/contract/errors/general.ts";
import {
  batchingPeriodInvalid,
  notificationSoundInvalid,
  timezoneInvalid,
} from "../../src/contract/errors/people.ts";
import { SETTING_NAMES, USER_SETTINGS } from "../../src/features/settings/rules.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const errorBody = (refusal: Refusal) => ({ msg: refusal.message, code: refusal.errCode });
const set = (params: Params) => testServer.request("bo", "PATCH /settings", params);
const snapshot = (...fetch_event_types: string[]) =>
  testServer.request("bo", "POST /register", { fetch_event_types });

test("start with valid defaults for all users", async () => {
  const { user_settings } = await snapshot("user_settings");
  for (const name of SETTING_NAMES) {
    const setting = USER_SETTINGS[name];
    expect(user_settings[name]).toBe(setting.default);
    expect({ name, isValid: setting.isValid(setting.default) }).toEqual({ name, isValid: true });
  }
  expect(user_settings.available_notification_sounds).toContain("zulip");
  expect(user_settings.emojiset_choices).toContainEqual({ key: "google", text: "Google" });
  const { realm_user_settings_defaults } = await snapshot("realm_user_settings_defaults");
  const own = { timezone: "", do_not_disturb_until: 0, do_not_disturb_hours: "" };
  expect(realm_user_settings_defaults).not.toContainAnyKeys(Object.keys(own));
  expect({ ...realm_user_settings_defaults, ...own }).toEqual(user_settings);
});

test("sends settings only to the user's own clients", async () => {
  const expected = {
    enter_sends: true,
    color_scheme: 2,
    emojiset: "twitter",
    default_language: "de",
    web_home_view: "recent",
    twenty_four_hour_time: false,
  };
  const { events } = await staysInSync(testServer, ["bo", "cy"], () => set(expected));
  expect(events.bo!.map(({ property, value }) => [property, value])).toEqual([
    ["default_language", "de"],
    ["color_scheme", 2],
    ["web_home_view", "recent"],
    ["enter_sends", true],
    ["emojiset", "twitter"],
  ]);
  expect(events.bo![0]).toMatchObject({ op: "update", language_name: "Deutsch" });
  expect(events.cy).toEqual([]);
  await set({ color_scheme: 1 });
  expect(testServer.realm.read.users.get(testServer.idOf("bo"))!.settings).not.toHaveProperty(
    "color_scheme",
  );
});

test("changes settings at their old URLs", async () => {
  await testServer.request("bo", "PATCH /settings/display", { enter_sends: true });
  await testServer.request("bo", "PATCH /settings/notifications", { enable_sounds: false });
  const { user_settings } = await snapshot("user_settings");
  expect(user_settings).toMatchObject({ enter_sends: true, enable_sounds: false });
});

test("rejects an invalid value without changes", async () => {
  const cases: [Params, object][] = [
    [{ color_scheme: 4 }, { msg: "Invalid color_scheme" }],
    [{ web_home_view: "tea" }, { msg: "Invalid web_home_view" }],
    [{ web_home_view: "recent_topics" }, { msg: "Invalid web_home_view" }],
    [{ default_language: "xx" }, { msg: "Invalid default_language" }],
    [{ default_language: "toString" }, { msg: "Invalid default_language" }],
    [{ enter_sends: "yes" }, { msg: "enter_sends is not valid JSON" }],
    [{ enter_sends: 1 }, { msg: "enter_sends is not a boolean" }],
    [{ timezone: "Mars/Base" }, errorBody(timezoneInvalid())],
    [{ timezone: "+01:00" }, errorBody(timezoneInvalid())],
    [{ do_not_disturb_hours: "22:00" }, { msg: "Invalid do_not_disturb_hours" }],
    [{ do_not_disturb_hours: "22:00-24:00" }, { msg: "Invalid do_not_disturb_hours" }],
    [{ do_not_disturb_until: -1 }, { msg: "Invalid do_not_disturb_until" }],
    [{ notification_sound: "gong" }, errorBody(notificationSoundInvalid("gong"))],
    [{ email_notifications_batching_period_seconds: 0 }, errorBody(batchingPeriodInvalid(0))],
  ];
  for (const [params, refusal] of cases) {
    const request = { enable_sounds: false, ...params };
    expect(await testServer.refused("bo", "PATCH /settings", request)).toMatchObject(refusal);
  }
  expect(testServer.realm.read.users.get(testServer.idOf("bo"))!.settings).toEqual({});
  expect(await testServer.refused("bot", "PATCH /settings", { enter_sends: true })).toMatchObject({
    msg: "This endpoint does not accept bot requests.",
  });
});

test("reports unknown settings as ignored", async () => {
  const { ignored_parameters_unsupported } = await set({ tea: true, enter_sends: true });
  expect(ignored_parameters_unsupported).toEqual(["tea"]);
});

test("the time zone is shown to others", async () => {
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    set({ timezone: "Europe/Berlin" }),
  );
  expect(events.cy!.map(({ person }) => person)).toEqual([
    { user_id: testServer.idOf("bo"), email: "bo@example.com", timezone: "Europe/Berlin" },
  ]);
});

test("a hidden address is hidden at once from users who may not see it", async () => {
  const hiding = await staysInSync(testServer, ["ada", "bo", "cy", "gus"], () =>
    set({ email_address_visibility: 3 }),
  );
  const read = (name: "ada" | "cy") => hiding.events[name]!.map(({ person }) => person);
  expect(read("cy")[0]).toEqual({ user_id: testServer.idOf("bo"), delivery_email: null });
  expect(read("ada")[0]).toHaveProperty("new_email");
  await staysInSync(testServer, ["ada", "bo", "cy", "gus"], () =>
    set({ email_address_visibility: 5 }),
  );
  const showing = await staysInSync(testServer, ["ada", "bo", "cy", "gus"], () =>
    set({ email_address_visibility: 1 }),
  );
  const [first] = showing.events.gus!;
  expect(first!["person"]).toEqual({
    user_id: testServer.idOf("bo"),
    delivery_email: "bo@example.com",
  });
});

test("administrators receive which users consent to a private export", async () => {
  const listener = await testServer.listen("ada", { event_types: ["realm_export_consent"] });
  await set({ allow_private_data_export: true });
  expect(await listener.next()).toMatchObject({ user_id: testServer.idOf("bo"), consented: true });
});

test("a name can be changed if the organization allows it", async () => {
  await staysInSync(testServer, ["bo", "cy"], () => set({ full_name: "Bo Different" }));
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, name_changes_disabled: true } });
  });
  await set({ full_name: "Bo Again" });
  expect((await testServer.request("bo", "GET /users/me")).full_name).toBe("Bo Different");
  await testServer.request("ada", "PATCH /settings", { full_name: "Ada Again" });
  expect((await testServer.request("ada", "GET /users/me")).full_name).toBe("Ada Again");
});
