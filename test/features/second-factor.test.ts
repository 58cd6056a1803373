// Codes of authenticator apps and recovery codes, which a password alone does not replace.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { adminCommands } from "../../src/commands/admin/admin-commands.ts";
import {
  codeWrong,
  ownPasswordWrong,
  secondFactorNeeded,
  signInExpired,
} from "../../src/contract/errors/people.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { CONFIRM_SECONDS } from "../../src/features/two-factor/totp.ts";
import { RECOVERY_CODES } from "../../src/features/two-factor/recovery.ts";
import { Browser, FORM_OUTDATED, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const CODE = "/accounts/login/second-factor/";
const PERIOD_SECONDS = 30;
const typed = { username: "bo@example.com", password: PASSWORD };

let testServer: TestServer;
let browser: Browser;
let hash: string;
beforeEach(async () => {
  hash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  testServer = await startTestServer({ rate_limits: true });
  // A period starts now, so that none ends during a test.
  testServer.clock.passSeconds(PERIOD_SECONDS - ((testServer.clock.now() / 1000) % PERIOD_SECONDS));
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const)
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
  browser = new Browser(testServer);
  await browser.signIn("bo");
  await browser.open("/account/");
});
afterEach(() => testServer?.close());

const codeOf = (secret: string, periods = 0) => {
  const timestamp = testServer.clock.now() + periods * PERIOD_SECONDS * 1000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
};

/** Bo's secret, and the recovery codes that came with it. */
async function setUp() {
  const { text } = await browser.submit("/account/app/", { password: PASSWORD });
  const secret = /<pre>([A-Z2-7]{32})<\/pre>/.exec(text)![1]!;
  const uri = /otpauth:\/\/totp\/[^"]*/.exec(text)![0];
  const done = await browser.submit("/account/app/confirm/", { code: codeOf(secret) });
  const codes = done.text.match(/[a-z2-7]{4}(-[a-z2-7]{4}){3}/g)!;
  testServer.clock.passSeconds(PERIOD_SECONDS);
  return { secret, codes, uri };
}

const signIn = async (code: string, browser = new Browser(testServer)) => {
  const page = await browser.signIn("bo");
  expect(page).toMatchObject({ status: 200, location: null });
  expect(browser.cookies.has("sessionid")).toBe(false);
  return browser.submit(CODE, { code });
};

test("requires a code after the password if an app is set up", async () => {
  const { secret, uri, codes } = await setUp();
  expect(decodeURIComponent(uri)).toContain("Town:bo@example.com");
  expect(codes).toHaveLength(RECOVERY_CODES);
  const half = new Browser(testServer);
  const { text } = await half.signIn("bo");
  expect(text).toContain("ask an administrator to turn off two-factor authentication");
  expect((await half.open("/account/")).status).toBe(302);
  expect((await half.fetch("GET /users/me")).status).toBe(401);
  expect((await signIn(codeOf(secret))).location).toBe("/");
  expect((await new Browser(testServer).signIn("cy")).location).toBe("/");
});

test("rejects the password for apps, and accepts an app password", async () => {
  await setUp();
  const refusal = await testServer.refused(null, "POST /fetch_api_key", typed);
  const { status, message: msg, errCode: code } = secondFactorNeeded();
  expect(refusal).toMatchObject({ status, msg, code });
  const wrong = await testServer.refused(null, "POST /fetch_api_key", {
    ...typed,
    password: "wrong",
  });
  expect(wrong.msg).not.toBe(msg);
  await browser.open("/account/");
  const input = { name: "Phone", password: PASSWORD };
  const { text } = await browser.submit("/account/keys/", input);
  const key = /<pre>(\w{32})<\/pre>/.exec(text)![1]!;
  const signedIn = await testServer.request(null, "POST /fetch_api_key", {
    ...typed,
    password: key,
  });
  expect(signedIn.api_key).toBe(key);
});

test("accepts a code once, and no older one afterwards", async () => {
  const { secret } = await setUp();
  const code = codeOf(secret);
  const older = codeOf(secret, -1);
  expect((await signIn(code)).location).toBe("/");
  for (const used of [code, older]) {
    const page = await signIn(used);
    expect(page).toMatchObject({ status: 401, refusal: codeWrong().message });
  }
  testServer.clock.passSeconds(PERIOD_SECONDS);
  expect((await signIn(` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`)).location).toBe(
    "/",
  );
});

test("does not accept the set-up code for a sign-in", async () => {
  const { secret } = await setUp();
  expect((await signIn(codeOf(secret, -1))).refusal).toBe(codeWrong().message);
});

test("accepts a code once for two attempts at the same time", async () => {
  const { secret } = await setUp();
  const code = codeOf(secret);
  const pages = await Promise.all([signIn(code), signIn(code)]);
  expect(pages.filter(({ location }) => location !== null)).toHaveLength(1);
});

test("blocks guessing of codes after five attempts, even with the password", async () => {
  const { secret } = await setUp();
  const right = codeOf(secret);
  const wrong = right === "000000" ? "000001" : "000000";
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  for (let index = 0; index < 3; index++)
    expect((await browser.submit(CODE, { code: wrong })).status).toBe(401);
  for (let index = 0; index < 2; index++) expect((await signIn(wrong)).status).toBe(401);
  expect((await signIn(right)).status).toBe(429);
  expect((await browser.submit(CODE, { code: right })).refusal).toStartWith(
    "Too many failed attempts",
  );
  testServer.clock.passSeconds(1801);
  expect((await signIn(codeOf(secret))).location).toBe("/");
});

test("accepts a recovery code once, in any spelling", async () => {
  const { codes } = await setUp();
  expect((await signIn(codes[0]!.toUpperCase().replaceAll("-", " "))).location).toBe("/");
  expect((await signIn(codes[0]!)).refusal).toBe(codeWrong().message);
  expect((await browser.open("/account/")).text).toContain(`${RECOVERY_CODES - 1} recovery codes`);
  await browser.submit("/account/recovery/", { password: PASSWORD });
  expect((await signIn(codes[1]!)).refusal).toBe(codeWrong().message);
  const storedJson = JSON.stringify([...testServer.realm.read.recovery_codes.range()]);
  for (const code of codes) expect(storedJson).not.toContain(code.replaceAll("-", ""));
});

test("encrypts the secret for its account", async () => {
  const { secret } = await setUp();
  const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
  const row = testServer.realm.read.totps.get(bo)!;
  expect(JSON.stringify(row)).not.toContain(secret);
  await testServer.realm.write((tx) => tx.totps.put({ ...row, user_id: cy }));
  const otherBrowser = new Browser(testServer);
  await otherBrowser.signIn("cy");
  expect((await otherBrowser.submit(CODE, { code: codeOf(secret) })).refusal).toBe(
    codeWrong().message,
  );
});

test("expires the first step after ten minutes, and binds it to the password", async () => {
  const { secret } = await setUp();
  const slow = new Browser(testServer);
  await slow.signIn("bo");
  testServer.clock.passSeconds(601);
  const late = await slow.submit(CODE, { code: codeOf(secret) });
  expect(late.refusal).toBe(signInExpired().message);
  const overtaken = new Browser(testServer);
  await overtaken.signIn("bo");
  const other = await hashPassword("another horse battery");
  await testServer.realm.write((tx) => setPassword(tx, testServer.idOf("bo"), other));
  const page = await overtaken.submit(CODE, { code: codeOf(secret) });
  expect(page).toMatchObject({ status: 401, location: null });
});

test("accepts the second step only in the browser of the first", async () => {
  const { secret } = await setUp();
  const half = new Browser(testServer);
  await half.signIn("bo");
  const ticket = /name="ticket" value="([^"]+)"/.exec(half.page!.text)![1]!;
  const body = new URLSearchParams({ ticket, code: codeOf(secret) });
  const page = await new Browser(testServer).send("POST", CODE, body);
  expect(page).toMatchObject({ status: 403, refusal: FORM_OUTDATED });
});

