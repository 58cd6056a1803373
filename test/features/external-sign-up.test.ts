// Joining where passwords are managed elsewhere: by identity providers and their buttons.
import { BlockList } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { Browser, PASSWORD } from "../browser.ts";
import { DIRECTORY_PASSWORD, LdapServer } from "../ldap-server.ts";
import {
  deliverDueMail,
  linkIn,
  startTestServerWithMail,
  type MailServer,
} from "../mail/mail-server.ts";
import type { TestServer } from "../test-server.ts";

let directory: LdapServer;
let testServer: TestServer;
let mailServer: MailServer;
beforeAll(async () => {
  directory = await LdapServer.open({ uid: "nia", mail: "nia@example.com", cn: "Nia New" });
});
beforeEach(async () => {
  const ranges = new BlockList();
  ranges.addAddress("127.0.0.1");
  const ldap = directory.config();
  const trusted_proxy = { ranges, header: "x-person" };
  ({ testServer, mailServer } = await startTestServerWithMail({ ldap, trusted_proxy }));
});
afterEach(async () => {
  await testServer?.close();
  await mailServer?.close();
});
afterAll(() => directory?.close());

async function leaveOn(authentication_methods: Record<string, boolean>): Promise<void> {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, authentication_methods } });
  });
}

async function inviteLink(invitee_emails: string): Promise<string> {
  await testServer.request("ada", "POST /invites", {
    invitee_emails,
    stream_ids: [],
    invite_as: 600,
  });
  await deliverDueMail(testServer);
  return linkIn(mailServer.mailTo(invitee_emails).at(-1)!).replace(testServer.url, "");
}

const userOf = (email: string) => testServer.realm.read.users.findBy("email", email);
const findLink = (text: string, to: string) =>
  new RegExp(`href="(${to}[^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&");

test("lets an invited user join with a provider's button, without a password", async () => {
  await leaveOn({ Email: false, LDAP: false });
  const path = await inviteLink("nia@example.com");
  const browser = new Browser(testServer);
  const page = await browser.open(path);
  expect(page.text).toContain("Sign in to join");
  expect(page.text).not.toContain("<form");
  expect(findLink(page.text, "/login/")).toBeUndefined();
  const input = new URLSearchParams({ full_name: "Nia", password: PASSWORD });
  expect((await browser.send("POST", path, input)).text).toContain("are managed elsewhere");
  expect(userOf("nia@example.com")).toBeUndefined();

  const user = { "X-Person": "nia@example.com" };
  const sso = findLink(page.text, "/accounts/login/sso/")!;
  const { location } = await browser.send("GET", sso, undefined, user);
  await browser.open(location!);
  await browser.submit(location!, { full_name: "Nia New" });
  expect(userOf("nia@example.com")).toMatchObject({ role: 600 });
});

test("shows the form of the directory first for its users", async () => {
  await leaveOn({ Email: false });
  const browser = new Browser(testServer);
  const { text } = await browser.open(await inviteLink("nia@example.com"));
  expect(text).toContain("are managed elsewhere");
  expect(findLink(text, "/accounts/login/sso/")).toBeDefined();
  await browser.open(findLink(text, "/login/")!);
  const credentials = { username: "nia", password: DIRECTORY_PASSWORD };
  const { location } = await browser.submit("/accounts/login/", credentials);
  await browser.open(location!);
  await browser.submit(location!, { full_name: "Nia New" });
  expect(userOf("nia@example.com")).toMatchObject({ role: 600 });
});

test("asks for no password if passwords were disabled after the link was requested", async () => {
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  const browser = new Browser(testServer);
  await browser.open("/register/");
  await browser.submit("/register/", { email: "nia@example.com" });
  await deliverDueMail(testServer);
  const confirmLink = linkIn(mailServer.mailTo("nia@example.com").at(-1)!).replace(
    testServer.url,
    "",
  );
  expect((await browser.open(confirmLink)).text).toContain('name="password"');
  await leaveOn({ Email: false });
  for (const path of [confirmLink, "/register/"]) {
    const { text } = await browser.open(path);
    expect(text).toContain("are managed elsewhere");
    expect(text).not.toContain("<form");
    expect(findLink(text, "/login/")).toBeDefined();
  }
});

test("asks for a password if passwords are enabled", async () => {
  const { text } = await new Browser(testServer).open(await inviteLink("nia@example.com"));
  expect(text).toContain('name="password"');
});
