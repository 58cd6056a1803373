// Signing in with a password, and the API keys that it returns.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Refusal } from "../../src/contract/errors/general.ts";
import {
  apiKeyNotFound,
  developmentOnly,
  developmentSignInOff,
  emailNotAnAddress,
  jwtSignInOff,
  newPasswordTooWeak,
  noOrganizationHere,
  signInDeactivated,
  signInFailed,
  tooManyPasswordTries,
  tooManySignIns,
  wrongPassword,
} from "../../src/contract/errors/people.ts";
import { KEYS_PER_USER_MAX, newApiKey } from "../../src/features/keys/actions.ts";
import { hashPassword, verifyPassword } from "../../src/features/passwords/hash.ts";
import { emailOf, type Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
const password = "correct horse battery";
beforeEach(async () => {
  testServer = await startTestServer({ rate_limits: true });
  const hash = await hashPassword(password);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy", "mo"] as const) {
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
    }
  });
});
afterEach(() => testServer.close());

const errorBody = (refusal: Refusal) => ({
  status: refusal.status,
  msg: refusal.message,
  code: refusal.errCode,
});
const tryKey = (username: string, secret: string) =>
  testServer.refused(null, "POST /fetch_api_key", { username, password: secret });
const requestWithKey = (name: Name, key: string) => {
  const Authorization = `Basic ${btoa(`${emailOf(name)}:${key}`)}`;
  return fetch(`${testServer.url}/api/v1/users/me`, { headers: { Authorization } });
};

test("returns a key for a password, with the address in any letter case", async () => {
  const response = await testServer.request(null, "POST /fetch_api_key", {
    username: "BO@Example.com",
    password,
  });
  expect(response).toMatchObject({ user_id: testServer.idOf("bo"), email: "bo@example.com" });
  expect(response.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect((await requestWithKey("bo", response.api_key)).status).toBe(200);
  expect((await requestWithKey("cy", response.api_key)).status).toBe(401);
});

test("rejects a wrong password and an unknown address in the same way", async () => {
  expect(await tryKey("bo@example.com", "wrong")).toEqual(await tryKey("who@example.com", "wrong"));
  expect(await tryKey("who@example.com", "wrong")).toMatchObject(errorBody(signInFailed()));
  expect(await tryKey("olga@example.com", "")).toMatchObject(errorBody(signInFailed()));
  expect(await tryKey("bo", password)).toMatchObject(errorBody(emailNotAnAddress()));
  expect(
    await testServer.refused(null, "POST /fetch_api_key", { username: "bo@example.com" }),
  ).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "password" });
});

test("takes the same work without a hash, and verifies nothing", async () => {
  expect(await verifyPassword("", undefined)).toBe(false);
  expect(await verifyPassword(password, await hashPassword(password))).toBe(true);
});

test("reveals a deactivated account only with the right password", async () => {
  await testServer.request("ada", `DELETE /users/${testServer.idOf("mo")}`);
  expect(await tryKey("mo@example.com", "wrong")).toMatchObject(errorBody(signInFailed()));
  expect(await tryKey("mo@example.com", password)).toMatchObject(errorBody(signInDeactivated()));
});

test("blocks a name for half an hour after five failures, unless one succeeds", async () => {
  const name = "CY@example.com";
  const headers = { "X-Forwarded-For": "203.0.113.9" };
  const fetchKeyFromFar = async (username: string, secret: string) => {
    const body = new URLSearchParams({ username, password: secret });
    const response = await fetch(`${testServer.url}/api/v1/fetch_api_key`, {
      ...{ method: "POST", headers, body },
    });
    return { status: response.status, ...((await response.json()) as Json) };
  };
  for (let index = 0; index < 4; index++) await fetchKeyFromFar(name, "wrong");
  expect(await fetchKeyFromFar(name, password)).toMatchObject({ status: 200 });
  await Promise.all(Array.from({ length: 5 }, () => fetchKeyFromFar(name, "wrong")));
  const closedResponse = await fetchKeyFromFar(name.toLowerCase(), password);
  expect(closedResponse).toMatchObject(errorBody(tooManySignIns(1)));
  expect(closedResponse["retry-after"]).toBeGreaterThan(1000);
  testServer.clock.passSeconds(1801);
  expect(await fetchKeyFromFar(name, password)).toMatchObject({ status: 200 });
});

test("lists keys without their text, and revokes them one by one", async () => {
  const { api_key } = await testServer.request(null, "POST /fetch_api_key", {
    username: "bo@example.com",
    password,
  });
  const { api_keys } = await testServer.request("bo", "GET /users/me/api_keys");
  const own = api_keys.filter((key: { current: boolean }) => key.current);
  expect(own).toHaveLength(1);
  const added = api_keys.at(-1);
  expect(Object.keys(added)).toEqual(["id", "client", "created", "last_used", "current"]);
  expect(added.client).toBe("SkeinTest");
  expect(await testServer.refused("cy", `DELETE /users/me/api_keys/${added.id}`)).toMatchObject(
    errorBody(apiKeyNotFound()),
  );
  await testServer.request("bo", `DELETE /users/me/api_keys/${added.id}`);
  expect((await requestWithKey("bo", api_key)).status).toBe(401);
  expect((await requestWithKey("bo", testServer.keyOf("bo"))).status).toBe(200);
});

