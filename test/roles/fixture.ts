// A test server with one caller of each kind, and objects of every kind for their requests.
import { createUser } from "../../src/features/accounts/actions.ts";
import { newApiKey } from "../../src/features/keys/actions.ts";
import { startSession } from "../../src/features/sessions/actions.ts";
import { csrfTokenOf } from "../../src/server/caller/session.ts";
import { UNREACHABLE_URL } from "../bad-input/fixture.ts";
import { striped, upload } from "../features/upload-fixture.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { REQUESTERS, type Requester } from "./callers.ts";

/** The callers, their objects, and shared objects. */
export interface RolesFixture {
  readonly testServer: TestServer;
  readonly headersOf: Readonly<Record<Requester, Record<string, string>>>;
  /** API keys for the URLs of webhooks. */
  readonly keyOf: Readonly<Record<Requester, string>>;
  readonly ownOf: Readonly<Record<Requester, Params>>;
  readonly objects: Params;
}

const DAYS = 86_400;
const WAITING_DAYS = 10;
/** Settings that admit full members but not new members. */
const FULL_MEMBER_SETTINGS = [
  ...["can_invite_users_group", "create_multiuse_invite_group", "can_create_groups"],
  ...["can_create_public_channel_group", "can_add_custom_emoji_group", "can_create_bots_group"],
  ...["can_create_write_only_bots_group", "can_add_subscribers_group"],
];

export async function openWorld(): Promise<RolesFixture> {
  const testServer = await startTestServer();
  const people = await peopleOf(testServer);
  await setRules(testServer);
  const headersOf = Object.fromEntries(
    REQUESTERS.map((requester) => [requester, headersFor(people[requester]!)]),
  );
  const there = await createObjects(testServer, people);
  const ownOf: Record<Requester, Params> = {};
  for (const requester of REQUESTERS) {
    const requesterRole = ["deactivated", "nobody", "webhook in"].includes(requester)
      ? "member"
      : requester;
    ownOf[requester] = await createOwnObjects(
      testServer,
      headersOf[requesterRole]!,
      requesterRole === "browser",
      there,
      people,
    );
  }
  await testServer.request("olga", `DELETE /users/${people["deactivated"]!.user_id}`);
  const keyOf = Object.fromEntries(
    REQUESTERS.map((requester) => [requester, people[requester]!.key]),
  );
  return { testServer, headersOf, keyOf, ownOf, objects: there };
}

interface Person {
  readonly user_id: number;
  readonly email: string;
  readonly key: string;
  readonly session?: string;
}

async function peopleOf(testServer: TestServer): Promise<Record<Requester, Person>> {
  const { realm } = testServer;
  const names = { owner: "olga", administrator: "ada", moderator: "mo", member: "cy" } as const;
  const cast = { ...names, guest: "gus", bot: "bot" } as const;
  const people: Record<Requester, Person> = {};
  for (const [requester, name] of Object.entries(cast)) {
    const user_id = testServer.idOf(name);
    const email = realm.read.users.get(user_id)!.delivery_email;
    people[requester] = { user_id, email, key: testServer.keyOf(name) };
  }
  await realm.write((tx) => {
    const long_ago = tx.now - 2 * WAITING_DAYS * DAYS;
    for (const user of [...tx.users.range()]) tx.users.put({ ...user, date_joined: long_ago });
    const olga = tx.users.get(testServer.idOf("olga"))!;
    tx.realm_exports.put({
      ...{ export_id: tx.next("realm_exports"), export_type: "public", export_time: tx.now },
      ...{ acting_user_id: olga.user_id, state: "succeeded", key: "key", ended: tx.now },
    });
    tx.users.put({ ...olga, can_create_users: true });
    const bot_owner_id = olga.user_id;
    const bot = (bot_type: number) => ({ role: 400, bot_type, bot_owner_id });
    const more = {
      newcomer: { role: 400 },
      "other owner": { role: 100 },
      deactivated: { role: 400 },
      "webhook in": bot(2),
      "webhook out": bot(3),
    };
    for (const [requester, kind] of Object.entries(more)) {
      const email = `${requester.replace(" ", "-")}@example.com`;
      const user = createUser(tx, { email, full_name: `The ${requester}`, ...kind });
      if (requester !== "newcomer") tx.users.put({ ...user, date_joined: long_ago });
      people[requester] = { user_id: user.user_id, email, key: newApiKey(tx, user, "SkeinTest") };
    }
    const { user_id, email } = people["member"]!;
    const browser = { user_agent: "SkeinTest", method: "Email" };
    const session = startSession(tx, tx.users.get(user_id)!, browser);
    people["browser"] = { user_id, email, key: "", session };
    people["nobody"] = { user_id: 0, email: "", key: "" };
  });
  return people;
}

