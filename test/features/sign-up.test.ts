// Open sign-up, and sign-up by multi-use links, after confirmation of the email address.
import { BlockList } from "node:net";
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Config } from "../../src/contract/config.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { EMAILS_BY_ADDRESS } from "../../src/features/invitations/confirm-pages.ts";
import type { RealmSettings } from "../../src/schema/records.ts";
import { Browser, type Page, PASSWORD, proofIn } from "../browser.ts";
import {
  deliverDueMail,
  linkIn,
  startTestServerWithMail,
  type MailServer,
} from "../mail/mail-server.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const DAY = 86_400;
const REGISTER = "/accounts/register/";
const ACCOUNT = { full_name: "Nia New", password: PASSWORD };
const userOf = (email: string, server = testServer) =>
  server.realm.read.users.findBy("email", email);
const pathOf = (link: string) => link.replace(testServer.url, "");
const requests = (server: TestServer, params: Params = {}) =>
  server.request("ada", "POST /invites/multiuse", params).then(({ invite_link }) => invite_link);

async function changeSettings(change: Partial<RealmSettings>, server = testServer) {
  await server.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...change } });
  });
}

async function request(email: string, path = "/register/"): Promise<Page> {
  const browser = new Browser(testServer);
  await browser.open(path);
  return browser.submit(path, { email });
}

/** Returns the path of the link in the newest email to the address. */
async function emailTo(email: string): Promise<string> {
  await deliverDueMail(testServer);
  return pathOf(linkIn(mailServer.mailTo(email).at(-1)!));
}

test("sends a link at sign-up, and creates an account when it is opened", async () => {
  await changeSettings({ invite_required: false });
  const browser = new Browser(testServer);
  const form = await browser.open("/accounts/home/");
  expect(form.text).not.toContain('name="password"');
  expect(await request(" Nia@example.com ")).toMatchObject({ location: "/accounts/send_confirm/" });
  expect((await browser.open("/accounts/send_confirm/")).text).toContain("email with a link");
  expect(userOf("nia@example.com")).toBeUndefined();

  const path = await emailTo("Nia@example.com");
  const [email] = mailServer.mailTo("Nia@example.com") as [MailServer["received"][number]];
  expect(email.mail.subject).toBe("Confirm your email address to join Town");
  expect(path).toStartWith("/accounts/do_confirm/");
  const storedJson = JSON.stringify([...testServer.realm.read.tickets.range()]);
  expect(storedJson).not.toContain(path.split("/").at(-2)!);
  expect((await browser.open(path)).text).toContain('value="Nia@example.com"');
  expect(userOf("nia@example.com")).toBeUndefined();

  const { events } = await staysInSync(testServer, ["bo", "gus"], async () => {
    const page = await browser.submit(REGISTER, { ...ACCOUNT, email: "other@example.com" });
    expect(page).toMatchObject({ status: 302, location: "/" });
  });
  const { user_id, role } = userOf("nia@example.com")!;
  expect([role, userOf("other@example.com")]).toEqual([400, undefined]);
  expect(events.bo![0]).toMatchObject({ type: "realm_user", op: "add", person: { user_id } });
  const signIn = { username: "nia@example.com", password: PASSWORD };
  expect(await testServer.request(null, "POST /fetch_api_key", signIn)).toMatchObject({ user_id });
  expect(await browser.open(path)).toMatchObject({ status: 410 });
});

test("sends an individual link to each user of a shared link, with its promises", async () => {
  const general = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
  const path = pathOf(await requests(testServer, { invite_as: 600, stream_ids: [general] }));
  await changeSettings({ invite_required: true });
  expect(await request("g1@example.com", path)).toMatchObject({
    location: "/accounts/send_confirm/",
  });
  const browser = new Browser(testServer);
  const page = await browser.open(await emailTo("g1@example.com"));
  expect(page.text).toContain("<bdi>Ada Admin</bdi> invites you");
  expect((await browser.submit(REGISTER, ACCOUNT)).location).toBe("/");
  const { user_id, role } = userOf("g1@example.com")!;
  const subs = testServer.realm.read.subscriptions.listBy("user", user_id);
  expect([role, subs.map((sub) => sub.stream_id)]).toEqual([600, [general]]);
});

