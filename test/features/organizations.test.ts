// Several organizations in one process are isolated from each other.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  badEventQueueId,
  keyInvalid,
  keyOfAnotherRealm,
  rateLimitHit,
} from "../../src/contract/errors/general.ts";
import { fileNotFound, realmDeactivated } from "../../src/contract/errors/realm.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PASSWORD } from "../browser.ts";
import { type TwoOrganizations, EAST, startTwoOrganizations, WEST } from "../two-organizations.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { post, read, striped, upload } from "./upload-fixture.ts";

const HOUR_SECONDS = 3_600;

let twoOrganizations: TwoOrganizations;
let east: TestServer;
let west: TestServer;

beforeEach(async () => {
  twoOrganizations = await startTwoOrganizations();
  ({ east, west } = twoOrganizations);
});
afterEach(() => twoOrganizations.close());

const channel = (testServer: TestServer) =>
  testServer.realm.read.channels.findBy("name", "general")!.stream_id;
const send = (testServer: TestServer, content: string) =>
  testServer.request("bo", "POST /messages", {
    type: "stream",
    to: channel(testServer),
    topic: "tea",
    content,
  });
const newestMessages = async (testServer: TestServer, narrow: Json[] = []): Promise<Json[]> => {
  const params = { anchor: "newest", num_before: 5, num_after: 0, apply_markdown: false, narrow };
  return (await testServer.request("bo", "GET /messages", params)).messages;
};
const newestContents = async (testServer: TestServer, narrow?: Json[]) =>
  (await newestMessages(testServer, narrow)).map(({ content }) => content);

test("has separate accounts for the same address, and keys valid in only one", async () => {
  const [headersOfEast, headersOfWest] = [
    east.basicAuthorization("bo"),
    west.basicAuthorization("bo"),
  ];
  expect(headersOfEast).not.toBe(headersOfWest);
  const cases = [
    [EAST, headersOfEast, undefined],
    [WEST, headersOfWest, undefined],
    [EAST, headersOfWest, keyOfAnotherRealm()],
    [WEST, headersOfEast, keyOfAnotherRealm()],
    [WEST, `Basic ${btoa(`cy@example.com:${east.keyOf("bo")}`)}`, keyInvalid()],
    [WEST, `Basic ${btoa(`bo@example.com:${"z".repeat(32)}`)}`, keyInvalid()],
  ] as const;
  for (const [host, Authorization, refusal] of cases) {
    const { status, body } = await twoOrganizations.request(host, "/api/v1/users/me", {
      Authorization,
    });
    if (refusal === undefined) expect(body).toMatchObject({ full_name: "Bo Member" });
    else expect([status, body.code, body.msg]).toEqual([401, "UNAUTHORIZED", refusal.message]);
  }
});

test("treats a browser signed in to one as anonymous in the other", async () => {
  const hash = await hashPassword(PASSWORD);
  await east.realm.write((tx) => tx.passwords.put({ user_id: east.idOf("bo"), hash }));
  const requestTo = (host: string, path: string, init: RequestInit = {}) =>
    fetch(twoOrganizations.url + path, {
      redirect: "manual",
      ...init,
      headers: { ...init.headers, Host: host },
    });
  const csrf = (await requestTo(EAST, "/login/")).headers.getSetCookie()[0]!.split(";", 1)[0]!;
  const [, csrfmiddlewaretoken = ""] = csrf.split("=");
  const form = { username: "bo@example.com", password: PASSWORD, csrfmiddlewaretoken };
  const signIn = (host: string) =>
    requestTo(host, "/login/", {
      method: "POST",
      headers: { Cookie: csrf, Origin: `http://${host}` },
      body: new URLSearchParams(form),
    });
  expect((await signIn(WEST)).status).toBe(401);
  const signedIn = await signIn(EAST);
  expect(signedIn.status).toBe(302);
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  const headers = { Cookie: cookies.join("; ") };
  expect((await requestTo(EAST, "/json/users/me", { headers })).status).toBe(200);
  expect((await requestTo(WEST, "/json/users/me", { headers })).status).toBe(401);
});

