// Security events in the log, which never contain secrets.
import { afterEach, beforeAll, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import {
  codeWrong,
  ownPasswordWrong,
  proxyUserUnknown,
  signInFailed,
} from "../../src/contract/errors/people.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { encryptedKey } from "../../src/features/secrets/encrypted.ts";
import { logSecurityEvent, NOTES_MAX } from "../../src/features/security-log/log.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
let hash: string;
let stderrWrite: Mock<typeof process.stderr.write>;
const FAR_HEADERS = { "X-Forwarded-For": "203.0.113.9" };
const address = FAR_HEADERS["X-Forwarded-For"];
const WRONG_PASSWORD = "a wrong horse battery";
const trusted_proxy = { ranges: rangesOf(["127.0.0.0/8", "::1"]), header: "Remote-Email" };
const OPTIONS = { log: "json", rate_limits: true, trusted_proxy } as const;

beforeAll(async () => {
  hash = await hashPassword(PASSWORD);
});
beforeEach(() => start());
afterEach(async () => {
  stderrWrite.mockRestore();
  await testServer.close();
});

async function start(extra = {}) {
  stderrWrite = spyOn(process.stderr, "write").mockImplementation(() => true);
  testServer = await startTestServer({ ...OPTIONS, ...extra });
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "olga"] as const) setPassword(tx, testServer.idOf(name), hash);
  });
}

const text = () => stderrWrite.mock.calls.map(([line]) => String(line)).join("");
const warnings = (): Json[] =>
  text()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json)
    .filter(({ level }) => level === "warn");

async function tryKey(username: string, password: string) {
  const body = new URLSearchParams({ username, password });
  return fetch(`${testServer.url}/api/v1/fetch_api_key`, {
    method: "POST",
    headers: FAR_HEADERS,
    body,
  });
}

test("logs failed and blocked sign-ins with account, address and reason", async () => {
  for (let index = 0; index < 6; index++) await tryKey("Bo@example.com", WRONG_PASSWORD);
  const user_id = testServer.idOf("bo");
  const failed = { message: "a sign-in failed", user_id, address, reason: signInFailed().message };
  const closed = { message: "a sign-in was shut out", user_id, address };
  expect(warnings()).toHaveLength(6);
  expect(warnings()[0]).toMatchObject(failed);
  expect(warnings()[5]).toMatchObject(closed);
  await tryKey("bo@example.com", PASSWORD);
  await new Browser(testServer, FAR_HEADERS).send("GET", "/accounts/login/sso/");
  const [last] = warnings().slice(-1);
  const method = "RemoteUser";
  expect(last).toMatchObject({ address, method, reason: proxyUserUnknown().message });
});

test("logs nothing that was entered, since passwords end up in wrong fields", async () => {
  await tryKey(PASSWORD, "x");
  await tryKey(`${PASSWORD}@example.com`.replaceAll(" ", "."), WRONG_PASSWORD);
  const browser = new Browser(testServer, FAR_HEADERS);
  await browser.open("/login/");
  await browser.submit("/accounts/login/", {
    username: "olga@example.com",
    password: WRONG_PASSWORD,
  });
  expect(warnings().map(({ user_id }) => user_id)).toEqual([
    undefined,
    undefined,
    testServer.idOf("olga"),
  ]);
  for (const secret of ["horse", WRONG_PASSWORD, "battery"]) expect(text()).not.toContain(secret);
});

test("logs second factors and password confirmations", async () => {
  const browser = new Browser(testServer, FAR_HEADERS);
  await browser.signIn("bo");
  await browser.open("/account/");
  await browser.submit("/account/app/", { password: WRONG_PASSWORD });
  await browser.open("/account/");
  const page = await browser.submit("/account/app/", { password: PASSWORD });
  const secret = /<pre>([A-Z2-7]{32})<\/pre>/.exec(page.text)![1]!;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = totp.generate({ timestamp: testServer.clock.now() });
  await browser.submit("/account/app/confirm/", { code });
  const other = new Browser(testServer, FAR_HEADERS);
  await other.signIn("bo");
  const wrong = code === "000000" ? "000001" : "000000";
  await other.submit("/accounts/login/second-factor/", { code: wrong });
  await browser.open("/account/");
  await browser.submit("/account/app/remove/", { password: PASSWORD });
  const user_id = testServer.idOf("bo");
  const all = { user_id, address };
  const once = { message: "the password once more failed", reason: ownPasswordWrong().message };
  expect(warnings()).toEqual([
    expect.objectContaining({ ...all, ...once }),
    expect.objectContaining({ ...all, message: "a second factor was set up" }),
    expect.objectContaining({ message: "a second factor failed", reason: codeWrong().message }),
    expect.objectContaining({ ...all, message: "a second factor was taken away" }),
  ]);
  for (const stored of [secret, code, wrong]) expect(text()).not.toContain(`"${stored}"`);
});

test("logs a reset, but not its link", async () => {
  const user_id = testServer.idOf("olga");
  const created = encryptedKey(testServer.realm);
  await testServer.realm.write((tx) => openReset(tx, tx.users.get(user_id)!, created));
  const path = `/accounts/password/reset/${created.key}/`;
  const password = `${PASSWORD} two`;
  await new Browser(testServer, FAR_HEADERS).send("POST", path, new URLSearchParams({ password }));
  expect(warnings()).toMatchObject([{ message: "a password was reset", user_id, address }]);
  for (const secret of [created.key, password]) expect(text()).not.toContain(secret);
});

test("logs a rejected outgoing request with its host only", async () => {
  const path = "/hook?token=sesame";
  const payload_url = JSON.stringify(`http://10.0.0.1${path}`);
  const created = { full_name: "Caller", short_name: "caller", bot_type: 3, payload_url };
  const { user_id } = await testServer.request("bo", "POST /bots", created);
  const message = { type: "direct", to: [user_id], content: "hello" };
  await testServer.request("bo", "POST /messages", message);
  await until(() => warnings().length !== 0);
  expect(warnings()).toMatchObject([
    { message: "an outgoing call was refused", user_id, host: "10.0.0.1" },
  ]);
  expect(warnings()[0].reason).toContain("not public");
  expect(text()).not.toContain("sesame");
});

test("omits IP addresses if the operator wants it", async () => {
  await testServer.close();
  stderrWrite.mockRestore();
  await start({ log_addresses: false });
  await tryKey("bo@example.com", WRONG_PASSWORD);
  expect(warnings()).toMatchObject([{ user_id: testServer.idOf("bo") }]);
  expect(text()).not.toContain(address);
});

test("limits repeated log lines", () => {
  for (let index = 0; index < 3 * NOTES_MAX.calls; index++)
    logSecurityEvent(testServer.realm, "a sign-in failed", {});
  expect(warnings()).toHaveLength(NOTES_MAX.calls);
  expect(warnings().at(-1)).toMatchObject({ more_are_left_out: true });
  testServer.clock.passSeconds(NOTES_MAX.seconds);
  logSecurityEvent(testServer.realm, "a sign-in failed", {});
  expect(warnings()).toHaveLength(NOTES_MAX.calls + 1);
});
