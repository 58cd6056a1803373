// Requests name the page's user, and are rejected if another user is signed in by now.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { noSession, sessionOfAnother } from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PERSON_HEADER } from "../../src/server/caller/session.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let browser: Browser;
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const)
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
  browser = new Browser(testServer);
  await browser.signIn("cy");
});
afterEach(() => testServer?.close());

const personHeader = (name: "bo" | "cy") => ({ [PERSON_HEADER]: String(testServer.idOf(name)) });
const greetingParams = () => ({ type: "direct", to: [testServer.idOf("cy")], content: "hi" });

test("rejects a request to send as one user if another is signed in", async () => {
  const countMessages = () => testServer.realm.read.messages.count();
  const before = countMessages();
  expect(
    await browser.refused("POST /messages", greetingParams(), personHeader("bo")),
  ).toMatchObject({
    status: sessionOfAnother().status,
    code: "SESSION_OF_ANOTHER",
  });
  expect(countMessages()).toBe(before);
  const response = await browser.fetch("POST /messages", greetingParams(), personHeader("cy"));
  expect(response.status).toBe(200);
  expect(countMessages()).toBe(before + 1);
});

test("rejects a request to read as one user if another is signed in", async () => {
  const newest = { anchor: "newest", num_before: 1, num_after: 0 };
  for (const line of ["GET /users/me", "GET /messages"]) {
    expect((await browser.fetch(line, newest, personHeader("bo"))).status).toBe(403);
    expect((await browser.fetch(line, newest, personHeader("cy"))).status).toBe(200);
  }
});

test("treats a request without a session as anonymous, even for public endpoints", async () => {
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const subscribers = [testServer.idOf("olga")];
  await testServer.request("olga", "POST /channels/create", {
    name: "open",
    subscribers,
    is_web_public: true,
  });
  const outsider = new Browser(testServer);
  expect((await outsider.fetch("POST /register")).status).toBe(200);
  const refusal = await outsider.refused("POST /register", {}, personHeader("bo"));
  expect(refusal).toMatchObject({ status: noSession().status, code: "UNAUTHORIZED" });
});

test("identifies the user by the API key alone", async () => {
  const headers = { Authorization: testServer.basicAuthorization("bo"), ...personHeader("cy") };
  expect((await fetch(`${testServer.url}/api/v1/users/me`, { headers })).status).toBe(200);
});
