// Joining by an invitation or by signing up: pages that work without scripts.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { parse } from "parse5";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import { SIGN_UPS_BY_NETWORK } from "../../src/features/invitations/form.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import { proofIn } from "../browser.ts";
import { staysInSync } from "../sync.ts";
import { formOf, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const PASSWORD = "correct horse battery";
const GOOD = { full_name: "Nia New", email: "nia@example.com", password: PASSWORD };

const linkFor = async (email: string, params: Params = {}): Promise<string> => {
  const request = { invitee_emails: email, stream_ids: [], ...params };
  return (await testServer.request("ada", "POST /invites", request)).invite_links[0].invite_link;
};
const openLink = async (params: Params = {}): Promise<string> =>
  (await testServer.request("ada", "POST /invites/multiuse", params)).invite_link;
const fill = (link: string, form: Params) => fetch(link, { method: "POST", body: formOf(form) });
const userOf = (email: string) => testServer.realm.read.users.findBy("email", email);
const idOf = (name: string) => testServer.realm.read.channels.findBy("name", name)!.stream_id;

async function changeSettings(change: Partial<RealmSettings>) {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...change } });
  });
}

test("creates an account from an invitation, with which an app can sign in", async () => {
  const link = await linkFor("nia@example.com");
  const form = await fetch(link);
  expect(form.status).toBe(200);
  expect(form.headers.get("content-security-policy")).toContain("default-src 'none'");
  const page = await form.text();
  expect(page).toContain("<bdi>Ada Admin</bdi> invites you to join Town");
  expect(page).toContain('value="nia@example.com"');

  const { result: done, events } = await staysInSync(testServer, ["bo", "ada", "gus"], () =>
    fill(link, { ...GOOD, email: "another@example.com" }),
  );
  const welcome = await done.text();
  expect([done.status, welcome]).toEqual([200, expect.stringContaining("Welcome to Town")]);
  expect(welcome).toContain(testServer.url);
  const { user_id } = userOf("nia@example.com")!;
  expect(userOf("another@example.com")).toBeUndefined();
  const add = { type: "realm_user", op: "add", person: { user_id, role: 400 } };
  const members = { type: "user_group", op: "add_members" };
  expect(events.bo).toMatchObject([add, members, members]);
  expect(events.ada).toMatchObject([
    ...[add, members, members, { type: "invites_changed" }],
    { type: "message", message: { type: "private" } },
  ]);
  expect(events.ada!.at(-1)!["message"].content).toContain("accepted your invitation");

  const signIn = { username: "nia@example.com", password: PASSWORD };
  expect(await testServer.request(null, "POST /fetch_api_key", signIn)).toMatchObject({ user_id });
  expect(testServer.realm.read.subscriptions.listBy("user", user_id)).toEqual([]);
  expect((await fetch(link)).status).toBe(410);
  expect((await fill(link, GOOD)).status).toBe(410);
});

test("applies the role, channels, groups and welcome message of an invitation", async () => {
  await testServer.request("ada", "POST /channels/create", {
    ...{ name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true },
  });
  await testServer.request("ada", "POST /channels/create", { name: "gone", subscribers: [] });
  await changeSettings({ signup_announcements_stream_id: idOf("general") });
  const group_id = await testServer.realm.write((tx) => {
    const id = tx.next("groups");
    const template = tx.groups.findBy("name", "role:nobody")!;
    const can_add_members_group = tx.groups.findBy("name", "role:administrators")!.id;
    const own = { id, name: "gardeners", is_system_group: false, can_add_members_group };
    tx.groups.put({ ...template, ...own });
    return id;
  });
  const link = await linkFor("mod@example.com", {
    invite_as: 300,
    stream_ids: [idOf("cellar"), idOf("gone")],
    group_ids: [group_id],
    include_realm_default_subscriptions: true,
    notify_referrer_on_join: false,
    welcome_message_custom_text: "Good to **see** you",
  });
  await testServer.request("ada", `DELETE /streams/${idOf("gone")}`);
  const { events } = await staysInSync(testServer, ["ada", "bo"], () =>
    fill(link, { ...GOOD, full_name: "Moa" }),
  );
  const { user_id, role } = userOf("mod@example.com")!;
  expect(role).toBe(300);
  const subscribed = testServer.realm.read.subscriptions
    .listBy("user", user_id)
    .map((sub) => sub.stream_id);
  const first = ["general", "skein", "sandbox", "cellar"].map(idOf);
  expect(subscribed.sort()).toEqual(first.sort());
  expect(testServer.realm.read.group_members.has(group_id, user_id)).toBe(true);
  expect(events.bo).toContainEqual(
    expect.objectContaining({ op: "add_members", group_id, user_ids: [user_id] }),
  );
  const received = events
    .bo!.filter(({ type }) => type === "message")
    .map(({ message }) => message);
  expect(received).toMatchObject([{ display_recipient: "general", subject: "signups" }]);
  expect(events.ada!.some(({ message }) => message?.type === "private")).toBe(false);

  const { api_key } = await testServer.request(null, "POST /fetch_api_key", {
    ...{ username: "mod@example.com", password: PASSWORD },
  });
  const headers = { Authorization: `Basic ${btoa(`mod@example.com:${api_key}`)}` };
  const params = formOf({
    anchor: "newest",
    num_before: 9,
    num_after: 0,
    narrow: [["is", "dm"]],
  });
  const url = `${testServer.url}/api/v1/messages?${params}`;
  const { messages } = (await (await fetch(url, { headers })).json()) as { messages: Params[] };
  const bot = { sender_full_name: "Welcome Bot" };
  expect(messages).toMatchObject([bot, bot]);
  expect(messages[0]!["content"]).toContain("welcome to <strong>Town</strong>");
  expect(messages[1]!["content"]).toContain("<strong>see</strong>");
});

