// The key that decrypts unsent texts in the browser is given only to their account.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createECDH } from "node:crypto";
import { unsentKeyInvalid } from "../../src/contract/errors/people.ts";
import { endSessionsOf } from "../../src/features/sessions/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { seal, unseal } from "../../src/web/sync/unsent/seal.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const)
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
});
afterAll(() => testServer?.close());

async function browserOf(name: "bo" | "cy"): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.signIn(name);
  return browser;
}
const GET_KEY = "GET //json/account/unsent/";
const OPEN = "POST //json/account/unsent/";
const apiLine = (line: string) => line.replace("//json", "");

test("rejects API keys and callers who are not signed in", async () => {
  const public_key = createECDH("prime256v1").generateKeys("base64url");
  for (const line of [GET_KEY, OPEN]) {
    expect((await testServer.send("bo", line, { public_key })).status).toBe(401);
    expect((await testServer.send(null, line, { public_key })).status).toBe(401);
  }
});

test("decrypts a text in a later session of the account", async () => {
  const browser = await browserOf("bo");
  const { public_key } = await browser.request(apiLine(GET_KEY));
  const sealed = await seal("not sent yet", public_key);
  await testServer.realm.write((tx) => endSessionsOf(tx, testServer.idOf("bo")));
  expect((await browser.refused(apiLine(OPEN), { public_key: sealed.public_key })).status).toBe(
    401,
  );
  const later = await browserOf("bo");
  const { key } = await later.request(apiLine(OPEN), { public_key: sealed.public_key });
  expect(await unseal(sealed, key)).toBe("not sent yet");
});

test("returns a key to another account that decrypts nothing", async () => {
  const [bo, cy] = [await browserOf("bo"), await browserOf("cy")];
  const { public_key } = await bo.request(apiLine(GET_KEY));
  const sealed = await seal("for bo alone", public_key);
  const { key } = await cy.request(apiLine(OPEN), { public_key: sealed.public_key });
  await expect(unseal(sealed, key)).rejects.toThrow();
  expect((await cy.request(apiLine(GET_KEY))).public_key).not.toBe(public_key);
});

test("rejects a point that is not on the curve", async () => {
  const browser = await browserOf("bo");
  const bytes = Buffer.alloc(65, 7);
  bytes[0] = 4;
  for (const public_key of ["x", "%%%", bytes.toString("base64url")]) {
    const { status, msg } = await browser.refused(apiLine(OPEN), { public_key });
    expect([status, msg]).toEqual([400, unsentKeyInvalid().message]);
  }
});

test("tells the browser to clear its cache at sign-out, and nothing else", async () => {
  const browser = await browserOf("cy");
  await browser.open("/accounts/logout/");
  const response = await browser.submit("/accounts/logout/");
  expect(response.headers.get("clear-site-data")).toBe('"cache"');
});