test("expires a link after a day, and with its invitation or the openness of sign-up", async () => {
  await changeSettings({ invite_required: false });
  await request("slow@example.com");
  const slow = await emailTo("slow@example.com");
  testServer.clock.passSeconds(DAY + 1);
  const browser = new Browser(testServer);
  expect(await browser.open(slow)).toMatchObject({ status: 410 });

  await request("late@example.com");
  const late = await emailTo("late@example.com");
  await browser.open(late);
  await changeSettings({ invite_required: true });
  expect(await browser.submit(REGISTER, ACCOUNT)).toMatchObject({ status: 410 });

  const path = pathOf(await requests(testServer));
  await request("gone@example.com", path);
  const removed = await emailTo("gone@example.com");
  await browser.open(removed);
  const { invites } = await testServer.request("ada", "GET /invites");
  for (const { id } of invites.filter((invite: Params) => invite["is_multiuse"])) {
    await testServer.request("ada", `DELETE /invites/multiuse/${id}`);
  }
  expect(await browser.submit(REGISTER, ACCOUNT)).toMatchObject({ status: 410 });
  expect(["slow", "late", "gone"].map((name) => userOf(`${name}@example.com`))).toEqual(
    Array(3).fill(undefined),
  );
});

test("tells only by email that an account exists", async () => {
  await changeSettings({ invite_required: false });
  const [known, unknown] = [await request("cy@example.com"), await request("una@example.com")];
  expect([known.status, known.location]).toEqual([unknown.status, unknown.location]);
  await deliverDueMail(testServer);
  const [email] = mailServer.mailTo("cy@example.com") as [MailServer["received"][number]];
  expect(email.mail.subject).toBe("You have an account in Town");
  expect(email.mail.text).not.toContain("do_confirm");
  expect(email.mail.text).toContain("/login/");
});

test("reports errors of a form", async () => {
  await changeSettings({ invite_required: false, disallow_disposable_email_addresses: true });
  const cases: [string, errors.Refusal][] = [
    ["", peopleErrors.emailNotAnAddress()],
    ["nobody", peopleErrors.emailNotAnAddress()],
    ["x@mailinator.com", realmErrors.emailDisposable()],
  ];
  for (const [email, { message: refusal }] of cases) {
    expect(await request(email)).toMatchObject({ status: 400, refusal: Bun.escapeHTML(refusal) });
  }
  await request("weak@example.com");
  const browser = new Browser(testServer);
  await browser.open(await emailTo("weak@example.com"));
  const page = await browser.submit(REGISTER, { ...ACCOUNT, password: "qwertyuiop" });
  expect(page).toMatchObject({ status: 400, refusal: peopleErrors.passwordTooWeak().message });
  expect(page.text).toContain('value="Nia New"');
  expect((await browser.submit(REGISTER, ACCOUNT)).location).toBe("/");
  const unknown = await testServer.send(null, `POST /${REGISTER}`, { ...ACCOUNT, key: "x" });
  expect(unknown.status).toBe(410);
});

test("requires proof of work, which is accepted once", async () => {
  const own = await startTestServer();
  await changeSettings({ invite_required: false }, own);
  const { message } = peopleErrors.proofMissing();
  const formOf = async () => ({ text: await (await own.send(null, "GET //register/")).text() });
  const send = async (email: string, params: Params) => {
    const input = { ...ACCOUNT, email, ...params };
    return (await own.send(null, "POST //register/", input)).text();
  };
  const proof = proofIn(await formOf());
  const other = proofIn(await formOf());
  const challengeOf = (of: Params) => JSON.parse(atob(String(of["altcha"])));
  const mixed = { ...challengeOf(proof), solution: challengeOf(other).solution };
  const eased = challengeOf(proof);
  eased.challenge.parameters.expiresAt += DAY;
  for (const wrong of [{}, "x", "bnVsbA==", "e30=", mixed, eased, "x".repeat(9000)]) {
    const altcha = typeof wrong === "string" ? wrong : btoa(JSON.stringify(wrong));
    expect(await send("nia@example.com", { altcha })).toContain(message);
  }
  expect(await send("nia@example.com", {})).toContain(message);
  expect(await send("nia@example.com", proof)).toContain("Welcome to Town");
  expect(await send("two@example.com", proof)).toContain(message);
  own.clock.passSeconds(1801);
  expect(await send("two@example.com", other)).toContain(message);
  expect(["nia", "two"].map((name) => userOf(`${name}@example.com`, own)?.role)).toEqual([
    400,
    undefined,
  ]);
  const script = await own.send(null, "GET //static/proof.js");
  expect(script.headers.get("content-type")).toStartWith("text/javascript");
  await own.close();
});

const pages: [string, Params, number][] = [
  ["GET //accounts/home/", {}, 200],
  ["POST //accounts/home/", { email: "nobody" }, 400],
  ["GET //accounts/send_confirm/", {}, 200],
  ["GET //accounts/do_confirm/never-given/", {}, 410],
  ["POST //accounts/register/", { key: "never-given" }, 410],
];