test("accepts many users with one link, each with their own address", async () => {
  const link = await openLink({ invite_as: 600, stream_ids: [idOf("general")] });
  for (const email of ["g1@example.com", "g2@example.com"]) {
    expect((await fill(link, { ...GOOD, full_name: "Guest", email })).status).toBe(200);
    expect(userOf(email)).toMatchObject({ role: 600 });
  }
  const { user_id } = userOf("g2@example.com")!;
  const subscriptions = testServer.realm.read.subscriptions.listBy("user", user_id);
  expect(subscriptions.map((sub) => sub.stream_id)).toEqual([idOf("general")]);
});

test("reports errors of a form, and keeps everything except the password", async () => {
  const link = await openLink();
  const cases: [Params, errors.Refusal][] = [
    [{ full_name: "x" }, peopleErrors.fullNameTooShort()],
    [{ full_name: `Nia "<b>` }, peopleErrors.fullNameHasInvalidCharacters()],
    [{ email: "" }, peopleErrors.emailNotAnAddress()],
    [{ email: "cy@example.com" }, peopleErrors.emailTaken()],
    [{ password: "short" }, peopleErrors.passwordTooWeak()],
    [{ password: "qwertyuiop" }, peopleErrors.passwordTooWeak()],
    [{ password: "NiaNew" }, peopleErrors.passwordTooWeak()],
  ];
  for (const [wrong, refusal] of cases) {
    const response = await fill(link, { ...GOOD, email: "fresh@example.com", ...wrong });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain(`role="alert">${Bun.escapeHTML(refusal.message)}`);
    expect(page).not.toContain(PASSWORD);
    expect(page).not.toContain("<b>");
    const faults: string[] = [];
    parse(page, { onParseError: ({ code }) => faults.push(code) });
    expect(faults).toEqual([]);
  }
  expect(userOf("fresh@example.com")).toBeUndefined();
});

test("rejects an unknown link", async () => {
  for (const key of ["x", "A".repeat(32)]) {
    expect((await testServer.send(null, `GET //join/${key}/`)).status).toBe(410);
    expect((await testServer.send(null, `POST //join/${key}/`, GOOD)).status).toBe(410);
  }
});

test("creates no account if the invitation ends while the form is sent", async () => {
  const link = await linkFor("slow@example.com");
  const submission = fill(link, { ...GOOD, email: "" });
  const { id } = testServer.realm.read.invitations.listBy("email", "slow@example.com")[0]!;
  await testServer.realm.write((tx) => tx.invitations.delete("email", id));
  expect((await submission).status).toBe(410);
  expect(userOf("slow@example.com")).toBeUndefined();
});

test("requires an invitation to sign up, unless the organization is open", async () => {
  const line = "POST //register/";
  const closedPage = await testServer.send(null, "GET //register/");
  expect([closedPage.status, await closedPage.text()]).toEqual([
    403,
    expect.stringContaining("need an invitation"),
  ]);
  const params = { ...GOOD, email: "free@example.com" };
  expect((await testServer.send(null, line, params)).status).toBe(403);

  await changeSettings({ invite_required: false });
  const page = await testServer.send(null, "GET //register/");
  const text = await page.text();
  expect([page.status, text]).toEqual([200, expect.stringContaining("Join Town")]);
  expect((await testServer.send(null, line, { ...params, password: "" })).status).toBe(400);
  expect((await testServer.send(null, line, { ...params, ...proofIn({ text }) })).status).toBe(200);
  const { user_id, role } = userOf("free@example.com")!;
  expect(role).toBe(400);
  expect(testServer.realm.read.subscriptions.listBy("user", user_id)).toHaveLength(3);

  const secondResponse = proofIn({
    text: await (await testServer.send(null, "GET //register/")).text(),
  });
  const response = testServer.send(null, line, {
    ...params,
    ...secondResponse,
    email: "late@example.com",
  });
  await changeSettings({ invite_required: true });
  const late = await (await response).text();
  expect(late).toMatch(new RegExp(`${peopleErrors.signUpClosed().message}|you need an invitation`));
  expect(userOf("late@example.com")).toBeUndefined();
});

