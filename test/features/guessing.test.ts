// Guessing at accounts and passwords: every wrong try is answered alike, at the same cost.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import {
  signInDeactivated,
  signInFailed,
  tooManySignIns,
} from "../../src/contract/errors/people.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { attempt, SIGN_IN_BY_NETWORK } from "../../src/features/passwords/attempts.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { PAUSE_MS, Pacer, TRIES_WAITING_MAX } from "../../src/features/passwords/pace.ts";
import { openReset } from "../../src/features/passwords/reset.ts";
import { sealedKey } from "../../src/features/secrets/sealed.ts";
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
  await testServer.ask("olga", `DELETE /users/${testServer.idOf("mo")}`);
});
afterEach(() => testServer.close());

/** No such address; another password; an account that is off; one without a password; a bot's. */
const WRONG = [
  ...["who@example.com", "bo@example.com", "mo@example.com", "cy@example.com"],
  "botty-bot@chat.example",
];
const FAR = { "X-Forwarded-For": "203.0.113.9" };

async function tries(username: string, password: string, from: Record<string, string> = {}) {
  const body = new URLSearchParams({ username, password });
  const url = `${testServer.url}/api/v1/fetch_api_key`;
  const answer = await fetch(url, { method: "POST", headers: from, body });
  return { status: answer.status, text: await answer.text() };
}

test("each wrong try gets the same bytes, and verifies one hash of one cost", async () => {
  const verify = spyOn(Bun.password, "verify");
  try {
    for (const username of WRONG) {
      const { status, text } = await tries(username, "wrong");
      expect([username, status, JSON.parse(text)]).toEqual([
        username,
        signInFailed().status,
        { result: "error", msg: signInFailed().message, code: signInFailed().errCode },
      ]);
    }
    const hashes = verify.mock.calls.map(([, known]) => String(known));
    expect(hashes).toHaveLength(WRONG.length);
    const costs = hashes.map((known) => known.split("$").slice(1, 4).join(" "));
    expect(new Set(costs)).toEqual(new Set(["argon2id v=19 m=19456,t=2,p=1"]));
  } finally {
    verify.mockRestore();
  }
});

test("by browser the pages are the same, but for what was typed", async () => {
  const pages = new Set<string>();
  for (const username of WRONG) {
    const browser = new Browser(testServer);
    await browser.open("/login/");
    const page = await browser.submit("/accounts/login/", { username, password: "wrong" });
    pages.add(page.text.replaceAll(username, "").replaceAll(browser.csrf, ""));
  }
  expect(pages.size).toBe(1);
});

test("who asks for a link to a new password reads the same, whoever they are", async () => {
  const pages = new Set<string>();
  for (const email of WRONG) {
    const body = new URLSearchParams({ email });
    const address = `${testServer.url}/accounts/password/reset/`;
    const page = await fetch(address, { method: "POST", body, redirect: "manual" });
    pages.add(`${page.status} ${(await page.text()).replaceAll(email, "")}`);
  }
  expect(pages.size).toBe(1);
});

test("the account being off is told to who knows its password", async () => {
  expect(await tries("mo@example.com", PASSWORD)).toMatchObject({
    status: signInDeactivated().status,
    text: expect.stringContaining(signInDeactivated().errCode!),
  });
});

test("from elsewhere guessing ends after five, with the right password too", async () => {
  for (let at = 0; at < 5; at++) await tries("olga@example.com", "wrong", FAR);
  expect(await tries("olga@example.com", PASSWORD, FAR)).toMatchObject({ status: 429 });
});

