// A forgotten password: the email and its link, which reveal nothing to strangers.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import { RESETS_BY_ADDRESS, RESETS_BY_NETWORK } from "../../src/features/passwords/reset-pages.ts";
import { RESET_SECONDS, resetPassword } from "../../src/features/passwords/reset.ts";
import {
  deliverDueMail,
  linkIn,
  startTestServerWithMail,
  type MailServer,
} from "../mail/mail-server.ts";
import { formOf, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const FORM = "/accounts/password/reset/";
const PASSWORD = "correct horse battery";
const post = (url: string, form: Params, server = testServer) =>
  fetch(url.startsWith("/") ? server.url + url : url, { method: "POST", body: formOf(form) });
const request = (email: string, server = testServer) => post(FORM, { email }, server);
const signIn = (password: string) =>
  testServer.send(null, "POST /fetch_api_key", { username: "bo@example.com", password });

async function linkFor(email: string): Promise<string> {
  await request(email);
  await deliverDueMail(testServer);
  return linkIn(mailServer.mailTo(email).at(-1)!);
}

test("sets a forgotten password with a link that works once", async () => {
  expect(await (await fetch(testServer.url + FORM)).text()).toContain('name="email"');
  const link = await linkFor("bo@example.com");
  const { mail } = mailServer.mailTo("bo@example.com")[0]!;
  expect(mail.subject).toBe("Set a new password for Town");
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining("bo@example.com"),
  ]);
  const weak = await post(link, { password: "password" });
  expect(weak.status).toBe(400);
  expect(await weak.text()).toContain(peopleErrors.passwordTooWeak().message);

  expect((await post(link, { password: PASSWORD })).status).toBe(200);
  expect((await signIn(PASSWORD)).status).toBe(200);
  expect((await post(link, { password: `${PASSWORD} two` })).status).toBe(410);
  expect((await fetch(link)).status).toBe(410);
  const key = link.split("/").at(-2)!;
  const late = testServer.realm.write((tx) => resetPassword(tx, key, "hash"));
  await expect(late).rejects.toThrow(refusals.linkEnded().message);
});

test("ends the sessions and keeps the keys", async () => {
  const link = await linkFor("bo@example.com");
  const form = { username: "bo@example.com", password: PASSWORD };
  const token = await testServer.realm.write((tx) => {
    const user = tx.users.get(testServer.idOf("bo"))!;
    tx.sessions.put({
      ...{ session_id: tx.next("sessions"), user_id: user.user_id, hash: "h", method: "password" },
      ...{ created: tx.now, last_used: tx.now, expires: tx.now + 999, user_agent: "" },
    });
    return form;
  });
  expect(testServer.realm.read.sessions.countBy("user", testServer.idOf("bo"))).toBe(1);
  await post(link, { password: `${token.password} new` });
  expect(testServer.realm.read.sessions.countBy("user", testServer.idOf("bo"))).toBe(0);
  expect((await testServer.request("bo", "GET /users/me")).delivery_email).toBe("bo@example.com");
});

test("ends all keys if requested, and shows what will end", async () => {
  const form = await fetch(await linkFor("mo@example.com"));
  expect(await form.text()).toContain('name="end_api_keys"');
  const keys = () => testServer.realm.read.api_keys.countBy("user", testServer.idOf("mo"));
  const keptKeys = await post(await linkFor("mo@example.com"), { password: PASSWORD });
  expect(await keptKeys.text()).toContain("Apps stay signed in");
  expect(keys()).toBe(1);
  testServer.clock.passSeconds(86_400);
  const words = { password: `${PASSWORD} new`, end_api_keys: true };
  const ends = await post(await linkFor("mo@example.com"), words);
  expect(await ends.text()).toContain("API keys were revoked");
  expect(keys()).toBe(0);
  expect((await testServer.send("mo", "GET /users/me")).status).toBe(401);
  expect((await testServer.send("bo", "GET /users/me")).status).toBe(200);
});

test("invalidates all links of a user at the first use, and each after a day", async () => {
  const [first, second] = [await linkFor("cy@example.com"), await linkFor("cy@example.com")];
  expect(first).not.toBe(second);
  await post(second, { password: PASSWORD });
  expect((await fetch(first)).status).toBe(410);
  const third = await linkFor("cy@example.com");
  testServer.clock.passSeconds(RESET_SECONDS);
  expect((await fetch(third)).status).toBe(410);
});

