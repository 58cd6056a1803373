// Whoever gets hold of a copy of the data directory finds no secret in it that anybody was given.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { signerOf } from "../../src/features/push/keys.ts";
import { sealedKey } from "../../src/features/secrets/sealed.ts";
import { issueTicket } from "../../src/features/secrets/tickets.ts";
import { hashOfToken } from "../../src/server/asker/session.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { openTown, type Town } from "../town.ts";
import { upload } from "./uploading.ts";

let town: Town;
beforeEach(async () => {
  town = await openTown();
  const hash = await hashPassword(PASSWORD);
  await town.realm.write((tx) => {
    for (const name of ["bo", "olga"] as const) setPassword(tx, town.idOf(name), hash);
  });
});
afterEach(() => town?.close());

const partOf = (text: string, pattern: RegExp) => pattern.exec(text)![1]!;

/** By kind, each as whoever holds it was given it. */
async function secretsIssued(): Promise<Record<string, string>> {
  const username = "bo@example.com";
  const { api_key } = await town.ask(null, "POST /fetch_api_key", { username, password: PASSWORD });
  const bot = await town.ask("bo", "POST /bots", { full_name: "Robot", short_name: "robot" });
  const again = await town.ask("bo", `POST /bots/${bot.user_id}/api_key/regenerate`);
  const invitees = { invitee_emails: "nia@example.com", stream_ids: [] };
  const { invite_links } = await town.ask("olga", "POST /invites", invitees);
  const { invite_link } = await town.ask("olga", "POST /invites/multiuse");
  const change = { email: "ola@example.com", old_password: PASSWORD };
  const { confirm_link } = await town.ask("olga", "PATCH /settings", change);
  const file = await upload(town, "bo", { name: "x.txt", bytes: "x" });
  const { url } = await town.ask("bo", `GET ${file}`);
  const reset = sealedKey(town.realm);
  const ticket = await town.realm.write((tx) => {
    openReset(tx, tx.users.get(town.idOf("bo"))!, reset);
    return issueTicket(tx, "set up", {});
  });
  const inPath = /\/([^/]+)\/$/;
  return {
    "a password": PASSWORD,
    "a key": api_key,
    "a bot's key": bot.api_key,
    "a bot's new key": again.api_key,
    "an invitation": partOf(invite_links[0].invite_link, inPath),
    "an invitation for many": partOf(invite_link, inPath),
    "a new address": partOf(confirm_link, inPath),
    "a new password": reset.key,
    "a one-time link": ticket,
    "a link to a file": partOf(url, /temporary\/([^/]+)\//),
    "the private key for push": (await signerOf(town.realm)).private_key,
    ...(await inBrowser()),
  };
}

async function inBrowser(): Promise<Record<string, string>> {
  const browser = new Browser(town);
  await browser.signIn("bo");
  await browser.open("/account/");
  const { text } = await browser.submit("/account/app/", { password: PASSWORD });
  const secret = partOf(text, /<pre>([A-Z2-7]{32})<\/pre>/);
  const timestamp = town.clock.now();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  const done = await browser.submit("/account/app/confirm/", { code });
  const half = new Browser(town);
  const asked = await half.signIn("bo");
  return {
    "a session": browser.cookies.get("sessionid")!,
    "the token for forms": browser.csrf,
    "the secret of an app": secret,
    "a recovery code": partOf(done.text, /([a-z2-7]{4}(?:-[a-z2-7]{4}){3})/),
    "half of a sign-in": partOf(asked.text, /name="ticket" value="([^"]+)"/),
  };
}

/** A secret may lie there in other letters, or as the bytes that the letters stand for. */
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

test("no secret that was given out lies in the data directory", async () => {
  const secrets = await secretsIssued();
  await town.quiet();
  const found: string[] = [];
  const files = filesIn(town.directory);
  for (const [kind, secret] of Object.entries(secrets)) {
    expect([kind, secret.length > 15]).toEqual([kind, true]);
    for (const { path, bytes } of files) {
      if (formsOf(secret).some((form) => bytes.includes(form))) found.push(`${kind} in ${path}`);
    }
  }
  expect(found).toEqual([]);
  // What is kept of them can be seen there, so the search sees what there is.
  const kept = [hashOfToken(secrets["a session"]!), hashOfToken(secrets["a key"]!), "argon2id"];
  for (const text of kept) expect(files.some(({ bytes }) => bytes.includes(text))).toBe(true);
});

test("one-time links end with their first use, and with their time", async () => {
  const { invite_links } = await town.ask("olga", "POST /invites", {
    ...{ invitee_emails: "ned@example.com", stream_ids: [] },
  });
  const { pathname } = new URL(invite_links[0].invite_link);
  const reset = sealedKey(town.realm);
  await town.realm.write((tx) => openReset(tx, tx.users.get(town.idOf("cy"))!, reset));
  const setting = `/accounts/password/reset/${reset.key}/`;
  const browser = new Browser(town);
  const visits = async () => [
    (await browser.open(pathname)).status,
    (await browser.open(setting)).status,
  ];
  expect(await visits()).toEqual([200, 200]);
  await browser.submit(setting, { password: "wrong battery horse" });
  await browser.open(pathname);
  await browser.submit(pathname, { full_name: "Ned New", password: "wrong battery horse" });
  expect(await visits()).toEqual([410, 410]);
  const other = sealedKey(town.realm);
  await town.realm.write((tx) => openReset(tx, tx.users.get(town.idOf("cy"))!, other));
  town.clock.pass(86_401);
  expect((await browser.open(`/accounts/password/reset/${other.key}/`)).status).toBe(410);
});