test("guessing from elsewhere shuts out no browser in which somebody has signed in", async () => {
  const known = new Browser(testServer, FAR);
  expect((await known.signIn("olga")).location).toBe("/");
  await known.open("/account/");
  await known.submit("/accounts/logout/");
  for (let at = 0; at < 5; at++) await tries("olga@example.com", "wrong", FAR);
  expect((await new Browser(testServer, FAR).signIn("olga")).status).toBe(429);
  // Not even where all of the network is shut out, as behind a proxy that names nobody.
  for (let at = 0; at < SIGN_IN_BY_NETWORK.calls; at++) {
    try {
      attempt(testServer.realm, `name ${at}`, FAR["X-Forwarded-For"]);
    } catch {
      break;
    }
  }
  expect((await known.signIn("olga")).location).toBe("/");
  await known.open("/account/");
  await known.submit("/accounts/logout/");
  // It is good for its own account alone, and for five tries.
  await known.open("/login/");
  const others = { username: "bo@example.com", password: PASSWORD };
  expect((await known.submit("/accounts/login/", others)).status).toBe(429);
  const wrong = { username: "olga@example.com", password: "wrong" };
  for (let at = 0; at < 5; at++) {
    await known.open("/login/");
    expect((await known.submit("/accounts/login/", wrong)).status).toBe(401);
  }
  expect((await known.signIn("olga")).status).toBe(429);
});

test("a link to a new password makes the browser one that is known", async () => {
  for (let at = 0; at < 5; at++) await tries("olga@example.com", "wrong", FAR);
  const made = sealedKey(testServer.realm);
  await testServer.realm.write((tx) => openReset(tx, tx.users.get(testServer.idOf("olga"))!, made));
  const browser = new Browser(testServer, FAR);
  const path = `/accounts/password/reset/${made.key}/`;
  const page = await browser.send("POST", path, new URLSearchParams({ password: PASSWORD }));
  expect(page.status).toBe(200);
  expect((await browser.signIn("olga")).location).toBe("/");
});

test("wrong passwords by a leaked key shut out that key alone", async () => {
  const asked = { email: "thief@example.com", old_password: "wrong" };
  for (let at = 0; at < 5; at++) await testServer.refused("bo", "PATCH /settings", asked);
  expect(await tries("bo@example.com", PASSWORD, FAR)).toMatchObject({ status: 200 });
});

test("from one network a hundred names may fail, and other networks go on", () => {
  const fails = (name: string, address: string) => void attempt(testServer.realm, name, address);
  for (let at = 0; at < SIGN_IN_BY_NETWORK.calls; at++) {
    fails(`name ${at}`, "203.0.113.9");
    fails(`name ${at}`, `2001:db8:1:2::${at}`);
  }
  for (const address of ["203.0.113.9", "2001:db8:1:2:ffff::1"]) {
    expect(() => fails("another", address)).toThrow(tooManySignIns(1).message);
  }
  fails("another", "203.0.113.10");
  attempt(testServer.realm, "a third", "2001:db8:1:3::1").succeeded();
  testServer.clock.pass(SIGN_IN_BY_NETWORK.seconds + 1);
  fails("another", "203.0.113.9");
});

test("at the machine itself the owner gets in, however often was guessed there", async () => {
  const sleep = spyOn(Bun, "sleep").mockImplementation(async () => {});
  try {
    for (let at = 0; at < 12; at++) {
      expect(await tries("olga@example.com", "wrong")).toMatchObject({ status: 401 });
    }
    const pauses = sleep.mock.calls.filter(([ms]) => ms === PAUSE_MS);
    expect(pauses).toHaveLength(12 - 5);
    expect(await tries("olga@example.com", PASSWORD)).toMatchObject({ status: 200 });
    sleep.mockClear();
    expect(await tries("olga@example.com", PASSWORD)).toMatchObject({ status: 200 });
    expect(sleep.mock.calls.filter(([ms]) => ms === PAUSE_MS)).toEqual([]);
  } finally {
    sleep.mockRestore();
  }
});

test("who is slowed has turns one by one, and of many the last come back in seconds", async () => {
  const turns: number[] = [];
  const slept = spyOn(Bun, "sleep").mockImplementation(async (ms) => void turns.push(Number(ms)));
  try {
    const pacer = new Pacer({ now: () => 1_000_000 });
    const asked = Array.from({ length: TRIES_WAITING_MAX }, () => pacer.turn("bo"));
    const late = pacer.turn("bo");
    expect(late).rejects.toThrow(tooManySignIns(5).message);
    await Promise.all([...asked, pacer.turn("cy")]);
    expect(turns).toEqual([1, 2, 3, 4, 5, 1].map((turn) => turn * PAUSE_MS));
    await pacer.turn("bo");
    expect(turns.at(-1)).toBe(PAUSE_MS);
  } finally {
    slept.mockRestore();
  }
});
