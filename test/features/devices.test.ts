// Devices and push tokens: what a phone registers at sign-in.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import {
  DEVICES_PER_USER_MAX,
  PUSH_TOKENS_PER_USER_MAX,
} from "../../src/features/devices/rules.ts";
import { newApiKey } from "../../src/features/keys/actions.ts";
import { emailOf, type Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const ADD = "POST /users/me/android_gcm_reg_id";
const DELETE_TOKEN = "DELETE /users/me/android_gcm_reg_id";
const ADD_APPLE = "POST /users/me/apns_device_token";
const DROP_APPLE = "DELETE /users/me/apns_device_token";
const register = async (name: Name) =>
  (await testServer.request(name, "POST /register_client_device")).device_id as number;
const tokensOf = (name: Name) =>
  testServer.realm.read.push_tokens.listBy("user", testServer.idOf(name)).map(({ token }) => token);
const deviceOf = (name: Name, device_id: number) =>
  testServer.realm.read.devices.get(testServer.idOf(name), device_id)!;

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

test("registers and removes a device, with events only to its owner", async () => {
  const names = ["bo", "cy"] as const;
  const { result: device_id, events } = await staysInSync(testServer, names, () => register("bo"));
  expect(events.bo).toMatchObject([{ type: "device", op: "add", device_id }]);
  expect(events.cy).toEqual([]);
  const { devices } = await testServer.request("bo", "POST /register");
  expect(devices).toEqual({
    [device_id]: {
      push_key_id: null,
      push_token_id: null,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
    },
  });

  const remove = "POST /remove_client_device";
  await expectRefused(peopleErrors.deviceNotFound(), "cy", remove, { device_id });
  await expectRefused(peopleErrors.deviceNotFound(), "bo", remove, { device_id: 9999 });
  const removal = await staysInSync(testServer, names, () =>
    testServer.request("bo", remove, { device_id }),
  );
  expect(removal.events.bo).toMatchObject([{ type: "device", op: "remove", device_id }]);
  expect(removal.events.cy).toEqual([]);
  await expectRefused(peopleErrors.deviceNotFound(), "bo", remove, { device_id });
});

test("rejects devices of bots", async () => {
  await expectRefused(errors.botsNotAllowed(), "bot", "POST /register_client_device");
  await expectRefused(errors.botsNotAllowed(), "bot", ADD, { token: "x" });
});

test("removes the oldest device at the limit", async () => {
  const first = await register("mo");
  for (let n = 1; n < DEVICES_PER_USER_MAX; n++) await register("mo");
  const { result, events } = await staysInSync(testServer, ["mo"], () => register("mo"));
  expect(events.mo).toMatchObject([
    { op: "remove", device_id: first },
    { op: "add", device_id: result },
  ]);
});

test("stores a token once, for the last user who signed in on the device", async () => {
  const token = "abc:def";
  await testServer.request("bo", ADD, { token });
  await testServer.request("bo", ADD, { token });
  expect(tokensOf("bo")).toEqual([token]);
  await testServer.request("cy", ADD, { token });
  expect(tokensOf("bo")).toEqual([]);
  await expectRefused(peopleErrors.pushTokenNotFound(), "bo", DELETE_TOKEN, { token });
  await expectRefused(peopleErrors.pushTokenNotFound(), "cy", DROP_APPLE, { token: "abcd" });
  await testServer.request("cy", DELETE_TOKEN, { token });
  expect(tokensOf("cy")).toEqual([]);

  const apple = { token: "AB12", appid: "org.example.app" };
  await testServer.request("cy", ADD_APPLE, apple);
  await testServer.request("cy", ADD_APPLE, { ...apple, token: "+/8=" });
  expect(tokensOf("cy")).toEqual(["AB12", "+/8="]);
  const stray = "<+/8 =>";
  await testServer.request("bo", ADD_APPLE, { ...apple, token: stray });
  expect(tokensOf("bo")).toEqual([stray]);
  await testServer.request("bo", DROP_APPLE, { token: stray });
  await testServer.request("cy", DROP_APPLE, { token: "AB12" });
  await testServer.request("cy", DROP_APPLE, { token: "+/8=" });
});

test("validates the length of tokens and the format of APNs tokens", async () => {
  const wrong = peopleErrors.pushTokenLengthInvalid();
  const appid = "org.example.app";
  for (const token of ["", "t".repeat(4097)]) {
    for (const line of [ADD, DELETE_TOKEN, DROP_APPLE]) {
      await expectRefused(wrong, "bo", line, { token });
    }
    await expectRefused(wrong, "bo", ADD_APPLE, { token, appid });
  }
  await testServer.request("bo", ADD, { token: "t".repeat(4096) });
  await testServer.request("bo", DELETE_TOKEN, { token: "t".repeat(4096) });
  for (const token of ["abc", "no token!", "+/8", "<>"]) {
    await expectRefused(peopleErrors.apnsTokenInvalid(), "bo", ADD_APPLE, { token, appid });
  }
  const parameterMissing = errors.missingParameter("appid");
  await expectRefused(parameterMissing, "bo", ADD_APPLE, { token: "abcd" });
});

test("removes the oldest token at the limit", async () => {
  for (let n = 0; n <= PUSH_TOKENS_PER_USER_MAX; n++) {
    testServer.clock.passSeconds(1);
    await testServer.request("ada", ADD, { token: `token ${n}` });
  }
  const tokens = tokensOf("ada");
  expect(tokens).toHaveLength(PUSH_TOKENS_PER_USER_MAX);
  expect(tokens).not.toContain("token 0");
});

test("removes devices with the key that registered them", async () => {
  const registration = await register("cy");
  const lostDevice = { ...deviceOf("cy", registration), device_id: 9001, key_id: 777_777 };
  await testServer.realm.write((tx) => {
    const key = tx.api_keys.listBy("user", testServer.idOf("cy"))[0]!;
    tx.api_keys.put({ ...key, key_id: 777_777, hash: "of nothing" });
    tx.devices.put(lostDevice);
  });
  await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", "DELETE /users/me/api_keys/777777"),
  );
  expect(Object.keys((await testServer.request("cy", "POST /register")).devices)).toEqual([
    String(registration),
  ]);
  await testServer.request("cy", "POST /remove_client_device", { device_id: registration });
});

