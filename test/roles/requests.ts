// A valid request for each route, so that only the caller decides the outcome.
import { createECDH } from "node:crypto";
import { Refusal } from "../../src/contract/errors/general.ts";
import type { Route } from "../../src/server/routing.ts";
import { otherParameters, validValuesFor } from "../bad-input/fixture.ts";
import { striped } from "../features/upload-fixture.ts";
import { formOf, type Params } from "../test-server.ts";
import { type Requester } from "./callers.ts";
import type { RolesFixture } from "./fixture.ts";

/** Status of a request that was allowed and whose changes were rolled back. */
const ROLLED_BACK = 299;

/** Rolls back every transaction of the test server from now on, and answers with `DONE`. */
export function rejectAfterWrite({ testServer }: RolesFixture): void {
  const { realm } = testServer;
  const write = realm.write.bind(realm);
  realm.write = ((body: Parameters<typeof write>[0]) =>
    write((tx) => {
      body(tx);
      throw new Refusal("BAD_REQUEST", "done and undone", {}, ROLLED_BACK);
    })) as typeof realm.write;
}

/** Rolls back every transaction from now on, but returns its result to the caller. */
export function rollBackWrites({ testServer }: RolesFixture): void {
  const { realm } = testServer;
  const write = realm.write.bind(realm);
  const rollback = new Refusal("BAD_REQUEST", "undone");
  realm.write = (async (body: Parameters<typeof write>[0]) => {
    let result: unknown;
    const attempt = write((tx) => {
      result = body(tx);
      throw rollback;
    });
    await attempt.catch((error) => {
      if (error !== rollback) throw error;
    });
    return result;
  }) as typeof realm.write;
}

export interface ApiResponse {
  readonly status: number;
  /** Message of an error. */
  readonly msg: string | undefined;
  /** JSON body of the response. */
  readonly body: Record<string, unknown> | undefined;
}

export async function requestRoute(
  fixture: RolesFixture,
  requester: Requester,
  route: Route,
): Promise<ApiResponse> {
  const { method, path } = route;
  const params = paramsOf(fixture, requester, route);
  let address = path.startsWith("root:") ? path.slice(5) : `/api/v1${path}`;
  if (requester === "browser") address = address.replace(/^\/api\/v1/, "/json");
  const form: Params = {};
  for (const [name, value] of Object.entries(params)) {
    const placeholder = [`{${name}}`, `{${name}*}`].find((item) => address.includes(item));
    const part = placeholder?.endsWith("*}") ? value : encodeURIComponent(value);
    if (placeholder === undefined) form[name] = value;
    else address = address.replace(placeholder, () => part);
  }
  const query = { ...(isHook(route) && { api_key: fixture.keyOf[requester] || undefined }) };
  const url = new URL(fixture.testServer.url + address);
  url.search = formOf(method === "GET" ? { ...form, ...query } : query).toString();
  const headers = { ...fixture.headersOf[requester], ...HEADERS[`${method} ${path}`] };
  const body = method === "GET" ? null : bodyOf(route, form);
  const response = await fetch(url, { method, headers, body, redirect: "manual" });
  const payload = jsonIn(await response.text());
  const text = payload?.["result"] === "error" ? String(payload["msg"]) : undefined;
  return { status: response.status, msg: text, body: payload };
}

const isHook = ({ path }: Route) => path.startsWith("/external/");

function jsonIn(text: string): ApiResponse["body"] {
  try {
    return JSON.parse(text) as ApiResponse["body"];
  } catch {
    return undefined;
  }
}

const TUS = { "Tus-Resumable": "1.0.0", "Upload-Length": "5" };
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  "POST /tus/": TUS,
  "PATCH /tus/{path_id*}": {
    ...TUS,
    "Upload-Offset": "0",
    "Content-Type": "application/offset+octet-stream",
  },
  "DELETE /tus/{path_id*}": TUS,
  "GET /tus/{path_id*}": TUS,
};

function bodyOf({ path, endpoint }: Route, form: Params): BodyInit {
  if (path.startsWith("/tus/")) return path === "/tus/" ? "" : "hel";
  if (path === "/external/json") return JSON.stringify({ text: "x" });
  if (path === "/external/slack_incoming") return JSON.stringify({ text: "x" });
  if (endpoint.body === "form") return formOf(form);
  const data = new FormData();
  for (const [name, value] of formOf(form)) data.append(name, value);
  const isBot = path.startsWith("/bots");
  if (!isBot) data.append("file", new File([striped(64, 64)], "x.png", { type: "image/png" }));
  return data;
}

function paramsOf({ objects: there, ownOf }: RolesFixture, requester: Requester, route: Route) {
  const { stream_id, message_id, user_id } = there as Record<string, number>;
  const own = ownOf[requester]!;
  const validValues = validValuesFor(stream_id!, message_id!, user_id!, String(own["queue_id"]));
  const values = { ...validValues, email: "bo@example.com", muted_user_id: String(user_id) };
  const texts = Object.entries({ ...there, ...own }).map(([name, value]) => [name, textOf(value)]);
  const all = { ...values, ...Object.fromEntries(texts) } as Record<string, string>;
  const row = `${route.method} ${route.path}`;
  const instead = PARAM_OVERRIDES[row]?.({ ...there, ...own }) ?? {};
  const input = { ...otherParameters(route, all), ...inPath(route, all) };
  const more = Object.entries(instead).map(([name, value]) => [name, textOf(value)]);
  return { ...input, ...Object.fromEntries(more) } as Record<string, string>;
}

