// Users whose address another server has verified, and who have no account yet.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { fullNameTooShort, noAccountYet } from "../../src/contract/errors/people.ts";
import { emailDisposable } from "../../src/contract/errors/realm.ts";
import { completeSignIn, signUpOrReject } from "../../src/features/sign-in/complete.ts";
import { Browser, FORM_OUTDATED } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer?.close());

const makesAccounts = { makesAccounts: true };
const context = () => {
  const request = new Request(`${testServer.url}/x/`);
  return { realm: testServer.realm, request, address: "127.0.0.1" };
};
const signUpWith = (email: string, next = "") =>
  signUpOrReject(context(), { email, full_name: "Nia New", method: "Email" }, makesAccounts, {
    next,
  });
const open = (invite_required: boolean) =>
  testServer.request("olga", "PATCH /realm", {
    invite_required,
    disallow_disposable_email_addresses: true,
  });

test("rejects users without an account if the method creates none", async () => {
  await open(false);
  const identity = { email: "nia@example.com", method: "Email" };
  const page = await completeSignIn(context(), identity, {});
  expect(page.status).toBe(401);
  expect(await page.text()).toContain(noAccountYet("nia@example.com").message);
  const bot = await completeSignIn(context(), { ...identity, email: "botty-bot@chat.example" }, {});
  expect(bot.status).toBe(401);
});

test("asks a new user for a name and creates the account in an open organization", async () => {
  await open(false);
  const browser = new Browser(testServer);
  const { headers } = await signUpWith(" nia@example.com ", "/account/?new");
  const page = await browser.open(headers.get("location")!);
  expect(page.text).toContain('value="Nia New"');
  expect(page.text).toContain("nia@example.com");
  const form = headers.get("location")!;
  const short = await browser.submit(form, { full_name: "N" });
  expect(short).toMatchObject({ status: 400, refusal: fullNameTooShort().message });
  const { location } = await browser.submit(form, { full_name: "Nia Nova" });
  expect(location).toBe("/account/?new");
  const own = await browser.request("GET /users/me");
  expect(own).toMatchObject({ full_name: "Nia Nova", email: "nia@example.com", role: 400 });
  expect(testServer.realm.read.passwords.has(own.user_id)).toBe(false);
  expect(await browser.open(form)).toMatchObject({ status: 410 });
});

test("rejects forms of other sites", async () => {
  await open(false);
  const { headers } = await signUpWith("ned@example.com");
  const browser = new Browser(testServer);
  const body = new URLSearchParams({ full_name: "Ned New" });
  const page = await browser.send("POST", headers.get("location")!, body);
  expect(page).toMatchObject({ status: 403, refusal: FORM_OUTDATED });
  expect(testServer.realm.read.users.findBy("email", "ned@example.com")).toBeUndefined();
});

test("gives the app that sent the new user its key", async () => {
  await open(false);
  const mobile_flow_otp = "0".repeat(64);
  const identity = { email: "pia@example.com", full_name: "Pia", method: "Email" };
  const { headers } = await signUpOrReject(context(), identity, makesAccounts, { mobile_flow_otp });
  const browser = new Browser(testServer);
  await browser.open(headers.get("location")!);
  const { location } = await browser.submit(headers.get("location")!, { full_name: "Pia New" });
  expect(location).toStartWith("zulip://login?otp_encrypted_api_key=");
});

test("rejects a method that was disabled meanwhile", async () => {
  await open(false);
  const { headers } = await signUpWith("late@example.com");
  const path = headers.get("location")!;
  const browser = new Browser(testServer);
  await browser.open(path);
  const set = (Email: boolean) =>
    testServer.realm.write((tx) => {
      const row = tx.realm.get(1)!;
      const settings = { ...row.settings, authentication_methods: { Email } };
      tx.realm.put({ ...row, settings });
    });
  await set(false);
  expect((await browser.submit(path, { full_name: "Lea Late" })).status).toBe(410);
  expect((await browser.open(path)).status).toBe(410);
  expect(testServer.realm.read.users.findBy("email", "late@example.com")).toBeUndefined();
  await set(true);
  await browser.open(path);
  expect((await browser.submit(path, { full_name: "Lea Late" })).location).toBe("/");
});

test("lets only invited users join, as invited, in a closed organization", async () => {
  await open(true);
  await expect(signUpWith("una@example.com")).rejects.toThrow(
    noAccountYet("una@example.com").message,
  );
  const invitation = { invitee_emails: "Una@example.com", stream_ids: [], invite_as: 600 };
  await testServer.request("olga", "POST /invites", invitation);
  const { headers } = await signUpWith("una@example.com");
  const browser = new Browser(testServer);
  await browser.open(headers.get("location")!);
  await browser.submit(headers.get("location")!, { full_name: "Una Guest" });
  expect(await browser.request("GET /users/me")).toMatchObject({
    role: 600,
    full_name: "Una Guest",
  });
});

test("rejects an address that is not allowed, and an expired link", async () => {
  await open(false);
  for (const email of ["x@mailinator.com", "x@a.b.mailinator.com", "x@0-mail.com"]) {
    await expect(signUpWith(email)).rejects.toThrow(emailDisposable().message);
  }
  const { headers } = await signUpWith("old@example.com");
  testServer.clock.passSeconds(1801);
  expect((await new Browser(testServer).open(headers.get("location")!)).status).toBe(410);
});
