/** Errors that clients distinguish by code, each with its status. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { idempotencyKeyTooLong } from "../../src/contract/errors/messages.ts";
import { emailOf } from "../users.ts";
import { formOf, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let message_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const conversation = { type: "channel", to: "general", topic: "codes" };
  ({ id: message_id } = await testServer.request("bo", "POST /messages", {
    ...conversation,
    content: "hello",
  }));
});
afterEach(() => testServer.close());

test("a sign-in with a wrong password", async () => {
  const params = { username: emailOf("bo"), password: "not the password" };
  expect(await testServer.refused(null, "POST /fetch_api_key", params)).toMatchObject({
    status: 401,
    code: "AUTHENTICATION_FAILED",
  });
});

test("a channel with a taken name", async () => {
  const params = { name: "General", subscribers: [] };
  expect(await testServer.refused("bo", "POST /channels/create", params)).toMatchObject({
    status: 409,
    code: "CHANNEL_ALREADY_EXISTS",
    channel_name: "General",
  });
});

test("a reaction that exists already, and one that does not", async () => {
  const line = `/messages/${message_id}/reactions`;
  const params = { emoji_name: "tada" };
  const absent = await testServer.refused("cy", `DELETE ${line}`, params);
  expect(absent).toMatchObject({ status: 400, code: "REACTION_DOES_NOT_EXIST" });
  await testServer.request("cy", `POST ${line}`, params);
  const secondRefusal = await testServer.refused("cy", `POST ${line}`, params);
  expect(secondRefusal).toMatchObject({ status: 400, code: "REACTION_ALREADY_EXISTS" });
});

test("a move of a topic that is too old for the user", async () => {
  testServer.clock.passSeconds(8 * 86_400);
  const params = { topic: "elsewhere", propagate_mode: "change_all" };
  const conversation = { type: "channel", to: "general", topic: "codes" };
  const { id } = await testServer.request("bo", "POST /messages", {
    ...conversation,
    content: "new",
  });
  expect(await testServer.refused("bo", `PATCH /messages/${id}`, params)).toMatchObject({
    status: 400,
    code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    first_message_id_allowed_to_move: id,
    total_messages_in_topic: 2,
    total_messages_allowed_to_move: 1,
  });
});

test("an invalid time limit", async () => {
  const params = { message_content_edit_limit_seconds: 0 };
  expect(await testServer.refused("olga", "PATCH /realm", params)).toMatchObject({
    status: 400,
    code: "REQUEST_VARIABLE_INVALID",
    var_name: "message_content_edit_limit_seconds",
  });
});

test("an idempotency key that is too long", async () => {
  const body = { type: "channel", to: "general", topic: "codes", content: "once" };
  const response = await send(body, "k".repeat(256));
  expect(response.status).toBe(400);
  expect(((await response.json()) as { msg: string }).msg).toBe(idempotencyKeyTooLong(255).message);
});

test("the sign-in of a deactivated account", async () => {
  const password = "correct horse battery";
  const account = { email: "dee@example.com", full_name: "Dee", password };
  const { user_id } = await testServer.request("olga", "POST /users", account);
  await testServer.request("olga", `DELETE /users/${user_id}`);
  const params = { username: account.email, password };
  expect(await testServer.refused(null, "POST /fetch_api_key", params)).toMatchObject({
    status: 401,
    code: "USER_DEACTIVATED",
  });
});

test("finds and changes users by email address too", async () => {
  const { user } = await testServer.request("olga", `GET /users/${emailOf("cy")}`);
  expect(user.user_id).toBe(testServer.idOf("cy"));
  await testServer.request("olga", "PATCH /users/cy@example.com", { full_name: "Cy Renamed" });
  const renamed = await testServer.request("bo", "GET /users/cy@example.com");
  expect(renamed.user.full_name).toBe("Cy Renamed");
  await testServer.request("olga", "PATCH /users/cy@example.com", { full_name: "Cy Member" });
});

function send(params: Params, key: string): Promise<Response> {
  return fetch(`${testServer.url}/api/v1/messages`, {
    method: "POST",
    headers: { Authorization: testServer.basicAuthorization("bo"), "Idempotency-Key": key },
    body: formOf(params),
  });
}
