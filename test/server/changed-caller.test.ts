/** Access is decided when the body has arrived: permissions lost meanwhile do not apply. */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { connect } from "node:net";
import { mustBeAdministrator } from "../../src/contract/errors/general.ts";
import { ADMINISTRATOR, MEMBER } from "../../src/contract/roles.ts";
import { startSession } from "../../src/features/sessions/actions.ts";
import { csrfTokenOf } from "../../src/server/caller/session.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeAll(async () => void (testServer = await startTestServer()));
afterAll(() => testServer.close());

interface SlowRequest {
  request: string;
  headers: string;
  body: string;
  /** Happens when half of the body was sent. */
  meanwhile: () => Promise<unknown>;
}

/** Returns the status and the body of the response. */
async function send({ request, headers, body, meanwhile }: SlowRequest): Promise<[number, string]> {
  const { hostname, port, host } = new URL(testServer.url);
  const socket = connect(Number(port), hostname);
  let response = "";
  socket.on("data", (chunk) => (response += chunk.toString()));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  const half = Math.floor(body.length / 2);
  const head = [
    `${request} HTTP/1.1`,
    `Host: ${host}`,
    headers,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, half)}`);
  // The server has read the first half when it has responded to later requests.
  for (let index = 0; index < 3; index++) await testServer.request("olga", "GET /users/me");
  await meanwhile();
  socket.write(body.slice(half));
  await ended;
  return [Number(response.split(" ")[1]), response.slice(response.indexOf("\r\n\r\n") + 4)];
}

const byKey = (name: "bo" | "ada") => `Authorization: ${testServer.basicAuthorization(name)}`;
const messageToOlga = () => `type=direct&to=[${testServer.idOf("olga")}]&content=half+of+this`;
const sentByBo = () =>
  [...testServer.realm.read.messages.range()].filter(
    ({ sender_id }) => sender_id === testServer.idOf("bo"),
  ).length;

test("sends nothing for a user who was deactivated", async () => {
  const bo = `/users/${testServer.idOf("bo")}`;
  const before = sentByBo();
  const [status] = await send({
    request: "POST /api/v1/messages",
    headers: byKey("bo"),
    body: messageToOlga(),
    meanwhile: () => testServer.request("olga", `DELETE ${bo}`),
  });
  await testServer.request("olga", `POST ${bo}/reactivate`);
  expect([status, sentByBo()]).toEqual([401, before]);
});

test("changes nothing for a former administrator", async () => {
  const user_id = testServer.idOf("ada");
  const { name } = testServer.realm.read.settings;
  const setRole = (role: number) => testServer.request("olga", `PATCH /users/${user_id}`, { role });
  await setRole(200);
  const [status, body] = await send({
    request: "PATCH /api/v1/realm",
    headers: byKey("ada"),
    body: "name=Taken+over",
    meanwhile: () => setRole(400),
  });
  expect([status, body]).toEqual([400, expect.stringContaining("Must be an organization")]);
  expect(testServer.realm.read.settings.name).toBe(name);
});

test("sends nothing in a session that has ended", async () => {
  const { realm } = testServer;
  const user = realm.read.users.get(testServer.idOf("bo"))!;
  const browser = { user_agent: "test", method: "Email" } as const;
  const token = await realm.write((tx) => startSession(tx, user, browser));
  const { session_id } = realm.read.sessions.listBy("user", user.user_id).at(-1)!;
  const csrf = csrfTokenOf(token);
  const cookies = `Cookie: sessionid=${token}; csrftoken=${csrf}`;
  const request = {
    request: "POST /json/messages",
    headers: `${cookies}\r\nX-CSRFToken: ${csrf}\r\nOrigin: ${testServer.url}`,
    body: messageToOlga(),
  };
  const [first] = await send({ ...request, meanwhile: async () => {} });
  const before = sentByBo();
  const [second] = await send({
    ...request,
    meanwhile: () => realm.write((tx) => tx.sessions.delete(session_id)),
  });
  expect([first, second, sentByBo()]).toEqual([200, 401, before]);
});

test("sends the message if only another account has changed", async () => {
  const before = sentByBo();
  const [status] = await send({
    request: "POST /api/v1/messages",
    headers: byKey("bo"),
    body: messageToOlga(),
    meanwhile: () =>
      testServer.request("olga", `PATCH /users/${testServer.idOf("ada")}`, { full_name: "Ada B" }),
  });
  expect([status, sentByBo()]).toEqual([200, before + 1]);
});

test("creates no account for a user who is demoted while the password is hashed", async () => {
  const ada = testServer.idOf("ada");
  await testServer.realm.write((tx) =>
    tx.users.put({ ...tx.users.get(ada)!, can_create_users: true }),
  );
  const { hash } = Bun.password;
  const spy = spyOn(Bun.password, "hash").mockImplementationOnce(async (...params) => {
    await testServer.request("olga", `PATCH /users/${ada}`, { role: MEMBER });
    return hash(...params);
  });
  const account = { email: "nia@example.com", full_name: "Nia", password: "correct horse" };
  const { msg } = await testServer.refused("ada", "POST /users", account);
  spy.mockRestore();
  expect(msg).toBe(mustBeAdministrator().message);
  await testServer.request("olga", `PATCH /users/${ada}`, { role: ADMINISTRATOR });
});