function headersFor({ email, key, session }: Person): Record<string, string> {
  const agent = { "User-Agent": "SkeinTest/1.0" };
  if (session !== undefined) {
    return { ...agent, Cookie: `sessionid=${session}`, "X-CSRFToken": csrfTokenOf(session) };
  }
  return key === "" ? agent : { ...agent, Authorization: `Basic ${btoa(`${email}:${key}`)}` };
}

async function setRules(testServer: TestServer): Promise<void> {
  const group = testServer.realm.read.groups.findBy("name", "role:fullmembers")!.id;
  const permissions = FULL_MEMBER_SETTINGS.map((name) => [name, { new: group }]);
  await testServer.request("olga", "PATCH /realm", {
    ...{ enable_spectator_access: true, waiting_period_threshold: WAITING_DAYS },
    ...Object.fromEntries(permissions),
  });
}

/** Objects of the owner. */
async function createObjects(
  testServer: TestServer,
  people: Record<Requester, Person>,
): Promise<Params> {
  const ids = Object.values(people).map(({ user_id }) => user_id);
  const subscribers = [...new Set([...ids, testServer.idOf("bo")])].filter((id) => id !== 0);
  const off_id = people["deactivated"]!.user_id;
  const olga = (line: string, params: Params = {}) => testServer.request("olga", line, params);
  const make = (name: string, extra: Params) =>
    olga("POST /channels/create", { name, subscribers, ...extra });
  const { id: stream_id } = await make("garden", { is_web_public: true });
  const shed = await make("shed", { invite_only: true, subscribers: [] });
  await olga("PATCH /realm", { moderation_request_channel_id: shed.id });
  const picture = { name: "rose.png", bytes: striped(20, 20), type: "image/png" };
  const path = (await upload(testServer, "bo", picture)).replace("/user_uploads/", "");
  const content = `hello [rose.png](/user_uploads/${path})`;
  const message = { type: "stream", to: stream_id, topic: "roses", content };
  const { id: message_id } = await testServer.request("bo", "POST /messages", message);
  await testServer.request("bo", "POST /users/me/presence", { status: "active" });
  const poll = await olga("POST /messages", { ...message, content: "/poll x\na\nb" });
  const at = path.split("/");
  const rosie = await olga("POST /bots", { full_name: "Rosie", short_name: "rosie" });
  const user_group_id = await groupOf(testServer, "gardeners", [testServer.idOf("bo")]);
  const subgroup_id = await groupOf(testServer, "weeders", []);
  const group = await olga("POST /default_stream_groups/create", {
    ...{ group_name: "plots", description: "x", stream_names: ["garden"] },
  });
  const folder = await olga("POST /channel_folders/create", { name: "green", description: "" });
  const filter = { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" };
  const linkifier = await olga("POST /realm/filters", filter);
  const play = { name: "x", pygments_language: "Python", url_template: "https://e.com/{code}" };
  const playground = await olga("POST /realm/playgrounds", play);
  const field = await olga("POST /realm/profile_fields", { field_type: 1, name: "Plot" });
  await olga("POST /realm/domains", { domain: "example.com", allow_subdomains: false });
  await olga("POST /invites", { invitee_emails: "ned@example.com", stream_ids: [] });
  await olga("POST /invites/multiuse", {});
  const { invites } = await olga("GET /invites");
  await addEmoji(testServer);
  return {
    ...{ stream_id, message_id, path, realm_id: at[0], rest: at.slice(1).join("/") },
    ...{ bot_id: rosie.user_id, user_group_id, group_id: group.id, subgroup_id, poll_id: poll.id },
    ...{ channel_folder_id: folder.channel_folder_id, filter_id: linkifier.id },
    ...{ playground_id: playground.id, field_id: field.id, domain: "example.com" },
    invite_id: invites.find((invite: Json) => !invite.is_multiuse).id,
    link_id: invites.find((invite: Json) => invite.is_multiuse).id,
    ...{ user_id: testServer.idOf("bo"), off_id },
    thumbnail: `${path}/840x560.webp`,
  };
}

async function groupOf(testServer: TestServer, name: string, members: number[]): Promise<number> {
  const group = { name, description: "", members };
  return (await testServer.request("olga", "POST /user_groups/create", group)).group_id;
}

async function addEmoji(testServer: TestServer): Promise<void> {
  const body = new FormData();
  body.append("file", new File([striped(64, 64)], "x.png", { type: "image/png" }));
  const headers = { Authorization: testServer.basicAuthorization("olga") };
  await fetch(`${testServer.url}/api/v1/realm/emoji/rose`, { method: "POST", headers, body });
}

/** Objects of each caller. */
async function createOwnObjects(
  testServer: TestServer,
  headers: Record<string, string>,
  inSession: boolean,
  { message_id, stream_id }: Params,
  people: Record<Requester, Person>,
): Promise<Params> {
  const under = inSession ? "/json" : "/api/v1";
  const request = async (line: string, params: Params = {}, extra: Record<string, string> = {}) => {
    const [method, path] = line.split(" ") as [string, string];
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      body.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    const all = { ...headers, ...extra };
    return fetch(testServer.url + under + path, { method, headers: all, body });
  };
  const read = async (line: string, params: Params = {}): Promise<Json> =>
    (await request(line, params)).json();
  const draft = { type: "", to: [], topic: "", content: "x" };
  const { ids } = await read("POST /drafts", { drafts: [draft] });
  const { saved_snippet_id } = await read("POST /saved_snippets", { title: "x", content: "x" });
  const at = { scheduled_delivery_timestamp: 4_000_000_000 };
  const later = { type: "stream", to: stream_id, topic: "roses", content: "x", ...at };
  const { scheduled_message_id } = await read("POST /scheduled_messages", later);
  const { reminder_id } = await read("POST /reminders", { message_id, ...at });
  const fragment = `narrow/${crypto.randomUUID()}`;
  await read("POST /navigation_views", { fragment, is_pinned: true, name: fragment });
  const message = { type: "stream", to: stream_id, topic: "roses", content: "mine" };
  const { id: said_id } = await read("POST /messages", message);
  const { device_id } = await read("POST /register_client_device");
  const push_token = crypto.randomUUID().replaceAll("-", "");
  await read("POST /users/me/android_gcm_reg_id", { token: push_token });
  await read("POST /users/me/apns_device_token", { token: push_token, appid: "org.example" });
  const topic = { topic_url: `${UNREACHABLE_URL}/${push_token}` };
  const { push_subscription_id } = await read("POST /users/me/push_subscriptions/ntfy", topic);
  await read(`POST /users/me/muted_users/${people["deactivated"]!.user_id}`);
  await read(`POST /messages/${String(message_id)}/reactions`, { emoji_name: "rose" });
  await read("PUT /bot_storage", { storage: { a: "b" } });
  const { queue_id } = await read("POST /register");
  await read("POST /messages/flags", { messages: [message_id], op: "add", flag: "starred" });
  await testServer.untilIdle();
  const started = { "Tus-Resumable": "1.0.0", "Upload-Length": "5" };
  const tus = await request("POST /tus/", {}, started);
  const path_id = tus.headers.get("location")?.split("/tus/")[1];
  return {
    ...{ draft_id: ids?.[0], saved_snippet_id, scheduled_message_id, reminder_id, fragment },
    ...{ said_id, device_id, queue_id, push_token, push_subscription_id, path_id },
    ...(await ownFile(testServer, headers, under)),
  };
}

async function ownFile(testServer: TestServer, headers: Record<string, string>, under: string) {
  const body = new FormData();
  body.append("file", new File(["x"], "x.txt"));
  await fetch(`${testServer.url}${under}/user_uploads`, { method: "POST", headers, body });
  const response = await fetch(`${testServer.url}${under}/attachments`, { headers });
  const keys = await fetch(`${testServer.url}${under}/users/me/api_keys`, { headers });
  const { attachments } = (await response.json()) as Json;
  const { api_keys } = (await keys.json()) as Json;
  return { attachment_id: attachments[0].id, key_id: api_keys[0].id };
}
