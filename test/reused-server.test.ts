// HTTP servers that test servers reuse contain nothing of the previous one.
import { expect, test } from "bun:test";
import { startTestServer } from "./test-server.ts";

test("serves the next test server at the same address, and only its users", async () => {
  const first = await startTestServer();
  const before = { url: first.url, authorization: first.basicAuthorization("bo") };
  await first.close();
  const second = await startTestServer();
  expect(second.url).toBe(before.url);
  const headers = { Authorization: before.authorization };
  expect((await fetch(`${second.url}/api/v1/users/me`, { headers })).status).toBe(401);
  expect(await second.request("bo", "GET /users/me")).toMatchObject({ user_id: second.idOf("bo") });
  await second.close();
});

test("gives two test servers at the same time an address each", async () => {
  const [first, second] = [await startTestServer(), await startTestServer()];
  expect(first.url).not.toBe(second.url);
  await Promise.all([first.close(), second.close()]);
});

test("answers a waiting poll when its test server closes", async () => {
  const server = await startTestServer();
  const { queue_id, last_event_id } = await server.request("bo", "POST /register");
  const poll = server.request("bo", "GET /events", { queue_id, last_event_id });
  await server.request("bo", "GET /users/me");
  await server.close();
  expect((await poll).events).toEqual([]);
});

test("fails the next test server when a client of the one before is left", async () => {
  const first = await startTestServer();
  await first.close();
  await fetch(`${first.url}/api/v1/users/me`);
  expect(startTestServer()).rejects.toThrow("a test left a client behind: 1 requests");
});

test("listens no more after a stop, as a server of its own", async () => {
  const server = await startTestServer();
  const { url } = server;
  await server.stop();
  expect(fetch(`${url}/api/v1/server_settings`)).rejects.toThrow();
  await server.start();
  await server.request("bo", "GET /users/me");
  await server.close();
});