test("answers the same for known and unknown addresses", async () => {
  const before = mailServer.received.length;
  const { user_id } = testServer.realm.read.users.findBy("email", "gus@example.com")!;
  await testServer.request("olga", `DELETE /users/${user_id}`);
  const responses: string[] = [];
  const addresses = ["ada@example.com", "nobody@example.com", "gus@example.com"];
  const unexpected = ["botty-bot@chat.example", "notification-bot@127.0.0.1"];
  for (const email of [...addresses, ...unexpected]) {
    const response = await request(email);
    responses.push(`${response.status} ${(await response.text()).replaceAll(email, "…")}`);
    await deliverDueMail(testServer);
  }
  expect(new Set(responses).size).toBe(1);
  await deliverDueMail(testServer);
  expect(mailServer.received.slice(before).map(({ to }) => to)).toEqual(["ada@example.com"]);
  const wrong = await request("no address");
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining(peopleErrors.emailNotAnAddress().message),
  ]);
});

test("logs the account and source of a request, but not the entered text", async () => {
  const logged: unknown[] = [];
  const { onNote } = testServer.realm;
  testServer.realm.onNote = (label, fields) => void logged.push([label, fields]);
  await request("mo@example.com");
  await request("nobody-of-that-name@example.com");
  testServer.realm.onNote = onNote;
  const logLabel = "a password reset was requested";
  const address = expect.stringMatching(/^(127\.|::1$)/);
  expect(logged).toEqual([
    [logLabel, { user_id: testServer.idOf("mo"), address }],
    [logLabel, { user_id: undefined, address }],
  ]);
});

test("stores only hashes of links", async () => {
  const link = await linkFor("ada@example.com");
  const database = await Bun.file(`${testServer.directory}/data/data.mdb`).bytes();
  expect(Buffer.from(database).includes(link.split("/").at(-2)!)).toBe(false);
});

test("limits emails per hour by address and by network", async () => {
  const strict = await startTestServer({ mail: mailServer.config, rate_limits: true });
  const [rule] = RESETS_BY_ADDRESS;
  for (const email of ["mo@example.com", "nobody@example.com"]) {
    for (let call = 0; call < rule.calls; call++) {
      expect((await request(email, strict)).status).toBe(200);
    }
    const late = await request(email.toUpperCase(), strict);
    expect([late.status, await late.text()]).toEqual([
      429,
      expect.stringContaining(refusals.tooManyMails().message),
    ]);
  }
  for (let call = 0; call < RESETS_BY_NETWORK.calls; call++) {
    await request(`p${call}@example.com`, strict);
  }
  expect((await request("another@example.com", strict)).status).toBe(429);
  await strict.close();
});

test("names whom to ask if email is not configured", async () => {
  const quiet = await startTestServer();
  const signIn = await (await fetch(`${quiet.url}/login/`)).text();
  expect(signIn).toContain(`href="${FORM}">Forgot your password? Ask an administrator</a>`);
  expect(await (await fetch(quiet.url + FORM)).text()).toContain("skein user reset-link");
  expect(await (await request("bo@example.com", quiet)).text()).toContain("skein user reset-link");
  expect((await post(`${FORM}nothing/`, { password: PASSWORD }, quiet)).status).toBe(410);
  await quiet.close();
});

test("rejects an unknown link", async () => {
  for (const key of ["x", "%00", "a".repeat(900)]) {
    expect((await testServer.send(null, `GET //accounts/password/reset/${key}/`)).status).toBe(410);
    expect((await testServer.send(null, `POST //accounts/password/reset/${key}/`)).status).toBe(
      410,
    );
  }
  expect((await testServer.send(null, "GET //accounts/password/reset/")).status).toBe(200);
  expect((await testServer.send(null, "POST //accounts/password/reset/")).status).toBe(400);
});

test("does not announce an email if passwords are disabled", async () => {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const settings = { ...realm.settings, authentication_methods: { Email: false } };
    tx.realm.put({ ...realm, settings });
  });
  const page = await (await testServer.send(null, "GET //accounts/password/reset/")).text();
  expect(page).toContain("are managed elsewhere");
  expect(page).not.toContain("<form");
  expect(await (await request("olga@example.com")).text()).toContain("are managed elsewhere");
  expect(mailServer.received).toEqual([]);
});

test("resets nothing in a deactivated organization", async () => {
  const link = await linkFor("olga@example.com");
  await testServer.request("olga", "POST /realm/deactivate");
  expect((await fetch(link)).status).toBe(410);
  expect((await post(link, { password: PASSWORD })).status).toBe(410);
  expect(await (await request("olga@example.com")).text()).toContain("An owner deactivated");
  // The join page shows the same, without asking for an invitation.
  const joining = await testServer.send(null, "GET //register/");
  expect([joining.status, await joining.text()]).toEqual([
    ...[410, expect.stringContaining("An owner deactivated")],
  ]);
});
