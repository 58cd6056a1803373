// A copy of the data directory contains no usable secret.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { signerOf } from "../../src/features/push/keys.ts";
import { encryptedKey } from "../../src/features/secrets/encrypted.ts";
import { issueTicket } from "../../src/features/secrets/one-time-links.ts";
import { hashOfSecret } from "../../src/server/caller/secrets.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { upload } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "olga"] as const) setPassword(tx, testServer.idOf(name), hash);
  });
});
afterEach(() => testServer?.close());

const partOf = (text: string, pattern: RegExp) => pattern.exec(text)![1]!;

/** Secrets by kind, each as its owner received it. */
async function secretsIssued(): Promise<Record<string, string>> {
  const username = "bo@example.com";
  const { api_key } = await testServer.request(null, "POST /fetch_api_key", {
    username,
    password: PASSWORD,
  });
  const bot = await testServer.request("bo", "POST /bots", {
    full_name: "Robot",
    short_name: "robot",
  });
  const secondResponse = await testServer.request(
    "bo",
    `POST /bots/${bot.user_id}/api_key/regenerate`,
  );
  const invitees = { invitee_emails: "nia@example.com", stream_ids: [] };
  const { invite_links } = await testServer.request("olga", "POST /invites", invitees);
  const { invite_link } = await testServer.request("olga", "POST /invites/multiuse");
  const change = { email: "ola@example.com", old_password: PASSWORD };
  const { confirm_link } = await testServer.request("olga", "PATCH /settings", change);
  const file = await upload(testServer, "bo", { name: "x.txt", bytes: "x" });
  const { url } = await testServer.request("bo", `GET ${file}`);
  const reset = encryptedKey(testServer.realm);
  const ticket = await testServer.realm.write((tx) => {
    openReset(tx, tx.users.get(testServer.idOf("bo"))!, reset);
    return issueTicket(tx, "set up", {});
  });
  const inPath = /\/([^/]+)\/$/;
  return {
    "a password": PASSWORD,
    "a key": api_key,
    "a bot's key": bot.api_key,
    "a bot's new key": secondResponse.api_key,
    "an invitation": partOf(invite_links[0].invite_link, inPath),
    "an invitation for many": partOf(invite_link, inPath),
    "a new address": partOf(confirm_link, inPath),
    "a new password": reset.key,
    "a one-time link": ticket,
    "a link to a file": partOf(url, /temporary\/([^/]+)\//),
    "the private key for push": (await signerOf(testServer.realm)).private_key,
    ...(await inBrowser()),
  };
}

async function inBrowser(): Promise<Record<string, string>> {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  await browser.open("/account/");
  const { text } = await browser.submit("/account/app/", { password: PASSWORD });
  const secret = partOf(text, /<pre>([A-Z2-7]{32})<\/pre>/);
  const timestamp = testServer.clock.now();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  const done = await browser.submit("/account/app/confirm/", { code });
  const half = new Browser(testServer);
  const page = await half.signIn("bo");
  return {
    "a session": browser.cookies.get("sessionid")!,
    "the token for forms": browser.csrf,
    "the secret of an app": secret,
    "a recovery code": partOf(done.text, /([a-z2-7]{4}(?:-[a-z2-7]{4}){3})/),
    "half of a sign-in": partOf(page.text, /name="ticket" value="([^"]+)"/),
  };
}

/** A secret may be stored in another encoding, or as decoded bytes. */
function formsOf(secret: string): Buffer[] {
  const hex = Buffer.from(secret).toString("hex");
  const base64 = Buffer.from(secret).toString("base64").replace(/=*$/, "");
  const texts = [secret, secret.toLowerCase(), secret.replaceAll("-", ""), hex, base64];
  const bytes = [Buffer.from(secret, "base64url"), Buffer.from(secret, "base64")];
  if (/^[A-Z2-7]{32}$/.test(secret)) bytes.push(Buffer.from(Secret.fromBase32(secret).bytes));
  return [...texts.map((text) => Buffer.from(text)), ...bytes];
}

function filesIn(directory: string): { path: string; bytes: Buffer }[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [{ path, bytes: readFileSync(path) }] : [];
  });
}

test("contains no issued secret in the data directory", async () => {
  const secrets = await secretsIssued();
  await testServer.untilIdle();
  const found: string[] = [];
  const files = filesIn(testServer.directory);
  for (const [kind, secret] of Object.entries(secrets)) {
    expect([kind, secret.length > 15]).toEqual([kind, true]);
    for (const { path, bytes } of files) {
      if (formsOf(secret).some((form) => bytes.includes(form))) found.push(`${kind} in ${path}`);
    }
  }
  expect(found).toEqual([]);
  // Stored hashes are found, so the search does cover the data.
  const stored = [hashOfSecret(secrets["a session"]!), hashOfSecret(secrets["a key"]!), "argon2id"];
  for (const text of stored) expect(files.some(({ bytes }) => bytes.includes(text))).toBe(true);
});

test("expires one-time links at their first use and after their time", async () => {
  const { invite_links } = await testServer.request("olga", "POST /invites", {
    ...{ invitee_emails: "ned@example.com", stream_ids: [] },
  });
  const { pathname } = new URL(invite_links[0].invite_link);
  const reset = encryptedKey(testServer.realm);
  await testServer.realm.write((tx) => openReset(tx, tx.users.get(testServer.idOf("cy"))!, reset));
  const setting = `/accounts/password/reset/${reset.key}/`;
  const browser = new Browser(testServer);
  const visitStatuses = async () => [
    (await browser.open(pathname)).status,
    (await browser.open(setting)).status,
  ];
  expect(await visitStatuses()).toEqual([200, 200]);
  await browser.submit(setting, { password: "wrong battery horse" });
  await browser.open(pathname);
  await browser.submit(pathname, { full_name: "Ned New", password: "wrong battery horse" });
  expect(await visitStatuses()).toEqual([410, 410]);
  const other = encryptedKey(testServer.realm);
  await testServer.realm.write((tx) => openReset(tx, tx.users.get(testServer.idOf("cy"))!, other));
  testServer.clock.passSeconds(86_401);
  expect((await browser.open(`/accounts/password/reset/${other.key}/`)).status).toBe(410);
});
