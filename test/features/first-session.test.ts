// Users who have just created an account are signed in, but not by forms of other sites.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { signUp } from "../../src/features/invitations/join.ts";
import { openSetUp } from "../../src/features/organization/set-up.ts";
import { createFirstReset, openReset, resetUrl } from "../../src/features/passwords/reset.ts";
import { encryptedKey } from "../../src/features/secrets/encrypted.ts";
import { beginFirstSession } from "../../src/features/sessions/start.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import { Browser, type Page, PASSWORD } from "../browser.ts";
import { deliverDueMail, linkIn, startTestServerWithMail } from "../mail/mail-server.ts";
import { startEmptyTestServer, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer?.close());

const NIA = { full_name: "Nia New", email: "nia@example.com", password: PASSWORD };
const userOf = (email: string, server = testServer) =>
  server.realm.read.users.findBy("email", email)!;
const sessionsOf = (email: string, server = testServer) =>
  server.realm.read.sessions.listBy("user", userOf(email, server).user_id);
const pathOf = (link: string, server = testServer) => link.replace(server.url, "");

async function linkForMany(server = testServer): Promise<string> {
  return pathOf((await server.request("ada", "POST /invites/multiuse")).invite_link, server);
}

async function isIncluded(
  browser: Browser,
  page: Page,
  email: string,
  server = testServer,
): Promise<void> {
  expect(page).toMatchObject({ status: 302, location: "/" });
  expect(await browser.request("GET /users/me")).toMatchObject({ delivery_email: email });
  expect(sessionsOf(email, server)).toMatchObject([
    { method: "Email", user_agent: "SkeinTest/1.0" },
  ]);
  // The `known` cookie limits their password attempts separately from other clients.
  expect(browser.cookies.has("known")).toBe(true);
}

/** Expects that the account is created and the user is sent to sign in. */
function expectSignedOut(page: Page, email: string): void {
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("Welcome to Town")]);
  expect(page.text).toContain('href="/login/"');
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(sessionsOf(email)).toEqual([]);
}

test("signs in the user who sets up an organization", async () => {
  const empty = await startEmptyTestServer();
  const path = pathOf(await empty.realm.write(openSetUp), empty);
  const browser = new Browser(empty);
  await browser.open(path);
  const owner = { ...NIA, name: "Larkspur" };
  await isIncluded(browser, await browser.submit(path, owner), "nia@example.com", empty);
  expect(await browser.request("GET /users/me")).toMatchObject({ is_owner: true });
  // A link that contains a key is not displayed, and no ticket remains.
  expect(empty.realm.read.tickets.count()).toBe(0);
  await empty.close();
});

test("signs in a user who joins with an invitation", async () => {
  const params = { invitee_emails: "nia@example.com", stream_ids: [] };
  const { invite_links } = await testServer.request("ada", "POST /invites", params);
  const path = pathOf(invite_links[0].invite_link);
  const browser = new Browser(testServer);
  await browser.open(path);
  const weak = await browser.submit(path, { ...NIA, password: "short" });
  expect(weak).toMatchObject({ status: 400, location: null });
  expect(browser.cookies.size).toBe(0);
  await isIncluded(browser, await browser.submit(path, NIA), "nia@example.com");
});

test("signs in users who join with a shared link or sign up", async () => {
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  for (const [path, email] of [
    [await linkForMany(), "nia@example.com"],
    ["/register/", "noa@example.com"],
  ] as const) {
    const browser = new Browser(testServer);
    await browser.open(path);
    await isIncluded(
      browser,
      await browser.submit(path, { ...NIA, full_name: `N ${email[1]}`, email }),
      email,
    );
  }
});

test("continues to the requested page, but to none of another site", async () => {
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  const signUpTo = async (next: string, own: TestServer, url: string) => {
    const browser = new Browser(own);
    const { text } = await browser.open(`/login/?next=${encodeURIComponent(next)}`);
    const path = /href="(\/register\/[^"]*)"/.exec(text)![1]!;
    await browser.open(path);
    const input = { ...NIA, full_name: `N ${url}`, email: `${url}@example.com` };
    return { browser, given: input, page: await browser.submit(path, input) };
  };
  expect((await signUpTo("/#narrow/channel/3", testServer, "a")).page.location).toBe(
    "/#narrow/channel/3",
  );
  expect((await signUpTo("https://evil.example/", testServer, "b")).page.location).toBe("/");

  const { testServer: own, mailServer } = await startTestServerWithMail();
  await own.request("olga", "PATCH /realm", { invite_required: false });
  for (const [next, visited, location] of [
    ["/#narrow/channel/3", "a", "/#narrow/channel/3"],
    [`/#${"x".repeat(1000)}`, "b", "/"],
  ] as const) {
    const { browser, given: input } = await signUpTo(next, own, visited);
    await deliverDueMail(own);
    await browser.open(pathOf(linkIn(mailServer.mailTo(input.email).at(-1)!), own));
    expect((await browser.submit("/accounts/register/", input)).location).toBe(location);
  }
  await own.close();
  await mailServer.close();
});

