// Accounts that were created by others count as joined at the first visit.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Browser, PASSWORD } from "../browser.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

const DAY_SECONDS = 86_400;
const email = "nia@example.com";

let testServer: TestServer;
let user_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("olga"))!, can_create_users: true });
  });
  const person = { email, full_name: "Nia New", password: PASSWORD };
  user_id = (await testServer.request("olga", "POST /users", person)).user_id;
});
afterEach(() => testServer.close());

const signIn = () =>
  testServer.request(null, "POST /fetch_api_key", { username: email, password: PASSWORD });
const joinTime = async () =>
  Date.parse((await testServer.request("cy", `GET /users/${user_id}`)).user.date_joined) / 1000;
const isFull = async () => {
  const fullMembersId = testServer.realm.read.groups.findBy("name", "role:fullmembers")!.id;
  const { members } = await testServer.request("olga", `GET /user_groups/${fullMembersId}/members`);
  return members.includes(user_id);
};

test("sends an event and sets the date of joining at the first sign-in only", async () => {
  testServer.clock.passSeconds(30 * DAY_SECONDS);
  const before = await joinTime();
  const { events } = await staysInSync(testServer, ["olga", "cy", "gus"], signIn);
  const { date_joined } = (await testServer.request("cy", `GET /users/${user_id}`)).user;
  for (const name of ["olga", "cy", "gus"] as const) {
    expect(events[name]).toMatchObject([
      { type: "realm_user", op: "update", person: { user_id, date_joined } },
    ]);
  }
  expect((await joinTime()) - before).toBeGreaterThanOrEqual(30 * DAY_SECONDS - 60);
  testServer.clock.passSeconds(DAY_SECONDS);
  const secondResult = await staysInSync(testServer, ["olga", "cy"], signIn);
  expect(secondResult.events).toMatchObject({ olga: [], cy: [] });
});

test("does so for browser sign-ins, but not for users who created their own account", async () => {
  testServer.clock.passSeconds(DAY_SECONDS);
  const before = await joinTime();
  const browser = new Browser(testServer);
  await browser.open("/login/");
  await browser.submit("/accounts/login/", { username: email, password: PASSWORD });
  expect((await joinTime()) - before).toBeGreaterThanOrEqual(DAY_SECONDS - 60);
  expect(testServer.realm.read.users.get(testServer.idOf("bo"))!.is_awaited).toBeUndefined();
});

test("starts the waiting period at the first sign-in", async () => {
  await testServer.request("olga", "PATCH /realm", { waiting_period_threshold: 3 });
  testServer.clock.passSeconds(4 * DAY_SECONDS);
  await untilJobsDone();
  expect(await isFull()).toBe(true);
  await staysInSync(testServer, ["olga", "cy"], signIn);
  expect(await isFull()).toBe(false);
  testServer.clock.passSeconds(3 * DAY_SECONDS);
  await untilJobsDone();
  expect(await isFull()).toBe(true);
});

async function untilJobsDone(): Promise<void> {
  testServer.realm.onDue();
  const hasDueJobs = () =>
    [...testServer.realm.read.due.range()].some(({ at: time }) => time <= testServer.clock.now());
  await until(() => !hasDueJobs());
}
