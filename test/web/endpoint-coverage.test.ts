/** Every endpoint for users is used by a view, or listed with a reason why not. */
import { expect, test } from "bun:test";
import { routes } from "../../src/contract/routes.ts";
import { bots } from "../../src/server/gate.ts";
import { requestedByViews, lineOf } from "../house/client-requests.ts";
import { refuse } from "../house/source.ts";

/** `as`: the route that is requested instead; a view must request it. */
interface Reason {
  readonly lines: readonly string[];
  readonly why: string;
  readonly as?: string;
}

const NOT_REQUESTED: readonly Reason[] = [
  {
    why: "the state that a tab starts from has it, and events keep it",
    as: "POST /register",
    lines: [
      "GET /saved_snippets",
      "GET /scheduled_messages",
      "GET /reminders",
      "GET /channel_folders",
      "GET /users/me/subscriptions",
      "GET /users/me/alert_words",
      "GET /users",
      "GET /users/me",
      "GET /users/{email}",
      "GET /bots",
      "GET /navigation_views",
      "GET /skein_sidebar_order",
      "GET /realm/domains",
      "GET /realm/emoji",
      "GET /realm/linkifiers",
      "GET /realm/profile_fields",
      "GET /realm/presence",
      "GET /user_groups",
      "GET /users/{user_id_or_email}/presence",
      "GET /users/{user_id}/status",
      "GET /users/{user_id}/subscriptions/{stream_id}",
      "GET /streams/{stream_id}",
      "GET /get_stream_id",
      "GET /user_groups/{user_group_id}/members",
      "GET /user_groups/{user_group_id}/members/{user_id}",
      "GET /user_groups/{user_group_id}/subgroups",
      "GET /realm/icon",
    ],
  },
  {
    why: "an older spelling of the same",
    as: "POST /messages/flags/narrow",
    lines: ["POST /mark_all_as_read", "POST /mark_stream_as_read", "POST /mark_topic_as_read"],
  },
  {
    why: "an older spelling of the same",
    as: "PATCH /settings",
    lines: ["PATCH /settings/display", "PATCH /settings/notifications"],
  },
  {
    why: "an older spelling of the same",
    as: "POST /user_topics",
    lines: ["PATCH /users/me/subscriptions/muted_topics"],
  },
  {
    why: "the same of one channel",
    as: "POST /users/me/subscriptions/properties",
    lines: ["PATCH /users/me/subscriptions/{stream_id}"],
  },
  {
    why: "the same, with people and groups in one request",
    as: "POST /user_groups/{user_group_id}/members",
    lines: ["POST /user_groups/{user_group_id}/subgroups"],
  },
  {
    why: "an empty value is none",
    as: "PATCH /users/me/profile_data",
    lines: ["DELETE /users/me/profile_data"],
  },
  {
    why: "it goes up in pieces, to the address that the first request is answered with",
    as: "POST /tus/",
    lines: [
      "POST /user_uploads",
      "GET /tus/{path_id*}",
      "PATCH /tus/{path_id*}",
      "DELETE /tus/{path_id*}",
    ],
  },
  {
    why: "app passwords are made and ended where the other ways in are",
    as: "POST /account/keys/",
    lines: [
      "POST root:/json/fetch_api_key",
      "GET /users/me/api_keys",
      "DELETE /users/me/api_keys/{key_id}",
    ],
  },
  {
    why: "it is for apps on phones; a browser is pushed to by its own service",
    as: "POST /users/me/push_subscriptions",
    lines: [
      "POST /register_client_device",
      "POST /remove_client_device",
      "POST /users/me/android_gcm_reg_id",
      "DELETE /users/me/android_gcm_reg_id",
      "POST /users/me/apns_device_token",
      "DELETE /users/me/apns_device_token",
      "POST /mobile_push/register",
      "POST /mobile_push/test_notification",
      "POST /mobile_push/e2ee/test_notification",
    ],
  },
  { why: "a queue that nobody polls ends by itself", lines: ["DELETE /events"] },
  { why: "this server summarizes nothing", lines: ["GET /messages/summary"] },
  {
    why: "files are read with the session, and pictures come when they are made",
    lines: ["GET /user_uploads/{realm_id}/{rest*}", "GET /thumbnail/status/{realm_id}/{rest*}"],
  },
  {
    why: "for programs: people are invited, and choose their own password",
    as: "POST /invites",
    lines: ["POST /users"],
  },
  {
    why: "the state has the address of each that is there",
    as: "DELETE /realm/logo",
    lines: ["GET /realm/logo"],
  },
  {
    why: "the page has a link to the file",
    as: "POST root:/json/account/export/",
    lines: ["GET root:/json/account/export/file/"],
  },
  {
    why: "the page has a link to the report",
    as: "GET root:/json/administration/import/",
    lines: ["GET root:/json/administration/import/report/"],
  },
  {
    why: "for who makes another organization, and needs no account here",
    lines: ["GET /realm/subdomain/{subdomain}"],
  },
  {
    why: "rooms of Jitsi need nobody's leave, and of no other provider has this server accounts",
    lines: [
      "GET /calls/bigbluebutton/create",
      "POST /calls/zoom/create",
      "POST /calls/webex/create",
      "POST /calls/constructorgroups/create",
      "POST /calls/nextcloud_talk/create",
    ],
  },
];

/** Routes for users with a session. */
const ofPeople = routes.filter(({ path, gate, mark }) => {
  const isInSession = path.startsWith("root:") ? path.startsWith("root:/json/") : true;
  return isInSession && gate !== bots && mark !== "by key" && mark !== "nobody's";
});
const requested = requestedByViews();
const canonicalLine = (line: string) => lineOf(...(line.split(" ") as [string, string]));

test("every route of users is requested by a view, or has a reason", () => {
  expect(requested.size).toBeGreaterThan(120);
  const excused = new Set(NOT_REQUESTED.flatMap(({ lines }) => lines));
  const missing = ofPeople
    .filter(({ method, path }) => !requested.has(lineOf(method, path)))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => !excused.has(line) && line !== "GET /openapi.json");
  refuse(missing.map((line) => `${line}  no view asks for it: let one, or say why none does`));
});

test("every reason is for an existing, unused route", () => {
  const there = new Set(ofPeople.map(({ method, path }) => `${method} ${path}`));
  const all = NOT_REQUESTED.flatMap(({ lines }) => lines);
  expect(all.filter((line, index) => all.indexOf(line) !== index)).toEqual([]);
  refuse([
    ...all.filter((line) => !there.has(line)).map((line) => `${line}  is no such route`),
    // Routes that differ only in the name in braces count as the same request.
    ...all
      .filter((line) => requested.has(canonicalLine(line)) && !line.includes("{email}"))
      .map((line) => `${line}  is asked for: strike its reason`),
  ]);
});

test("every replaced route is requested", () => {
  const instead = NOT_REQUESTED.flatMap(({ as }) => (as === undefined ? [] : [as]));
  refuse(
    instead
      .filter((line) => !requested.has(canonicalLine(line)))
      .map((line) => `${line}  nobody asks`),
  );
  const there = new Set(ofPeople.map(({ method, path }) => lineOf(method, path)));
  refuse([...requested].filter((line) => !there.has(line)).map((line) => `${line}  is no route`));
});