test("lets a key replace itself, including a bot's", async () => {
  const before = testServer.keyOf("bot");
  const { api_key } = await testServer.request("bot", "POST /users/me/api_key/regenerate");
  const asBot = (key: string) => requestWithKey("bot", key);
  expect((await asBot(before)).status).toBe(401);
  expect((await asBot(api_key)).status).toBe(200);
});

test("removes the devices of a key that was removed at the limit", async () => {
  const user_id = testServer.idOf("gus");
  const ownRange = { from: [user_id], to: [user_id + 1] } as const;
  await testServer.request("gus", "POST /register_client_device");
  const devices = () => [...testServer.realm.read.devices.range(ownRange)].length;
  await testServer.realm.write((tx) => {
    const user = tx.users.get(user_id)!;
    for (let index = 1; index < KEYS_PER_USER_MAX; index++) newApiKey(tx, user, "phone");
    for (const [index, key] of tx.api_keys.listBy("user", user_id).entries()) {
      const created = tx.now - 31_536_000;
      tx.api_keys.put({ ...key, created, last_used: created + index });
    }
  });
  expect(devices()).toBe(1);
  await testServer.realm.write((tx) => void newApiKey(tx, tx.users.get(user_id)!, "phone"));
  expect(devices()).toBe(0);
  expect((await testServer.send("gus", "GET /users/me")).status).toBe(401);
});

test("removes the longest unused key at the limit, or the newest of a burst", async () => {
  const user_id = testServer.idOf("ada");
  const clients = () =>
    testServer.realm.read.api_keys.listBy("user", user_id).map(({ client }) => client);
  const [before] = testServer.realm.read.api_keys.listBy("user", user_id);
  const add = (client: string, years = 0) =>
    testServer.realm.write((tx) => {
      newApiKey(tx, tx.users.get(user_id)!, client);
      const key = tx.api_keys.listBy("user", user_id).find((key) => key.client === client)!;
      const created = tx.now - years * 31_536_000;
      tx.api_keys.put({ ...key, created, last_used: created });
    });
  for (let index = 1; index < KEYS_PER_USER_MAX; index++)
    await add(`program ${index}`, KEYS_PER_USER_MAX - index);
  await add("one more");
  expect(clients()).toHaveLength(KEYS_PER_USER_MAX);
  expect(clients()).not.toContain("program 1");
  expect(clients()).toContain("program 2");
  for (let index = 0; index < KEYS_PER_USER_MAX; index++) await add(`burst ${index}`);
  expect(clients()).toHaveLength(KEYS_PER_USER_MAX);
  for (const stored of [before!.client, "program 50", `burst ${KEYS_PER_USER_MAX - 1}`]) {
    expect(clients()).toContain(stored);
  }
  expect(clients()).not.toContain(`burst ${KEYS_PER_USER_MAX - 2}`);
});

test("blocks password changes for half an hour after five wrong old passwords", async () => {
  const params = { old_password: "wrong", new_password: "longer words" };
  for (let index = 0; index < 5; index++) await testServer.refused("cy", "PATCH /settings", params);
  const { status, errCode: code } = tooManyPasswordTries(1);
  const closedRefusal = await testServer.refused("cy", "PATCH /settings", {
    ...params,
    old_password: password,
  });
  expect(closedRefusal).toMatchObject({ status, code });
  expect(closedRefusal.msg).toMatch(
    /^You're making too many attempts! Try again in \d{4} seconds\.$/,
  );
});

test("names other authentication endpoints, which are disabled here", async () => {
  for (const [line, refusal] of [
    ["POST /jwt/fetch_api_key", jwtSignInOff()],
    ["POST /dev_fetch_api_key", developmentSignInOff()],
    ["GET /dev_list_users", developmentOnly()],
  ] as const) {
    expect(await testServer.refused(null, line)).toMatchObject(errorBody(refusal));
  }
});

test("changes the user's password if the old one is given", async () => {
  const refusedTo = (old_password: string, new_password: string) =>
    testServer.refused("bo", "PATCH /settings", { old_password, new_password });
  expect(await refusedTo("wrong", "longer words")).toMatchObject(errorBody(wrongPassword()));
  for (const weak of ["short", "qwertyuiop", "BoMember"]) {
    expect(await refusedTo(password, weak)).toMatchObject(errorBody(newPasswordTooWeak()));
  }
  await testServer.request("bo", "PATCH /settings", {
    old_password: password,
    new_password: "longer words",
  });
  expect(await tryKey("bo@example.com", password)).toMatchObject(errorBody(signInFailed()));
  await testServer.request(null, "POST /fetch_api_key", {
    username: "bo@example.com",
    password: "longer words",
  });
});

test("rejects sign-ins before there is an organization", async () => {
  const empty = await startTestServer();
  await empty.realm.write((tx) => tx.realm.delete(1));
  const refusal = await empty.refused(null, "POST /fetch_api_key", {
    username: "bo@example.com",
    password,
  });
  expect(refusal).toMatchObject({
    ...errorBody(noOrganizationHere()),
    code: "NONEXISTENT_SUBDOMAIN",
  });
  await empty.close();
});