test("signs in a user who confirms an address, without a sign-in email", async () => {
  const { testServer: own, mailServer } = await startTestServerWithMail();
  const path = await linkForMany(own);
  const browser = new Browser(own);
  await browser.open(path);
  await browser.submit(path, { email: "nia@example.com" });
  await deliverDueMail(own);
  await browser.open(pathOf(linkIn(mailServer.mailTo("nia@example.com").at(-1)!), own));
  await isIncluded(
    browser,
    await browser.submit("/accounts/register/", NIA),
    "nia@example.com",
    own,
  );
  await deliverDueMail(own);
  const subjects = () => mailServer.mailTo("nia@example.com").map(({ mail }) => mail.subject);
  expect(subjects().filter((subject) => subject?.includes("sign-in"))).toEqual([]);

  own.clock.passSeconds(61);
  const other = new Browser(own);
  await other.open("/login/");
  await other.submit("/accounts/login/", { username: "nia@example.com", password: PASSWORD });
  await deliverDueMail(own);
  expect(subjects().filter((subject) => subject?.includes("sign-in"))).toHaveLength(1);
  await own.close();
  await mailServer.close();
});

test("signs in with a link for a first password, but not with one for a new password", async () => {
  const { realm } = testServer;
  const createOwner = async (open: typeof createFirstReset, password: string) => {
    const created = encryptedKey(realm);
    await realm.write((tx) => open(tx, userOf("bo@example.com"), created));
    const path = pathOf(resetUrl(realm, created.key));
    const browser = new Browser(testServer);
    await browser.open(path);
    return { browser, path, page: await browser.submit(path, { password }) };
  };
  const first = await createOwner(createFirstReset, "a harbour of bo");
  await isIncluded(first.browser, first.page, "bo@example.com");
  expect((await first.browser.open(first.path)).status).toBe(410);
  const later = await createOwner(openReset, "another harbour");
  expect([later.page.status, later.browser.cookies.has("sessionid")]).toEqual([200, false]);
  expect(sessionsOf("bo@example.com")).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ["a page of another site", { Origin: "https://evil.example" }],
  ["a page that has no origin", { Origin: "null" }],
  ["what says nothing of itself", {}],
  ["another site, whatever the origin", { "Sec-Fetch-Site": "cross-site" }],
  ["another host of the same site", { "Sec-Fetch-Site": "same-site" }],
  ["no page at all", { "Sec-Fetch-Site": "none" }],
])("does not sign in through a form from %s", async (_, fields) => {
  const form = new URLSearchParams(NIA);
  const headers = { ...("Sec-Fetch-Site" in fields && { Origin: testServer.url }), ...fields };
  const page = await new Browser(testServer).send("POST", await linkForMany(), form, headers);
  expectSignedOut(page, "nia@example.com");
});

test("accepts a form whose browser reports the same origin without further proof", async () => {
  const secure = await startTestServer({ url: "https://chat.example.com" });
  const { invite_link } = await secure.request("ada", "POST /invites/multiuse");
  const path = new URL(invite_link).pathname;
  const fields = { "Sec-Fetch-Site": "same-origin", Origin: "null" };
  const browser = new Browser(secure);
  const page = await browser.send("POST", path, new URLSearchParams(NIA), fields);
  expect(page).toMatchObject({ status: 302, location: "/" });
  expect([...browser.cookies.keys()]).toEqual(
    ["sessionid", "csrftoken", "known"].map((name) => `__Host-${name}`),
  );
  await secure.close();
});

test("keeps an existing session", async () => {
  const path = await linkForMany();
  const browser = new Browser(testServer);
  const kim = { full_name: "Kim", email: "kim@example.com", password: PASSWORD };
  await browser.open(path);
  await isIncluded(browser, await browser.submit(path, kim), "kim@example.com");
  await browser.open(path);
  expectSignedOut(await browser.submit(path, NIA), "nia@example.com");
  expect(await browser.request("GET /users/me")).toMatchObject({ full_name: "Kim" });
});

test("replaces an expired session with the new account", async () => {
  const path = await linkForMany();
  const browser = new Browser(testServer);
  browser.cookies.set("sessionid", "x".repeat(43));
  await browser.open(path);
  await isIncluded(browser, await browser.submit(path, NIA), "nia@example.com");
});

test("signs in nobody if passwords or the organization were disabled meanwhile", async () => {
  const { realm, url } = testServer;
  const request = new Request(`${url}/register/`, { method: "POST", headers: { Origin: url } });
  const started = await realm.write((tx) => {
    const organization = tx.realm.get(1)!;
    const set = (change: Partial<RealmSettings>) =>
      tx.realm.put({ ...organization, settings: { ...organization.settings, ...change } });
    set({ invite_required: false });
    const user = signUp(tx, { ...NIA, password_hash: "kept" });
    const { user_id } = user;
    const start = () => beginFirstSession(tx, { realm, request }, user)?.length;
    const startedServers = [start()];
    set({ authentication_methods: { Email: false } });
    startedServers.push(start());
    set({});
    tx.deactivations.put({ realm_id: 1, user_id, timestamp: 1, delete_at: null });
    return [...startedServers, start()];
  });
  expect(started).toEqual([3, undefined, undefined]);
  expect(sessionsOf("nia@example.com")).toHaveLength(1);
});