test.each(pages)("%s answers anyone with a page", async (line, params, status) => {
  await changeSettings({ invite_required: false });
  const page = await testServer.send(null, line, params);
  expect(page.status).toBe(status);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
});

test("limits emails to an address", async () => {
  const own = await startTestServer({ mail: mailServer.config, rate_limits: true });
  await changeSettings({ invite_required: false }, own);
  const send = async () => {
    const form = await (await own.send(null, "GET //register/")).text();
    const params = { email: "flood@example.com", ...proofIn({ text: form }) };
    return (await own.send(null, "POST //register/", params)).text();
  };
  for (let n = 0; n < EMAILS_BY_ADDRESS[0].calls; n++) {
    expect(await send()).not.toContain("alert");
  }
  expect(await send()).toContain(refusals.tooManyMails().message);
  await own.close();
});

const DOMAIN_RESTRICTED = { emails_restricted_to_domains: true, invite_required: false };

test("accepts nobody without email if domains are restricted", async () => {
  const own = await startTestServer();
  const open = await requests(own);
  await own.request("olga", "POST /realm/domains", {
    domain: "example.com",
    allow_subdomains: false,
  });
  await changeSettings(DOMAIN_RESTRICTED, own);
  const account = { ...ACCOUNT, email: "nia@example.com" };
  for (const path of ["/register/", open.replace(own.url, "")]) {
    for (const line of [`GET /${path}`, `POST /${path}`]) {
      const page = await own.send(null, line, account);
      expect(page.status).toBe(403);
      expect(await page.text()).toContain("Ask an administrator");
    }
  }
  expect(userOf("nia@example.com", own)).toBeUndefined();

  own.clock.passSeconds(3 * 86_400);
  const { msg } = await own.refused("ada", "POST /invites/multiuse");
  expect(msg).toBe(refusals.addressesUnconfirmed().message);
  const params = { invitee_emails: "nia@example.com", stream_ids: [] };
  const byMember = await own.refused("bo", "POST /invites", params);
  expect(byMember.msg).toBe(refusals.addressesUnconfirmed().message);
  const wrong = await own.refused("bo", "POST /invites", {
    ...params,
    invitee_emails: "nia@x.org",
  });
  expect(wrong.msg).toBe("Some emails did not validate, so we didn't send any invitations.");
  const change = { email: "boss@example.com" };
  const { msg: unchanged } = await own.refused("bo", "PATCH /settings", change);
  expect(unchanged).toBe(refusals.addressesUnconfirmed().message);

  const { invite_links } = await own.request("ada", "POST /invites", params);
  const path = invite_links[0].invite_link.replace(own.url, "/");
  expect((await own.send(null, `POST ${path}`, account)).status).toBe(200);
  expect(userOf("nia@example.com", own)).toBeDefined();
  await own.close();
});

test("does not accept an earlier invitation of a member under another name", async () => {
  const own = await startTestServer();
  const params = { invitee_emails: "boss@example.com", stream_ids: [] };
  const { invite_links } = await own.request("bo", "POST /invites", params);
  await own.request("olga", "POST /realm/domains", {
    domain: "example.com",
    allow_subdomains: false,
  });
  await changeSettings(DOMAIN_RESTRICTED, own);
  const path = invite_links[0].invite_link.replace(own.url, "/");
  expect((await own.send(null, `POST ${path}`, ACCOUNT)).status).toBe(403);
  expect(userOf("boss@example.com", own)).toBeUndefined();
  await own.close();
});

test("lets users of a provider join with a shared link", async () => {
  const ranges = new BlockList();
  ranges.addAddress("127.0.0.1");
  const trusted_proxy: Config["trusted_proxy"] = { ranges, header: "x-person" };
  const own = await startTestServer({ trusted_proxy });
  const path = (await requests(own, { invite_as: 600 })).replace(own.url, "");
  const browser = new Browser(own);
  const page = await browser.open(path);
  expect(page.status).toBe(403);
  const sso = /href="(\/accounts\/login\/sso\/[^"]+)"/.exec(page.text)![1]!;
  const user = { "X-Person": "nia@example.com" };
  expect(await browser.send("GET", "/accounts/login/sso/", undefined, user)).toMatchObject({
    refusal: refusals.noAccountYet("nia@example.com").message,
  });
  const { location } = await browser.send("GET", sso, undefined, user);
  await browser.open(location!);
  expect(await browser.submit(location!, { full_name: "Nia New" })).toMatchObject({
    location: "/",
  });
  expect(userOf("nia@example.com", own)).toMatchObject({ role: 600 });
  await own.close();
});