test("rejects only the users of a deactivated organization", async () => {
  await east.request("olga", "POST /realm/deactivate");
  const { message: msg } = realmDeactivated();
  for (const host of [EAST, WEST]) {
    const params = { Authorization: east.basicAuthorization("bo") };
    const { status, body } = await twoOrganizations.request(host, "/api/v1/users/me", params);
    expect([status, body.msg]).toEqual([401, msg]);
  }
  expect(await west.request("bo", "GET /users/me")).toMatchObject({ full_name: "Bo Member" });
});

test("sends events of one only, and does not know its queues in the other", async () => {
  const [listener, otherListener] = [await east.listen("cy"), await west.listen("cy")];
  await send(east, "of the east");
  const [event] = await listener.takeAll();
  expect(event).toMatchObject({ type: "message", message: { content: "of the east" } });
  expect(event.message.sender_realm_str).toBe("east");
  expect(await otherListener.takeAll()).toEqual([]);

  const { queue_id } = listener;
  const params = { queue_id, last_event_id: -1, dont_block: true };
  const { errCode: code, extra } = badEventQueueId(queue_id);
  expect(await west.refused("cy", "GET /events", params)).toMatchObject({ code, ...extra });
});

test("separates messages, searches and presence", async () => {
  await send(east, "marmalade for all");
  await send(west, "honey for all");
  const narrow = [{ operator: "search", operand: "all" }];
  expect(await newestContents(east, narrow)).toEqual(["marmalade for all"]);
  expect(await newestContents(west, narrow)).toEqual(["honey for all"]);
  expect(await newestContents(west)).not.toContain("marmalade for all");

  await east.request("cy", "POST /users/me/presence", { status: "active", last_update_id: -1 });
  const getPresence = (testServer: TestServer) => testServer.request("bo", "GET /realm/presence");
  expect(Object.keys((await getPresence(east)).presences)).toContain("cy@example.com");
  expect(Object.keys((await getPresence(west)).presences)).not.toContain("cy@example.com");
});

