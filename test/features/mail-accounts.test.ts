// Emails about accounts: sign-ins, deactivated accounts, and closed or deleted organizations.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { browserOf, SIGN_IN_EMAILS } from "../../src/features/email-delivery/new-sign-ins.ts";
import { ENGLISH } from "../../src/features/i18n/translations.ts";
import { setPassword } from "../../src/features/passwords/actions.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { DEACTIVATION_COMMENT_LENGTH_MAX } from "../../src/features/rights/rules.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import { staysInSync } from "../sync.ts";
import type { TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const) setPassword(tx, testServer.idOf(name), hash);
  });
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const PASSWORD = "correct horse battery";
const signIn = (username: string) =>
  testServer.request(null, "POST /fetch_api_key", { username, password: PASSWORD });

/** When their accounts no longer count as new. */
const passHour = () => testServer.clock.passSeconds(3_600);

test("sends an email about a sign-in, except the first one of a new account", async () => {
  await signIn("bo@example.com");
  await deliverDueMail(testServer);
  expect(mailServer.received).toEqual([]);
  passHour();
  await testServer.request("bo", "PATCH /settings", { timezone: "Europe/Paris" });
  await signIn("bo@example.com");
  await deliverDueMail(testServer);
  const [{ mail, to }] = mailServer.received as [MailServer["received"][number]];
  expect([to, mail.subject]).toEqual(["bo@example.com", "New sign-in to Town"]);
  expect(mail.text).toMatch(
    /Time: .*(CET|CEST|GMT\+[12])\nClient: SkeinTest\nIP address: 127\.0\.0\.1/,
  );
  expect(mail.text).toContain(`${testServer.url}/accounts/password/reset/`);
});

test("unsubscribes from sign-in emails with one click, including by email programs", async () => {
  passHour();
  await signIn("bo@example.com");
  await deliverDueMail(testServer);
  const { mail, headers } = mailServer.mailTo("bo@example.com").at(-1)!;
  expect(headers.join("\n")).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  const list = mail.headers.get("list") as unknown as { unsubscribe: { url: string } };
  const { url } = list.unsubscribe;
  expect(url).toMatch(/\/accounts\/unsubscribe\/login\/[\w-]+$/);
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const { events } = await staysInSync(testServer, ["bo", "ada"], async () => {
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  });
  expect(events.bo).toMatchObject([
    { type: "user_settings", property: "enable_login_emails", value: false },
  ]);
  expect(events.ada).toEqual([]);
  const before = mailServer.received.length;
  await signIn("bo@example.com");
  await deliverDueMail(testServer);
  expect(mailServer.received.length).toBe(before);
});

test("changes nothing when the page is viewed, or with an invalid link", async () => {
  passHour();
  await signIn("cy@example.com");
  await deliverDueMail(testServer);
  const { mail } = mailServer.mailTo("cy@example.com").at(-1)!;
  const link = /\S+\/accounts\/unsubscribe\/\S+/.exec(mail.text!)![0];
  const settings = () => testServer.realm.read.users.get(testServer.idOf("cy"))!.settings;
  expect(await (await fetch(link)).text()).toContain("cy@example.com");
  expect(settings()).toEqual({});
  const others = [
    link.replace("/login/", "/missed_messages/"),
    link.replace("/login/", "/constructor/"),
    link.slice(0, -3),
    `${testServer.url}/accounts/unsubscribe/login/${testServer.idOf("cy")}`,
  ];
  expect((await testServer.send(null, "GET //accounts/unsubscribe/login/x")).status).toBe(404);
  expect((await testServer.send(null, "POST //accounts/unsubscribe/login/x")).status).toBe(404);
  for (const other of others) {
    expect((await fetch(other)).status).toBe(404);
    expect((await fetch(other, { method: "POST" })).status).toBe(404);
  }
  expect(settings()).toEqual({});
});

test("limits emails about repeated sign-ins, and says so in the last one", async () => {
  passHour();
  const before = mailServer.mailTo("cy@example.com").length;
  for (let call = 0; call < SIGN_IN_EMAILS.calls + 2; call++) await signIn("cy@example.com");
  await deliverDueMail(testServer);
  const characters = mailServer.mailTo("cy@example.com").slice(before);
  expect(characters).toHaveLength(SIGN_IN_EMAILS.calls);
  const lastWarnings = characters.filter(({ mail }) =>
    mail.text!.includes("no more emails about sign-ins"),
  );
  expect(lastWarnings).toHaveLength(1);
  expect(lastWarnings[0]!.mail.text).toContain(`${testServer.url}/account/`);
});

test("names browsers by their usual names", () => {
  const mozilla = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
  expect(browserOf(mozilla, ENGLISH)).toBe("Firefox on Linux");
  expect(browserOf("Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1 Edg/1", ENGLISH)).toBe(
    "Edge on Windows",
  );
  expect(browserOf("curl/8", ENGLISH)).toBe("curl/8");
  expect(browserOf("", ENGLISH)).toBe("an unknown client");
});

test("notifies a deactivated user by email if the administrator wants it", async () => {
  const deactivationLine = (name: "bo" | "cy") => `DELETE /users/${testServer.idOf(name)}`;
  const comment = "Bye, and <b>thanks</b>\nfor all";
  const long = {
    deactivation_notification_comment: "x".repeat(DEACTIVATION_COMMENT_LENGTH_MAX + 1),
  };
  expect((await testServer.refused("ada", deactivationLine("bo"), long)).code).toBe("BAD_REQUEST");
  const before = mailServer.received.length;
  await testServer.request("ada", deactivationLine("bo"), {
    deactivation_notification_comment: comment,
  });
  await testServer.request("ada", deactivationLine("cy"));
  await deliverDueMail(testServer);
  expect(mailServer.received.slice(before).map(({ to }) => to)).toEqual(["bo@example.com"]);
  const { mail } = mailServer.received.at(-1)!;
  expect(mail.subject).toBe("Your account in Town has been deactivated");
  expect(mail.text).toContain(comment);
  expect(mail.html).toContain("&lt;b&gt;thanks&lt;/b&gt;");
});

test("notifies the owners by email when an organization is deactivated", async () => {
  const before = mailServer.received.length;
  await testServer.request("olga", "POST /realm/deactivate");
  await deliverDueMail(testServer);
  const emails = mailServer.received.slice(before);
  expect(emails.map(({ to, mail }) => [to, mail.subject])).toEqual([
    ["olga@example.com", "Town has been deactivated"],
  ]);
});
