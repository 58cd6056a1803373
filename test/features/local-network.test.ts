// Addresses for invitations, where the public URL opens only on the server's computer.
import { afterAll, expect, test } from "bun:test";
import { Browser, PASSWORD } from "../browser.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { startTestServer } from "../test-server.ts";

const URLS = ["http://192.0.2.7:9400"];
const testServer = await startTestServer({
  local_network: { urls: URLS, is_listening: true },
});
afterAll(() => testServer.close());

test("names the local addresses in a browser while the public URL is a loopback one", async () => {
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  // API keys are for programs, which do not invite.
  expect((await testServer.send("bo", "GET //json/invites/local-network/")).status).toBe(401);
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  await browser.open("/");
  const request = () => browser.request("GET /invites/local-network/");
  expect(await request()).toMatchObject({ urls: URLS, is_listening: true });
  const { config } = testServer.realm;
  const { url } = config;
  config.url = "http://chat.example.org";
  try {
    expect(await request()).toMatchObject({ urls: [] });
  } finally {
    config.url = url;
  }
});