test("forgets the phones of all API keys when one is regenerated, and keeps others", async () => {
  const registration = await register("cy");
  const cy = testServer.realm.read.users.get(testServer.idOf("cy"))!;
  const key = await testServer.realm.write((tx) => {
    // The test user's own API key is kept, so that its client receives the events.
    const own = tx.api_keys.listBy("user", cy.user_id)[0]!;
    tx.api_keys.put({ ...own, is_app_password: true });
    return newApiKey(tx, cy, "SkeinTest");
  });
  const post = async (path: string, params: Record<string, string> = {}) => {
    const headers = { Authorization: `Basic ${btoa(`${emailOf("cy")}:${key}`)}` };
    const body = new URLSearchParams(params);
    const response = await fetch(`${testServer.url}/api/v1${path}`, {
      method: "POST",
      headers,
      body,
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { device_id: number };
  };
  const { device_id } = await post("/register_client_device");
  await post(ADD.replace("POST ", ""), { token: "of cy" });
  const { events } = await staysInSync(testServer, ["cy"], () =>
    post("/users/me/api_key/regenerate"),
  );
  expect(events.cy).toMatchObject([{ type: "device", op: "remove", device_id }]);
  expect(tokensOf("cy")).toEqual([]);
  await testServer.request("cy", "POST /remove_client_device", { device_id: registration });
});

test("rejects encrypted push registrations if no push service is configured", async () => {
  const device_id = await register("bo");
  const line = "POST /mobile_push/register";
  const bytes = new Uint8Array(33).fill(0x31);
  const key = { push_key_id: 5, push_key: Buffer.from(bytes).toString("base64") };
  const token = {
    token_kind: "fcm",
    token_id: Buffer.from(bytes.slice(0, 8)).toString("base64"),
    bouncer_public_key: "x",
    encrypted_push_registration: "x",
  };
  const cases: [Params, errors.Refusal][] = [
    [{}, peopleErrors.pushTokenIncomplete()],
    [{ push_key_id: 5 }, peopleErrors.pushKeyIncomplete()],
    [{ push_key: "x" }, peopleErrors.pushKeyIncomplete()],
    [{ ...key, push_key_id: -1 }, peopleErrors.pushKeyInvalid()],
    [{ ...key, push_key_id: 2 ** 32 }, peopleErrors.pushKeyInvalid()],
    [{ ...key, push_key: "MTEx" }, peopleErrors.pushKeyInvalid()],
    [{ ...token, token_id: undefined }, peopleErrors.pushTokenIncomplete()],
    [{ ...token, token_kind: "pigeon" }, peopleErrors.pushTokenIncomplete()],
    [{ ...token, token_id: "MTEx" }, peopleErrors.pushTokenIdInvalid()],
    [token, peopleErrors.pushServiceNotConfigured()],
    [{ ...key, ...token }, peopleErrors.pushServiceNotConfigured()],
  ];
  expect(peopleErrors.pushServiceNotConfigured().errCode).toBe("PUSH_SERVICE_NOT_CONFIGURED");
  for (const [params, refusal] of cases) {
    await expectRefused(refusal, "bo", line, { device_id, ...params });
  }
  await expectRefused(peopleErrors.deviceNotFound(), "cy", line, { device_id, ...key });
});