function inPath({ path }: Route, all: Record<string, string>) {
  const holes = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, placeholder]) => placeholder!);
  return Object.fromEntries(holes.map((placeholder) => [placeholder, all[placeholder] ?? "1"]));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Values for parameters whose name does not suggest a valid one. */
const PARAM_OVERRIDES: Readonly<Record<string, (values: Params) => Params>> = {
  "DELETE /users/me/android_gcm_reg_id": ({ push_token }) => ({ token: push_token }),
  "POST /users/me/apns_device_token": () => ({ token: "eHh5" }),
  "DELETE /users/me/apns_device_token": ({ push_token }) => ({ token: push_token }),
  "POST /mobile_push/register": ({ device_id }) => ({ device_id, push_key_id: 1, push_key: KEY }),
  "POST /users/me/push_subscriptions": () => WEB_PUSH,
  "POST /users/me/push_subscriptions/ntfy": () => ({ topic_url: NTFY, name: "x" }),
  "GET /messages": () => ({ narrow: [["channels", "web-public"]] }),
  "POST /typing": ({ stream_id }) => ({ type: "stream", op: "start", stream_id, topic: "x" }),
  "POST /zcommand": () => ({ command: "/ping" }),
  "DELETE /messages/{message_id}/reactions": () => ({ emoji_name: "rose" }),
  "POST /submessage": ({ poll_id: message_id }) => ({ message_id, ...VOTE }),
  "PATCH /messages/{message_id}": () => ({ topic: "lilies" }),
  "POST /scheduled_messages": () => ({ topic: "roses" }),
  "PATCH /scheduled_messages/{scheduled_message_id}": () => ({ content: "y" }),
  "POST /messages/{message_id}/typing": ({ said_id }) => ({ message_id: said_id, op: "start" }),
  "PATCH /default_stream_groups/{group_id}": () => ({ new_description: "y" }),
  "PATCH /channel_folders": ({ channel_folder_id }) => ({ order: [channel_folder_id] }),
  "POST /users/me/subscriptions": () => ({ subscriptions: [{ name: "pond" }] }),
  "PATCH /users/me/subscriptions": () => ({ add: [{ name: "pond" }] }),
  "DELETE /users/me/subscriptions": ({ user_id }) => ({ principals: [user_id] }),
  "PATCH /streams/{stream_id}": () => ({ description: "y" }),
  "DELETE /users/me/muted_users/{muted_user_id}": ({ off_id }) => ({ muted_user_id: off_id }),
  "POST /users/{user_id}/reactivate": ({ off_id }) => ({ user_id: off_id }),
  "PATCH /users/{user_id}": () => ({ full_name: "Bo Bold" }),
  "PATCH /users/{email}": () => ({ full_name: "Bo Bold" }),
  "POST /navigation_views": () => ({ fragment: "narrow/new", is_pinned: true, name: "new" }),
  "POST /users/me/onboarding_steps": () => ({ onboarding_step: "intro_inbox_view_modal" }),
  "POST /realm/domains": () => ({ domain: "example.org" }),
  "POST /realm/emoji/{emoji_name}": () => ({ emoji_name: "lily" }),
  "DELETE /realm/emoji/{emoji_name}": () => ({ emoji_name: "rose" }),
  "POST /realm/logo": () => ({ night: true }),
  "POST /realm/filters": () => ({ ...LINKIFIER, pattern: "x(?P<id>[0-9]+)" }),
  "PATCH /realm/filters/{filter_id}": () => ({ ...LINKIFIER, pattern: "x(?P<id>[0-9]+)" }),
  "PATCH /realm/linkifiers": ({ filter_id }) => ({ ordered_linkifier_ids: [filter_id] }),
  "POST /realm/playgrounds": () => ({ url_template: "https://example.com/{code}" }),
  "POST /realm/profile_fields": () => ({ field_type: 1, name: "Shed" }),
  "PATCH /realm/profile_fields": ({ field_id }) => ({ order: [field_id] }),
  "PATCH /user_groups/{user_group_id}": () => ({ description: "y" }),
  "POST /user_groups/{user_group_id}/members": ({ user_id }) => ({ delete: [user_id] }),
  "POST /user_groups/{user_group_id}/subgroups": ({ subgroup_id }) => ({ add: [subgroup_id] }),
  "DELETE /invites/multiuse/{invite_id}": ({ link_id }) => ({ invite_id: link_id }),
  "GET root:/thumbnail": ({ path }) => ({ url: `user_uploads/${String(path)}` }),
  "GET root:/user_uploads/{path_id*}": ({ path }) => ({ path_id: path }),
  "GET root:/user_uploads/download/{path_id*}": ({ path }) => ({ path_id: path }),
  "GET root:/user_uploads/thumbnail/{path_id*}": ({ thumbnail }) => ({ path_id: thumbnail }),
};

const NTFY = "https://ntfy.example.com/another-secret-topic";
const curve = createECDH("prime256v1");
const WEB_PUSH = {
  endpoint: "https://push.example.com/x",
  p256dh: curve.generateKeys("base64url"),
  auth: Buffer.alloc(16, 1).toString("base64url"),
  name: "x",
};
const KEY = Buffer.from([0x31, ...Array<number>(32).fill(1)]).toString("base64");
const VOTE = { msg_type: "widget", content: '{"type":"vote","key":"canned,0","vote":1}' };
const LINKIFIER = { url_template: "https://example.com/{id}" };
