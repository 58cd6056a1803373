// Errors of the organization's endpoints, with the exact texts that clients compare.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  callsUnavailable,
  clientTooOld,
  exportByOperator,
  exportNotFound,
  summariesUnavailable,
} from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
// Refused requests change nothing, so all tests share one server.
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer?.close());

const groupId = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
const url_template = "https://a.example/{code}";
const bug = { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example/{id}" };
const OWNER = "Must be an organization owner";
const ADMINISTRATOR = "Must be an organization administrator";
const toGroup = (name: string, group: string) => ({ [name]: { new: groupId(group) } });
const notTo = (name: string, group: string) =>
  `'${name}' setting cannot be set to 'role:${group}' group.`;

type Row = [Name, string, () => Params, string];
const constant = (params: Params) => () => params;
const FILTERS = "POST /realm/filters";
const FIELDS = "POST /realm/profile_fields";
const PLAYGROUNDS = "POST /realm/playgrounds";

const rows: Row[] = [
  ["bo", "PATCH /realm", constant({ name: "Ours" }), ADMINISTRATOR],
  ["ada", "PATCH /realm", constant({ name: " " }), "name cannot be blank"],
  [
    "ada",
    "PATCH /realm",
    constant({ name: "x".repeat(41) }),
    "name is too long (limit: 40 characters)",
  ],
  ["olga", "PATCH /realm", constant({ string_id: "ours" }), "Must be a demo organization."],
  ["ada", "PATCH /realm", constant({ org_type: 7 }), "Invalid org_type"],
  ["ada", "PATCH /realm", constant({ default_language: "xx" }), "Invalid language 'xx'"],
  [
    "ada",
    "PATCH /realm",
    constant({ jitsi_server_url: '"meet"' }),
    "jitsi_server_url is not an allowed_type",
  ],
  ["ada", "PATCH /realm", constant({ gif_rating_policy: 9 }), "Invalid gif_rating_policy 9"],
  ["ada", "PATCH /realm", constant({ video_chat_provider: 3 }), "Invalid video_chat_provider 3"],
  ["ada", "PATCH /realm", constant({ signup_announcements_stream_id: 999 }), "Invalid channel ID"],
  [
    "ada",
    "PATCH /realm",
    () => toGroup("can_resolve_topics_group", "internet"),
    notTo("can_resolve_topics_group", "internet"),
  ],
  [
    "ada",
    "PATCH /realm",
    () => toGroup("can_add_custom_emoji_group", "everyone"),
    notTo("can_add_custom_emoji_group", "everyone"),
  ],
  [
    "olga",
    "PATCH /realm",
    () => toGroup("can_manage_billing_group", "nobody"),
    notTo("can_manage_billing_group", "nobody"),
  ],
  [
    "ada",
    "PATCH /realm",
    () => toGroup("can_create_web_public_channel_group", "members"),
    notTo("can_create_web_public_channel_group", "members"),
  ],
  ["ada", "POST /realm/deactivate", constant({}), OWNER],
  [
    "olga",
    "POST /realm/deactivate",
    constant({ deletion_delay_days: 0 }),
    "Data deletion time must be at least 14 days in the future.",
  ],
  ["ada", "POST /realm/domains", constant({ domain: "a.b", allow_subdomains: false }), OWNER],
  [
    "olga",
    "POST /realm/domains",
    constant({ domain: "", allow_subdomains: false }),
    "Invalid domain: Domain can't be empty.",
  ],
  [
    "olga",
    "DELETE /realm/domains/none.example",
    constant({}),
    "No entry found for domain none.example.",
  ],
  ["bo", FILTERS, constant(bug), ADMINISTRATOR],
  [
    "ada",
    FILTERS,
    constant({ ...bug, pattern: "(a" }),
    "Bad regular expression: missing closing ): `(a`",
  ],
  ["ada", FILTERS, constant({ ...bug, url_template: "{" }), "Invalid URL template."],
  [
    "ada",
    FILTERS,
    constant({ ...bug, pattern: "a" }),
    "Group 'id' in URL template is not present in linkifier pattern.",
  ],
  [
    "ada",
    FILTERS,
    constant({ ...bug, url_template: "https://a.example" }),
    "Group 'id' in linkifier pattern is not present in URL template.",
  ],
  ["ada", "PATCH /realm/filters/99", constant(bug), "Linkifier not found."],
  ["ada", "DELETE /realm/filters/99", constant({}), "Linkifier not found."],
  [
    "ada",
    "PATCH /realm/linkifiers",
    constant({ ordered_linkifier_ids: [1, 1] }),
    "The ordered list must not contain duplicated linkifiers",
  ],
  [
    "ada",
    "PATCH /realm/linkifiers",
    constant({ ordered_linkifier_ids: [9] }),
    "The ordered list must enumerate all existing linkifiers exactly once",
  ],
  ["bo", "DELETE /realm/emoji/none", constant({}), "Emoji 'none' does not exist"],
  [
    "ada",
    PLAYGROUNDS,
    constant({ name: "A", pygments_language: "a$", url_template }),
    "Invalid characters in pygments language",
  ],
  [
    "ada",
    PLAYGROUNDS,
    constant({ name: "A", pygments_language: "a", url_template: "https://a.example" }),
    'Missing the required variable "code" in the URL template',
  ],
  [
    "ada",
    PLAYGROUNDS,
    constant({ name: "A", pygments_language: "a", url_template: `${url_template}{b}` }),
    '"code" should be the only variable present in the URL template',
  ],
  ["ada", "DELETE /realm/playgrounds/99", constant({}), "Invalid playground"],
  ["ada", FIELDS, constant({ field_type: 1 }), "Label cannot be blank."],
  ["ada", FIELDS, constant({ field_type: 9, name: "A" }), "Invalid field type."],
  ["ada", FIELDS, constant({ field_type: 3, name: "A" }), "Field must have at least one choice."],
  [
    "ada",
    FIELDS,
    constant({ field_type: 6, name: "A", display_in_profile_summary: true }),
    "Field type not supported for display in profile summary.",
  ],
  [
    "ada",
    FIELDS,
    constant({ field_type: 7, name: "A", field_data: { subtype: "custom" } }),
    "Custom external account must define URL pattern",
  ],
  ["ada", "PATCH /realm/profile_fields", constant({ order: [9] }), "Invalid order mapping."],
  ["ada", "DELETE /realm/profile_fields/99", constant({}), "Field id 99 not found."],
  [
    "bo",
    "POST /navigation_views",
    constant({ fragment: "inbox", is_pinned: true, name: "In" }),
    "Built-in views cannot have a custom name.",
  ],
  [
    "bo",
    "POST /navigation_views",
    constant({ fragment: "mine", is_pinned: true }),
    "Custom views must have a valid name.",
  ],
  ["bo", "DELETE /navigation_views/mine", constant({}), "Navigation view does not exist."],
  [
    "bo",
    "POST /users/me/onboarding_steps",
    constant({ onboarding_step: "none" }),
    "Unknown onboarding_step: none",
  ],
  ["bo", "GET /messages/summary", constant({ narrow: [] }), summariesUnavailable().message],
  [
    "bo",
    "GET /calls/bigbluebutton/create",
    constant({ meeting_name: "Tea" }),
    callsUnavailable("BigBlueButton").message,
  ],
  ["bo", "POST /calls/zoom/create", constant({}), callsUnavailable("Zoom").message],
  ["bo", "POST /calls/webex/create", constant({}), callsUnavailable("Webex").message],
  [
    "bo",
    "POST /calls/constructorgroups/create",
    constant({}),
    callsUnavailable("Constructor Groups").message,
  ],
  [
    "bo",
    "POST /calls/nextcloud_talk/create",
    constant({ room_name: "Tea" }),
    callsUnavailable("Nextcloud Talk").message,
  ],
  ["bo", "GET /export/realm/consents", constant({}), ADMINISTRATOR],
  ["bo", "GET /export/realm", constant({}), ADMINISTRATOR],
  ["bo", "POST /export/realm", constant({}), ADMINISTRATOR],
  [
    "ada",
    "POST /export/realm",
    constant({ export_type: "full_without_consent" }),
    exportByOperator().message,
  ],
  ["ada", "POST /export/realm", constant({ export_type: "all" }), "Invalid export_type"],
  ["ada", "DELETE /export/realm/1", constant({}), exportNotFound().message],
];

test.each(rows)("%s: %s is rejected (%#)", async (name, line, params, msg) => {
  const refusal = await testServer.refused(name, line, params());
  const isRemoved = /Emoji '|Navigation view does not/.test(msg);
  const code = /Must be an organization/.test(msg) ? "UNAUTHORIZED_PRINCIPAL" : "BAD_REQUEST";
  expect(refusal).toMatchObject({ status: isRemoved ? 404 : 400, code, msg });
});

test("returns no exports, since only the operator can create them", async () => {
  expect((await testServer.request("ada", "GET /export/realm")).exports).toEqual([]);
});

test("shows administrators which users consent to exports of private data", async () => {
  await testServer.request("bo", "PATCH /settings", { allow_private_data_export: true });
  await testServer.request("cy", "PATCH /settings", { email_address_visibility: 4 });
  const { export_consents } = await testServer.request("ada", "GET /export/realm/consents");
  const consentRow = (name: Name, consented: boolean, email_address_visibility: number) => {
    return { user_id: testServer.idOf(name), consented, email_address_visibility };
  };
  const agreeing = [
    consentRow("bo", true, 1),
    consentRow("cy", false, 4),
    consentRow("gus", false, 1),
  ];
  expect(export_consents).toEqual(expect.arrayContaining(agreeing));
  // Six users, without their bot and the server's own.
  expect(export_consents).toHaveLength(6);
});

test("rejects outdated apps, and accepts others", async () => {
  const request = (agent: string) =>
    fetch(`${testServer.url}/compatibility`, { headers: { "User-Agent": agent } });
  expect((await request("ZulipMobile/27.233 (Android 14)")).status).toBe(200);
  const refusal = await request("ZulipInvalid/0.1");
  const { message: msg } = clientTooOld();
  expect([refusal.status, await refusal.json()]).toMatchObject([400, { code: "BAD_REQUEST", msg }]);
  expect((await testServer.send(null, "GET //compatibility")).status).toBe(200);
});