test("limits forms per network and hour", async () => {
  const own = await startTestServer({ rate_limits: true });
  const { invite_link } = await own.request("ada", "POST /invites/multiuse");
  for (let n = 0; n < SIGN_UPS_BY_NETWORK.calls; n++) {
    expect((await fill(invite_link, {})).status).toBe(400);
  }
  const text = await (await fill(invite_link, GOOD)).text();
  expect(text).toContain(peopleErrors.tooManySignUps().message);
  own.clock.passSeconds(3601);
  expect((await fill(invite_link, GOOD)).status).toBe(200);
  await own.close();
});

const roles = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;
const changeRole = (name: "mo" | "bo" | "ada", role: number) =>
  testServer.request("olga", `PATCH /users/${testServer.idOf(name)}`, { role });

/** Creates a private channel and a group to which only `mo` and administrators may add users. */
async function privateAccess() {
  const subscribers = [testServer.idOf("mo"), testServer.idOf("olga")];
  const channel = { name: "cellar", subscribers, invite_only: true };
  await testServer.request("olga", "POST /channels/create", channel);
  const group_id = await testServer.realm.write((tx) => {
    const id = tx.next("groups");
    const template = tx.groups.findBy("name", "role:nobody")!;
    const can_add_members_group = tx.groups.findBy("name", "role:moderators")!.id;
    const own = { id, name: "gardeners", is_system_group: false, can_add_members_group };
    tx.groups.put({ ...template, ...own });
    return id;
  });
  return { group_id, stream_ids: [idOf("cellar"), idOf("general")] };
}

const accessOf = (email: string, group_id: number) => {
  const { user_id } = userOf(email)!;
  const { read } = testServer.realm;
  const subscriptions = read.subscriptions.listBy("user", user_id);
  const stream_ids = subscriptions.map((subscription) => subscription.stream_id);
  return { stream_ids: stream_ids.sort(), isInGroup: read.group_members.has(group_id, user_id) };
};

test("grants only those channels and groups that the inviter may still grant", async () => {
  const { group_id, stream_ids } = await privateAccess();
  await changeSettings({ create_multiuse_invite_group: roles("members") });
  const params = { stream_ids, group_ids: [group_id] };
  const { invite_link } = await testServer.request("mo", "POST /invites/multiuse", params);
  expect((await fill(invite_link, GOOD)).status).toBe(200);
  const all = { stream_ids: [...stream_ids].sort(), isInGroup: true };
  expect(accessOf(GOOD.email, group_id)).toEqual(all);

  await changeRole("mo", 400);
  const subscriptions = JSON.stringify(["cellar"]);
  await testServer.request("mo", "DELETE /users/me/subscriptions", { subscriptions });
  expect((await fill(invite_link, { ...GOOD, email: "noa@example.com" })).status).toBe(200);
  const still = { stream_ids: [idOf("general")], isInGroup: false };
  expect(accessOf("noa@example.com", group_id)).toEqual(still);
});

test("rejects an invitation whose inviter may no longer invite users", async () => {
  await changeSettings({ create_multiuse_invite_group: roles("moderators") });
  const byLink = (await testServer.request("mo", "POST /invites/multiuse")).invite_link;
  const request = { invitee_emails: "nia@example.com", stream_ids: [] };
  const byEmail = (await testServer.request("bo", "POST /invites", request)).invite_links[0];
  const links = [byLink, byEmail.invite_link];
  const statuses = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
  expect(await statuses()).toEqual([200, 200]);
  await changeRole("mo", 400);
  expect(await statuses()).toEqual([410, 200]);
  await changeSettings({ can_invite_users_group: roles("administrators") });
  expect(await statuses()).toEqual([410, 410]);
  for (const link of links) expect((await fill(link, GOOD)).status).toBe(410);
  expect(userOf(GOOD.email)).toBeUndefined();
  await changeRole("mo", 300);
  await changeSettings({ can_invite_users_group: roles("members") });
  expect(await statuses()).toEqual([200, 200]);
  // Guests invite no users, even if the settings allow everyone.
  await changeRole("mo", 600);
  await changeRole("bo", 600);
  expect(await statuses()).toEqual([410, 410]);
});

test("ignores the welcome message of an inviter who is no longer an administrator", async () => {
  const welcome_message_custom_text = "From a former administrator";
  await changeSettings({ create_multiuse_invite_group: roles("members") });
  const link = await openLink({ welcome_message_custom_text });
  await changeRole("ada", 400);
  expect((await fill(link, GOOD)).status).toBe(200);
  const texts = [...testServer.realm.read.messages.range()].map(({ content }) => content);
  expect(texts.filter((content) => content.includes(welcome_message_custom_text))).toEqual([]);
});
