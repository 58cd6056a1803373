// Guessing accounts or passwords: each failed attempt gets the same response at the same cost.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import {
  signInDeactivated,
  signInFailed,
  tooManySignIns,
} from "../../src/contract/errors/people.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { startAttempt, SIGN_IN_BY_NETWORK } from "../../src/features/passwords/attempts.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import {
  PAUSE_MS,
  AttemptThrottle,
  TRIES_WAITING_MAX,
} from "../../src/features/passwords/throttle.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { encryptedKey } from "../../src/features/secrets/encrypted.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let hash: string;
beforeEach(async () => {
  hash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  testServer = await startTestServer({ rate_limits: true });
  await testServer.realm.write((tx) => {
    for (const name of ["olga", "bo", "mo"] as const) setPassword(tx, testServer.idOf(name), hash);
  });
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
});
afterEach(() => testServer.close());

/** Unknown address; wrong password; deactivated account; account without password; bot. */
const WRONG_ATTEMPTS = [
  ...["who@example.com", "bo@example.com", "mo@example.com", "cy@example.com"],
  "botty-bot@chat.example",
];
const FAR_HEADERS = { "X-Forwarded-For": "203.0.113.9" };

async function tryKey(username: string, password: string, from: Record<string, string> = {}) {
  const body = new URLSearchParams({ username, password });
  const url = `${testServer.url}/api/v1/fetch_api_key`;
  const response = await fetch(url, { method: "POST", headers: from, body });
  return { status: response.status, text: await response.text() };
}

test("answers each wrong attempt with the same bytes and the work of one hash", async () => {
  const verify = spyOn(Bun.password, "verify");
  try {
    for (const username of WRONG_ATTEMPTS) {
      const { status, text } = await tryKey(username, "wrong");
      expect([username, status, JSON.parse(text)]).toEqual([
        username,
        signInFailed().status,
        { result: "error", msg: signInFailed().message, code: signInFailed().errCode },
      ]);
    }
    const hashes = verify.mock.calls.map(([, knownHash]) => String(knownHash));
    expect(hashes).toHaveLength(WRONG_ATTEMPTS.length);
    const costs = hashes.map((knownHash) => knownHash.split("$").slice(1, 4).join(" "));
    expect(new Set(costs)).toEqual(new Set(["argon2id v=19 m=19456,t=2,p=1"]));
  } finally {
    verify.mockRestore();
  }
});

test("shows browsers the same pages, except for the entered text", async () => {
  const pages = new Set<string>();
  for (const username of WRONG_ATTEMPTS) {
    const browser = new Browser(testServer);
    await browser.open("/login/");
    const page = await browser.submit("/accounts/login/", { username, password: "wrong" });
    pages.add(page.text.replaceAll(username, "").replaceAll(browser.csrf, ""));
  }
  expect(pages.size).toBe(1);
});

test("shows the same page for known and unknown addresses when a link is requested", async () => {
  const pages = new Set<string>();
  for (const email of WRONG_ATTEMPTS) {
    const body = new URLSearchParams({ email });
    const address = `${testServer.url}/accounts/password/reset/`;
    const page = await fetch(address, { method: "POST", body, redirect: "manual" });
    pages.add(`${page.status} ${(await page.text()).replaceAll(email, "")}`);
  }
  expect(pages.size).toBe(1);
});

test("reveals that an account is deactivated only with the right password", async () => {
  expect(await tryKey("mo@example.com", PASSWORD)).toMatchObject({
    status: signInDeactivated().status,
    text: expect.stringContaining(signInDeactivated().errCode!),
  });
});

test("blocks another address after five attempts, even with the right password", async () => {
  for (let index = 0; index < 5; index++) await tryKey("olga@example.com", "wrong", FAR_HEADERS);
  expect(await tryKey("olga@example.com", PASSWORD, FAR_HEADERS)).toMatchObject({ status: 429 });
});

