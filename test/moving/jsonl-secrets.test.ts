// Passwords, keys and second factors of an exported organization work after its import.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { appSecretContext } from "../../src/features/two-factor/totp.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { emailOf } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { moveThroughJsonl } from "./random-organization.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer({ url: "https://chat.example" });
});

afterAll(() => testServer.close());

const PASSWORD = "a lantern by the river 7";
const APP_SECRET = "JBSWY3DPEHPK3PXP";

test("moves passwords, keys and secrets, in files that only the owner can read", async () => {
  const user_id = testServer.idOf("bo");
  const hash = await hashPassword(PASSWORD);
  const sealed = testServer.realm.read.secret.seal(APP_SECRET, appSecretContext(user_id));
  await testServer.realm.write((tx) => {
    tx.passwords.put({ user_id: testServer.idOf("cy"), hash });
    tx.totps.put({ user_id, sealed, created: tx.now, confirmed: tx.now, last_period: 0 });
  });
  const expected = { full_name: "Helper", short_name: "helper", bot_type: 1 };
  const { api_key } = await testServer.request("cy", "POST /bots", expected);
  await moveThroughJsonl(testServer);

  const { secret, totps } = testServer.realm.read;
  const movedTotp = totps.get(user_id)!.sealed;
  expect(movedTotp).not.toBe(sealed);
  expect(secret.open(movedTotp, appSecretContext(user_id))).toBe(APP_SECRET);
  const { bots } = await testServer.request("cy", "GET /bots");
  expect(bots.map((bot: { api_key: string }) => bot.api_key)).toContain(api_key);
  const input = { username: emailOf("cy"), password: PASSWORD };
  expect(await testServer.request(null, "POST /fetch_api_key", input)).toMatchObject({
    email: emailOf("cy"),
  });
  const wrong = { ...input, password: "another" };
  expect(await testServer.refused(null, "POST /fetch_api_key", wrong)).toMatchObject({
    status: 401,
  });

  // Only the owner of the process can read the export.
  const folder = join(testServer.directory, "moved");
  expect(statSync(folder).mode & 0o077).toBe(0);
  for (const name of ["passwords.jsonl", "api_keys.jsonl", "format.json"]) {
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  }
});