test("renders with the organization's own emoji, linkifiers and URLs", async () => {
  const picture = { name: "a.png", bytes: striped(64, 64) };
  await post(east, "ada", "POST /realm/emoji/tea_set", [picture]);
  const rule = { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example/{id}" };
  await east.request("ada", "POST /realm/filters", rule);
  const renderContent = async (testServer: TestServer, content: string) =>
    (await testServer.request("bo", "POST /messages/render", { content })).rendered as string;
  expect(await renderContent(east, ":tea_set: #7")).toMatch(/class="emoji".*bugs\.example/);
  expect(await renderContent(west, ":tea_set: #7")).toBe("<p>:tea_set: #7</p>");
  const settings = await west.request(null, "GET /server_settings");
  expect(settings.realm_url).toBe(`http://${WEST}`);
  const { realm_url, realm_bot_domain } = await west.request("bo", "POST /register");
  expect([realm_url, realm_bot_domain]).toEqual([`http://${WEST}`, WEST]);
});

test("does not find a file in the other, however it is requested", async () => {
  const url = await upload(east, "bo", { name: "plan.txt", bytes: "secret plan" });
  expect(await (await read(east, "bo", url)).text()).toBe("secret plan");
  const { status } = fileNotFound();
  for (const path of [url, url.replace("/user_uploads/", "/user_uploads/download/")]) {
    expect((await read(west, "bo", path)).status).toBe(status);
  }
  expect((await west.refused("bo", `GET ${url}`)).code).toBe("BAD_REQUEST");
  const { url: temporary } = await east.request("bo", `GET ${url}`);
  expect((await read(east, null, temporary)).status).toBe(200);
  expect((await read(west, null, temporary)).ok).toBe(false);

  const { avatar_url } = await post(east, "bo", "POST /users/me/avatar", [
    { name: "me.png", bytes: striped(64, 64) },
  ]);
  expect((await read(east, null, avatar_url)).status).toBe(200);
  expect((await read(west, null, avatar_url)).ok).toBe(false);

  const { attachments } = await east.request("bo", "GET /attachments");
  const refusal = await west.refused("bo", `DELETE /attachments/${attachments[0].id}`);
  expect(refusal.code).toBe("BAD_REQUEST");
  expect((await east.request("bo", "GET /attachments")).attachments).toHaveLength(1);
});

test("cannot continue an upload of the other", async () => {
  const headers = {
    Authorization: east.basicAuthorization("bo"),
    ...east.hostHeader,
    "Tus-Resumable": "1.0.0",
  };
  const metadata = { "Upload-Length": "4", "Upload-Metadata": `filename ${btoa("a.txt")}` };
  const startedUpload = await fetch(`${twoOrganizations.url}/api/v1/tus/`, {
    method: "POST",
    headers: { ...headers, ...metadata },
  });
  const location = new URL(startedUpload.headers.get("location")!);
  expect(location.host).toBe(EAST);
  const request = (testServer: TestServer) =>
    fetch(twoOrganizations.url + location.pathname, {
      method: "HEAD",
      headers: {
        ...headers,
        Authorization: testServer.basicAuthorization("bo"),
        ...testServer.hostHeader,
      },
    });
  expect((await request(east)).status).toBe(200);
  expect((await request(west)).status).toBe(404);
});

test("accepts an invitation only in its own organization", async () => {
  const { invite_link } = await east.request("ada", "POST /invites/multiuse", { stream_ids: [] });
  const link = new URL(invite_link);
  expect(link.host).toBe(EAST);
  const joinFields = { email: "new@example.com", full_name: "New", password: "a good pass phrase" };
  expect((await west.send(null, `GET /${link.pathname}`)).status).toBe(410);
  expect((await west.send(null, `POST /${link.pathname}`, joinFields)).ok).toBe(false);
  const joinResponse = await east.send(null, `POST /${link.pathname}`, joinFields);
  expect([joinResponse.status, await joinResponse.text()]).toEqual([
    200,
    expect.stringContaining(`http://${EAST}`),
  ]);
  const hasJoinedUser = ({ realm }: TestServer) =>
    realm.read.users.findBy("email", joinFields.email) !== undefined;
  expect([hasJoinedUser(east), hasJoinedUser(west)]).toEqual([true, false]);
});

test("runs due jobs in their organization, even after a restart", async () => {
  const time = east.realm.read.now + HOUR_SECONDS;
  const schedule = { type: "stream", topic: "tea", scheduled_delivery_timestamp: time };
  const params = { ...schedule, to: channel(east), content: "at last" };
  await east.request("bo", "POST /scheduled_messages", params);
  const before = await newestContents(west);
  const [listener, otherListener] = [await east.listen("cy"), await west.listen("cy")];
  await twoOrganizations.restart();
  east.clock.passSeconds(HOUR_SECONDS);
  for (const { realm } of [east, west]) realm.onDue();
  const nextMessageEvent = async (): Promise<Json> => {
    const event = await listener.next();
    return event.type === "message" ? event : nextMessageEvent();
  };
  expect((await nextMessageEvent()).message.content).toBe("at last");
  expect((await otherListener.takeAll()).filter(({ type }) => type === "message")).toEqual([]);
  expect(await newestContents(west)).toEqual(before);
});

test("limits the rate of requests to one, not to the other", async () => {
  await twoOrganizations.close();
  twoOrganizations = await startTwoOrganizations({ rate_limits: true });
  ({ east, west } = twoOrganizations);
  for (let calls = 0; calls < 200; calls += 1)
    await east.request("bo", "GET /users/me/alert_words");
  const { status, errCode: code } = rateLimitHit(1);
  expect(await east.refused("bo", "GET /users/me")).toMatchObject({ status, code });
  expect(await west.request("bo", "GET /users/me")).toMatchObject({ full_name: "Bo Member" });
});

test("answers all host names if there is only one", async () => {
  const testServer = await startTestServer();
  const params = {
    headers: { Host: "anything.example", Authorization: testServer.basicAuthorization("bo") },
  };
  const response = await fetch(`${testServer.url}/api/v1/users/me`, params);
  expect(await response.json()).toMatchObject({ full_name: "Bo Member" });
  await testServer.close();
});
