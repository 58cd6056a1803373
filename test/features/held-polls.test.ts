// A waiting poll ends when its key or session ends, and gets no later events.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { KEYS_PER_USER_MAX, newApiKey } from "../../src/features/keys/actions.ts";
import { sendNoticeToPeople } from "../../src/features/messages/send/notices.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import type { Writer } from "../../src/realm.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
  // Heartbeats are off, so only the end of a key or session ends a poll.
  testServer.clock.awake = () => 0;
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
});
afterEach(() => testServer.close());

type SendRequest = (line: string, params?: Params) => Promise<Response>;

async function signedIn(): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  return browser;
}

/** Starts a poll that waits for events. */
async function holdPoll(ask: SendRequest): Promise<{ ended: Promise<Json> }> {
  const { queue_id, last_event_id } = (await (await ask("POST /register")).json()) as Json;
  await testServer.untilIdle();
  const completion = ask("GET /events", { queue_id, last_event_id }).then((response) =>
    response.json(),
  );
  await until(() => testServer.realm.hub.listeners.get(queue_id)?.parked);
  return { ended: completion };
}

const keysOf = (user_id: number) => testServer.realm.read.api_keys.listBy("user", user_id);

/** Sends to bo and the bot in the transaction that ends their keys and sessions. */
function emitBoth(tx: Writer): void {
  sendNoticeToPeople(tx, [testServer.idOf("bo")], "secret");
  sendNoticeToPeople(tx, [testServer.idOf("bot")], "secret");
}

const bo: SendRequest = (line, params) => testServer.send("bo", line, params);
const bot: SendRequest = (line, params) => testServer.send("bot", line, params);

const KEY_ENDINGS: [string, SendRequest, () => Promise<unknown>][] = [
  [
    "revoked by itself",
    bo,
    () =>
      testServer.request(
        "bo",
        `DELETE /users/me/api_keys/${keysOf(testServer.idOf("bo"))[0]!.key_id}`,
      ),
  ],
  ["regenerated", bo, () => testServer.request("bo", "POST /users/me/api_key/regenerate")],
  [
    "pushed out by newer ones",
    bo,
    async () => {
      // At the limit, the newest key is removed, not the one in use.
      for (const count of [KEYS_PER_USER_MAX - 1, 1]) {
        testServer.clock.passSeconds(7 * 86_400);
        await testServer.realm.write((tx) => {
          const user = tx.users.get(testServer.idOf("bo"))!;
          for (let n = 0; n < count; n++) newApiKey(tx, user, "another");
        });
      }
    },
  ],
  [
    "regenerated for the bot",
    bot,
    () => testServer.request("bo", `POST /bots/${testServer.idOf("bot")}/api_key/regenerate`),
  ],
  [
    "of an account that is off",
    bo,
    () => testServer.request("ada", `DELETE /users/${testServer.idOf("bo")}`),
  ],
];

test.each(KEY_ENDINGS)("a key that is %s ends its open poll", async (_, ask, end) => {
  const { ended } = await holdPoll(ask);
  await end();
  expect((await ended).events).toEqual([]);
  expect((await ask("GET /users/me")).status).toBeOneOf([401, 403]);
});

test("deactivating an organization ends all open polls with that error", async () => {
  const { ended } = await holdPoll(bo);
  await testServer.request("olga", "POST /realm/deactivate", { deletion_delay_days: 30 });
  expect((await ended).events).toMatchObject([{ type: "realm", op: "deactivated" }]);
  expect((await bo("GET /users/me")).status).toBe(401);
});

const SESSION_ENDINGS: [string, (browser: Browser) => Promise<unknown>][] = [
  [
    "signed out",
    async (browser) => {
      await browser.open("/accounts/logout/");
      return browser.submit("/accounts/logout/");
    },
  ],
  [
    "ended from another browser",
    async () => {
      const other = await signedIn();
      await other.open("/account/");
      return other.submit("/account/sessions/end-others/");
    },
  ],
  [
    "of a person whose password changed",
    () =>
      testServer.request("bo", "PATCH /settings", {
        old_password: PASSWORD,
        new_password: "tr0ub4dor&3 x",
      }),
  ],
];

test.each(SESSION_ENDINGS)("a session that is %s ends its open poll", async (_, end) => {
  const browser = await signedIn();
  const { ended } = await holdPoll((line, params) => browser.fetch(line, params));
  await end(browser);
  expect((await ended).events).toEqual([]);
});

test("sends no events of the same transaction to a deleted key or session", async () => {
  const browser = await signedIn();
  const polls = [await holdPoll(bo), await holdPoll(bot)];
  polls.push(await holdPoll((line, params) => browser.fetch(line, params)));
  await testServer.realm.write((tx) => {
    for (const { key_id } of [...tx.api_keys.range()]) tx.api_keys.delete(key_id);
    for (const { session_id } of [...tx.sessions.range()]) tx.sessions.delete(session_id);
    emitBoth(tx);
  });
  for (const { ended } of polls) expect((await ended).events).toEqual([]);
});

test("sends no events to an expired session", async () => {
  const browser = await signedIn();
  const { ended } = await holdPoll((line, params) => browser.fetch(line, params));
  testServer.clock.passSeconds(15 * 86_400);
  await testServer.realm.write((tx) => sendNoticeToPeople(tx, [testServer.idOf("bo")], "secret"));
  expect((await ended).events).toEqual([]);
});

test("keeps the polls of other keys open, which receive later events", async () => {
  const { ended } = await holdPoll(bo);
  const browser = await signedIn();
  const inSession = await holdPoll((line, params) => browser.fetch(line, params));
  await testServer.request("bo", `POST /bots/${testServer.idOf("bot")}/api_key/regenerate`);
  await testServer.realm.write((tx) => sendNoticeToPeople(tx, [testServer.idOf("bo")], "for all"));
  for (const poll of [ended, inSession.ended]) {
    expect((await poll).events[0].message.content).toContain("for all");
  }
});