test("does not ask for an unconfirmed app", async () => {
  await browser.submit("/account/app/", { password: PASSWORD });
  const wrong = await browser.submit("/account/app/confirm/", { code: "12345" });
  expect(wrong.refusal).toBe(codeWrong().message);
  expect((await new Browser(testServer).signIn("bo")).location).toBe("/");
});

test("ignores an unconfirmed secret, and does not confirm it late", async () => {
  const { text } = await browser.submit("/account/app/", { password: PASSWORD });
  const secret = /<pre>([A-Z2-7]{32})<\/pre>/.exec(text)![1]!;
  const late = browser.page!;
  // A code is only required if a second factor exists.
  await testServer.realm.write((tx) => {
    const [user_id, now] = [testServer.idOf("bo"), tx.now];
    const key = { credential_id: "x", public_key: "x", counter: 0, transports: [], name: "Key" };
    const times = { created: now, last_used: now };
    tx.passkeys.put({ hash: "x", passkey_id: tx.next("passkeys"), user_id, ...key, ...times });
  });
  expect((await signIn(codeOf(secret))).refusal).toBe(codeWrong().message);
  expect(testServer.realm.read.totps.get(testServer.idOf("bo"))!.confirmed).toBeNull();
  testServer.clock.passSeconds(CONFIRM_SECONDS + 1);
  browser.page = late;
  const confirmed = await browser.submit("/account/app/confirm/", { code: codeOf(secret) });
  expect(confirmed.refusal).toBe(codeWrong().message);
});

test("requires the password to set up and remove an app", async () => {
  const wrong = { password: "wrong" };
  const refusal = ownPasswordWrong().message;
  expect((await browser.submit("/account/app/", wrong)).refusal).toBe(refusal);
  await browser.open("/account/");
  await setUp();
  await browser.open("/account/");
  expect((await browser.submit("/account/app/remove/", wrong)).refusal).toBe(refusal);
  expect((await browser.submit("/account/recovery/", wrong)).refusal).toBe(refusal);
  const done = await browser.submit("/account/app/remove/", { password: PASSWORD });
  expect(done.location).toBe("/account/");
  expect(testServer.realm.read.recovery_codes.count()).toBe(0);
  expect((await new Browser(testServer).signIn("bo")).location).toBe("/");
});

test("lets the operator help a user who has lost everything", async () => {
  await setUp();
  expect(
    await adminCommands.disableTwoFactor(testServer.realm, { email: "BO@example.com" }),
  ).toMatchObject({
    email: "bo@example.com",
  });
  expect((await new Browser(testServer).signIn("bo")).location).toBe("/");
  expect(testServer.realm.read.recovery_codes.count()).toBe(0);
});
