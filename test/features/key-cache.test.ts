// Cached API keys are looked up again after every change.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  accountDeactivated,
  keyInvalid,
  mustBeAdministrator,
  type Refusal,
} from "../../src/contract/errors/general.ts";
import { realmDeactivated } from "../../src/contract/errors/realm.ts";
import { ADMINISTRATOR, MEMBER } from "../../src/contract/roles.ts";
import type { User } from "../../src/schema/records.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => void (testServer = await startTestServer()));
afterEach(() => testServer.close());

const ME = "GET /users/me";
const ADMINISTRATORS_ALONE = "POST /default_streams";
const change = (changes: Partial<User>) =>
  testServer.realm.write((tx) =>
    tx.users.put({ ...tx.users.get(testServer.idOf("bo"))!, ...changes }),
  );
const isNotified = async (line: string, { status, message: msg }: Refusal) =>
  expect(await testServer.refused("bo", line)).toMatchObject({ status, msg });

test("rejects the next request of an account that was deactivated", async () => {
  await testServer.request("bo", ME);
  await change({ is_active: false });
  await isNotified(ME, accountDeactivated());
  await change({ is_active: true });
  await testServer.request("bo", ME);
});

test("checks the current role at a gate", async () => {
  await isNotified(ADMINISTRATORS_ALONE, mustBeAdministrator());
  await change({ role: ADMINISTRATOR });
  expect((await testServer.refused("bo", ADMINISTRATORS_ALONE)).msg).toStartWith("Missing");
  await change({ role: MEMBER });
  await isNotified(ADMINISTRATORS_ALONE, mustBeAdministrator());
});

test("rejects everyone in a deactivated organization", async () => {
  await testServer.request("bo", ME);
  const closing = { realm_id: 1, user_id: testServer.idOf("bo"), timestamp: 0 };
  await testServer.realm.write((tx) => tx.deactivations.put(closing));
  await isNotified(ME, realmDeactivated());
  await testServer.realm.write((tx) => tx.deactivations.delete(1));
  await testServer.request("bo", ME);
});

test("rejects a deleted key", async () => {
  await testServer.request("bo", ME);
  const [key] = testServer.realm.read.api_keys.listBy("user", testServer.idOf("bo"));
  await testServer.realm.write((tx) => tx.api_keys.delete(key!.key_id));
  await isNotified(ME, keyInvalid());
});