test("does not block a known browser because of attempts elsewhere", async () => {
  const knownBrowser = new Browser(testServer, FAR_HEADERS);
  expect((await knownBrowser.signIn("olga")).location).toBe("/");
  await knownBrowser.open("/account/");
  await knownBrowser.submit("/accounts/logout/");
  for (let index = 0; index < 5; index++) await tryKey("olga@example.com", "wrong", FAR_HEADERS);
  expect((await new Browser(testServer, FAR_HEADERS).signIn("olga")).status).toBe(429);
  // Even while the whole network is blocked, as behind a proxy that hides client addresses.
  for (let index = 0; index < SIGN_IN_BY_NETWORK.calls; index++) {
    try {
      startAttempt(testServer.realm, `name ${index}`, FAR_HEADERS["X-Forwarded-For"]);
    } catch {
      break;
    }
  }
  expect((await knownBrowser.signIn("olga")).location).toBe("/");
  await knownBrowser.open("/account/");
  await knownBrowser.submit("/accounts/logout/");
  // The cookie is valid only for its own account, and for five attempts.
  await knownBrowser.open("/login/");
  const others = { username: "bo@example.com", password: PASSWORD };
  expect((await knownBrowser.submit("/accounts/login/", others)).status).toBe(429);
  const wrong = { username: "olga@example.com", password: "wrong" };
  for (let index = 0; index < 5; index++) {
    await knownBrowser.open("/login/");
    expect((await knownBrowser.submit("/accounts/login/", wrong)).status).toBe(401);
  }
  expect((await knownBrowser.signIn("olga")).status).toBe(429);
});

test("recognizes a browser that set a new password", async () => {
  for (let index = 0; index < 5; index++) await tryKey("olga@example.com", "wrong", FAR_HEADERS);
  const created = encryptedKey(testServer.realm);
  await testServer.realm.write((tx) =>
    openReset(tx, tx.users.get(testServer.idOf("olga"))!, created),
  );
  const browser = new Browser(testServer, FAR_HEADERS);
  const path = `/accounts/password/reset/${created.key}/`;
  const page = await browser.send("POST", path, new URLSearchParams({ password: PASSWORD }));
  expect(page.status).toBe(200);
  expect((await browser.signIn("olga")).location).toBe("/");
});

test("blocks only the leaked key after wrong passwords with it", async () => {
  const params = { email: "thief@example.com", old_password: "wrong" };
  for (let index = 0; index < 5; index++) await testServer.refused("bo", "PATCH /settings", params);
  expect(await tryKey("bo@example.com", PASSWORD, FAR_HEADERS)).toMatchObject({ status: 200 });
});

test("allows a hundred names per network to fail, independently of other networks", () => {
  const failSignIn = (name: string, address: string) =>
    void startAttempt(testServer.realm, name, address);
  for (let index = 0; index < SIGN_IN_BY_NETWORK.calls; index++) {
    failSignIn(`name ${index}`, "203.0.113.9");
    failSignIn(`name ${index}`, `2001:db8:1:2::${index}`);
  }
  for (const address of ["203.0.113.9", "2001:db8:1:2:ffff::1"]) {
    expect(() => failSignIn("another", address)).toThrow(tooManySignIns(1).message);
  }
  failSignIn("another", "203.0.113.10");
  startAttempt(testServer.realm, "a third", "2001:db8:1:3::1").succeeded();
  testServer.clock.passSeconds(SIGN_IN_BY_NETWORK.seconds + 1);
  failSignIn("another", "203.0.113.9");
});

test("lets the owner in at the machine itself, whatever the number of failures there", async () => {
  const sleep = spyOn(Bun, "sleep").mockImplementation(async () => {});
  try {
    for (let index = 0; index < 12; index++) {
      expect(await tryKey("olga@example.com", "wrong")).toMatchObject({ status: 401 });
    }
    const pauses = sleep.mock.calls.filter(([ms]) => ms === PAUSE_MS);
    expect(pauses).toHaveLength(12 - 5);
    expect(await tryKey("olga@example.com", PASSWORD)).toMatchObject({ status: 200 });
    sleep.mockClear();
    expect(await tryKey("olga@example.com", PASSWORD)).toMatchObject({ status: 200 });
    expect(sleep.mock.calls.filter(([ms]) => ms === PAUSE_MS)).toEqual([]);
  } finally {
    sleep.mockRestore();
  }
});

test("delays throttled attempts one by one, and answers the last within seconds", async () => {
  const delays: number[] = [];
  const sleep = spyOn(Bun, "sleep").mockImplementation(async (ms) => void delays.push(Number(ms)));
  try {
    const pacer = new AttemptThrottle({ now: () => 1_000_000 });
    const requested = Array.from({ length: TRIES_WAITING_MAX }, () => pacer.waitForTurn("bo"));
    const lateTurn = pacer.waitForTurn("bo");
    expect(lateTurn).rejects.toThrow(tooManySignIns(5).message);
    await Promise.all([...requested, pacer.waitForTurn("cy")]);
    expect(delays).toEqual([1, 2, 3, 4, 5, 1].map((round) => round * PAUSE_MS));
    await pacer.waitForTurn("bo");
    expect(delays.at(-1)).toBe(PAUSE_MS);
  } finally {
    sleep.mockRestore();
  }
});
