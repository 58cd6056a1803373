// Signing in by a one-time link on the server's own machine.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { signInLinkGone } from "../../src/contract/errors/people.ts";
import { signInLink } from "../../src/features/sign-in/link.ts";
import { Browser } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let path: string;

beforeEach(async () => {
  testServer = await startTestServer();
  const bo = testServer.realm.read.users.get(testServer.idOf("bo"))!;
  const link = await testServer.realm.write((tx) => signInLink(tx, bo));
  path = new URL(link).pathname;
});
afterEach(() => testServer?.close());

const refusal = { status: 410, refusal: signInLinkGone().message, location: null };

test("signs in its user once", async () => {
  const browser = new Browser(testServer);
  expect(await browser.open(path)).toMatchObject({ status: 302, location: "/" });
  expect(await browser.request("GET /users/me")).toMatchObject({ user_id: testServer.idOf("bo") });
  expect(await new Browser(testServer).open(path)).toMatchObject(refusal);
  expect((await testServer.send(null, "GET //accounts/login/link/no-such/")).status).toBe(410);
});

test("does not work from another machine, and stays valid", async () => {
  const farBrowser = new Browser(testServer, { "X-Forwarded-For": "198.51.100.7" });
  expect(await farBrowser.open(path)).toMatchObject(refusal);
  expect(farBrowser.cookies.has("sessionid")).toBe(false);
  expect((await new Browser(testServer).open(path)).location).toBe("/");
});

test("is not used up when another page loads it", async () => {
  const loaded = { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" };
  expect((await new Browser(testServer).send("GET", path, undefined, loaded)).status).toBe(403);
  expect((await new Browser(testServer).open(path)).location).toBe("/");
});
