// The language of the server's pages and emails, by user and request.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Browser, PASSWORD } from "../browser.ts";
import {
  deliverDueMail,
  linkIn,
  startTestServerWithMail,
  type MailServer,
} from "../mail/mail-server.ts";
import type { TestServer } from "../test-server.ts";
import { post, striped } from "./upload-fixture.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const germanBrowser = () =>
  new Browser(testServer, { "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" });

test("greets German browsers in German through the whole sign-up", async () => {
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  const browser = germanBrowser();
  const { text } = await browser.open("/register/");
  expect(text).toContain('<html lang="de">');
  expect(text).toContain("Town beitreten");
  const refusal = await browser.submit("/register/", { email: "nia" });
  expect(refusal.refusal).toBe("Gib eine gültige E-Mail-Adresse ein.");

  await browser.submit("/register/", { email: "nia@example.com" });
  await deliverDueMail(testServer);
  const email = mailServer.mailTo("nia@example.com")[0]!;
  expect(email.mail.subject).toBe("Bestätige deine E-Mail-Adresse, um Town beizutreten");
  expect(email.mail.html).toContain('<html lang="de">');
  await browser.open(linkIn(email).replace(testServer.url, ""));
  const account = { full_name: "Nia New", password: PASSWORD };
  await browser.submit("/accounts/register/", account);
  expect((await browser.open("/account/")).text).toContain("Dein Konto");
  const user = testServer.realm.read.users.findBy("email", "nia@example.com")!;
  expect(user.settings).toMatchObject({ default_language: "de" });
});

test("uses the account's language, whatever the browser's", async () => {
  await testServer.request("bo", "PATCH /settings", { default_language: "de" });
  await testServer.request("ada", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("bo")],
    content: "Hallo",
  });
  const browser = new Browser(testServer, { "Accept-Language": "en" });
  const form = await browser.open("/accounts/password/reset/");
  expect(form.text).toContain("Forgot your password?");
  await browser.submit("/accounts/password/reset/", { email: "bo@example.com" });
  await deliverDueMail(testServer);
  const email = mailServer.mailTo("bo@example.com")[0]!;
  expect(email.mail.subject).toBe("Neues Passwort für Town festlegen");
  const page = await browser.open(linkIn(email).replace(testServer.url, ""));
  expect(page.text).toContain("Dein neues Passwort");
});

test("uses the organization's language if no other is known", async () => {
  const browser = new Browser(testServer, { "Accept-Language": "fr" });
  expect((await browser.open("/login/")).text).toContain("Sign in to Town");
  await testServer.request("olga", "PATCH /realm", { default_language: "de" });
  expect((await browser.open("/login/")).text).toContain("Bei Town anmelden");
  expect((await browser.open("/nowhere/")).text).toContain("Nicht gefunden");
  const english = new Browser(testServer, { "Accept-Language": "en-GB" });
  expect((await english.open("/login/")).text).toContain("Sign in to Town");
  await testServer.request("ada", "POST /invites", {
    invitee_emails: "nia@example.com",
    invite_expires_in_minutes: 60,
    stream_ids: [],
  });
  await deliverDueMail(testServer);
  const [email] = mailServer.mailTo("nia@example.com");
  expect(email!.mail.subject).toBe("Du bist eingeladen, Town beizutreten");
});

test("shows the organization's name and icon on pages", async () => {
  const browser = new Browser(testServer);
  expect((await browser.open("/accounts/password/reset/")).text).toContain("<bdi>Town</bdi>");
  await post(testServer, "ada", "POST /realm/icon", [
    { name: "x.png", bytes: striped(64, 64), type: "image/png" },
  ]);
  const { text } = await browser.open("/accounts/password/reset/");
  expect(text).toMatch(/<img class="mark" src="\/user_avatars\/1\/realm\/[^"]+"/);
});
