// Pages of the server's own host, which help users find their organizations.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { emailNotAnAddress, otpInvalid, tooManyMails } from "../../src/contract/errors/people.ts";
import { addressesTooMany, organizationUnknown } from "../../src/contract/errors/realm.ts";
import { ADDRESSES_MAX, FINDS_BY_ADDRESS } from "../../src/features/sign-in/find.ts";
import { Browser } from "../browser.ts";
import {
  type TwoOrganizations,
  EAST,
  startTwoOrganizations,
  ROOT,
  WEST,
} from "../two-organizations.ts";
import { deliverDueMail, startTestServerWithMail, MailServer } from "../mail/mail-server.ts";
import { startTestServer } from "../test-server.ts";

let mailServer: MailServer;
let twoOrganizations: TwoOrganizations;
beforeEach(async () => {
  mailServer = await MailServer.open();
  twoOrganizations = await startTwoOrganizations({ mail: mailServer.config });
});
afterEach(async () => {
  await twoOrganizations.close();
  await mailServer.close();
});

const browserAt = (host: string) => new Browser(twoOrganizations, { Host: host });

test("asks for the organization at the server's own host", async () => {
  const browser = browserAt(ROOT);
  expect((await browser.open("/")).location).toBe("/accounts/go/");
  expect((await browser.open("/login/?next=%2Fx")).location).toBe("/accounts/go/?next=%2Fx");
  const { status, text, headers } = await browser.open("/accounts/go/");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  for (const host of [EAST, WEST]) expect(text).not.toContain(host);
  // The form submits to another host, which the content security policy must allow.
  expect(headers.get("content-security-policy")).toContain("form-action 'self' http: https:;");
});

test.each([
  ["east", EAST],
  [" East ", EAST],
  [WEST, WEST],
  [`http://${WEST}/`, WEST],
  [`${WEST}/login/`, WEST],
  [`WEST.example.com:9400`, WEST],
])("redirects a user who enters %j", async (subdomain, host) => {
  const browser = browserAt(ROOT);
  await browser.open("/accounts/go/");
  const { status, location } = await browser.submit("/accounts/go/", { subdomain });
  expect([status, location]).toEqual([302, `http://${host}/login/`]);
});

test("finds an organization by its name too", async () => {
  await twoOrganizations.west.request("olga", "PATCH /realm", { name: "Out West" });
  const browser = browserAt(ROOT);
  await browser.open("/accounts/go/");
  const { location } = await browser.submit("/accounts/go/", { subdomain: "out west" });
  expect(location).toBe(`http://${WEST}/login/`);
});

test("does not let an organization's name attract users of another", async () => {
  const submitSubdomain = async (subdomain: string) => {
    const browser = browserAt(ROOT);
    await browser.open("/accounts/go/");
    const { status, location } = await browser.submit("/accounts/go/", { subdomain });
    return location ?? status;
  };
  const call = (name: string) => twoOrganizations.east.request("olga", "PATCH /realm", { name });
  for (const name of ["west", "West", WEST, `http://${WEST}`, `${WEST}/login/`]) {
    await call(name);
    expect(await submitSubdomain(name)).toBe(`http://${WEST}/login/`);
  }
  await twoOrganizations.west.request("olga", "PATCH /realm", { name: "Both" });
  await call("both");
  expect(await submitSubdomain("Both")).toBe(400);
  await call("east");
  expect(await submitSubdomain("both")).toBe(`http://${WEST}/login/`);
});

test.each(["", "north", ROOT, "http://", "//", "<b>", "http://north.example.com/"])(
  "who types %j is told that there is no such organization",
  async (subdomain) => {
    const browser = browserAt(ROOT);
    await browser.open("/accounts/go/");
    const { status, refusal, location, text } = await browser.submit("/accounts/go/", {
      subdomain,
    });
    expect([status, refusal, location]).toEqual([400, organizationUnknown().message, null]);
    expect(text).not.toContain("<b>");
  },
);

test("passes on the sign-in parameters of an app", async () => {
  const browser = browserAt(ROOT);
  const otp = "ab".repeat(32);
  await browser.open(`/accounts/go/?mobile_flow_otp=${otp}&next=%2Fx`);
  const { location } = await browser.submit("/accounts/go/", { subdomain: "east" });
  expect(location).toBe(`http://${EAST}/login/?next=%2Fx&mobile_flow_otp=${otp}`);
  const { status, text } = await browser.open("/accounts/go/?mobile_flow_otp=12");
  expect([status, text]).toEqual([400, expect.stringContaining(`<p>${otpInvalid().message}.</p>`)]);
});

test("asks nothing at an organization's host, and finds nothing at unknown hosts", async () => {
  expect((await browserAt(EAST).open("/accounts/go/")).location).toBe("/login/");
  const body = new URLSearchParams({ subdomain: "west" });
  const otherPage = await browserAt(EAST).send("POST", "/accounts/go/", body);
  expect(otherPage.location).toBe(`http://${WEST}/login/`);
  const north = { subdomain: "north" };
  expect((await twoOrganizations.east.send(null, "POST //accounts/go/", north)).status).toBe(400);
  for (const path of ["/", "/accounts/go/", "/accounts/find/"]) {
    for (const method of path === "/" ? ["GET"] : ["GET", "POST"]) {
      const form = method === "POST" ? body : undefined;
      const { status, text } = await browserAt("north.example.com").send(method, path, form);
      expect(status).toBe(404);
      // A GET request shows a page; other methods are rejected as before.
      if (method === "GET") expect(text).not.toContain("<form");
      else expect(JSON.parse(text).code).toBe("NONEXISTENT_SUBDOMAIN");
    }
  }
});

test("links from unknown pages at the server's own host, but not at unknown hosts", async () => {
  for (const path of ["/register/", "/nothing", "/help/"]) {
    const { status, text } = await browserAt(ROOT).open(path);
    expect([status, /<a class="button first".*/.exec(text)?.[0]]).toEqual([
      ...[404, '<a class="button first" href="/">Find your organization</a>'],
    ]);
    expect(text).not.toContain("no organization at this address");
    const outsider = await browserAt("north.example.com").open(path);
    expect([outsider.status, outsider.text]).toEqual([
      ...[404, expect.stringContaining("no organization at this address")],
    ]);
    expect(outsider.text).not.toContain("<a ");
  }
});

test("sends the list of organizations only by email, from each of them", async () => {
  const { west } = twoOrganizations;
  await west.request("olga", `DELETE /users/${west.idOf("cy")}`);
  const browser = browserAt(ROOT);
  await browser.open("/accounts/find/");
  const emails = "Bo@example.com, cy@example.com\nnobody@example.com";
  const { status, text } = await browser.submit("/accounts/find/", { emails });
  expect([status, text]).toEqual([200, expect.stringContaining("Check your email")]);
  await deliverDueMail(twoOrganizations.east);
  await deliverDueMail(twoOrganizations.west);
  const received = mailServer.received.map(({ to, mail }) => [
    to,
    mail.text!.match(/http:\/\/\S+/)![0],
  ]);
  expect(received.sort()).toEqual([
    ["bo@example.com", `http://${EAST}`],
    ["bo@example.com", `http://${WEST}`],
    ["cy@example.com", `http://${EAST}`],
  ]);
});

test("does not find deactivated organizations and bots", async () => {
  await twoOrganizations.east.request("olga", "POST /realm/deactivate");
  await deliverDueMail(twoOrganizations.east);
  mailServer.received.length = 0;
  const body = new URLSearchParams({ emails: "bo@example.com botty-bot@chat.example" });
  expect((await browserAt(WEST).send("POST", "/accounts/find/", body)).status).toBe(200);
  await deliverDueMail(twoOrganizations.east);
  await deliverDueMail(twoOrganizations.west);
  expect(mailServer.received.map(({ to, mail }) => [to, mail.text!.includes(EAST)])).toEqual([
    ["bo@example.com", false],
  ]);
});

test("rejects invalid addresses and too many of them, and sends no email", async () => {
  const tooMany = Array.from({ length: ADDRESSES_MAX + 1 }, (_, n) => `a${n}@example.com`).join(
    " ",
  );
  const browser = browserAt(ROOT);
  for (const [emails, refusal] of [
    ["", emailNotAnAddress()],
    ["bo", emailNotAnAddress()],
    [tooMany, addressesTooMany(ADDRESSES_MAX)],
  ] as const) {
    await browser.open("/accounts/find/");
    const page = await browser.submit("/accounts/find/", { emails });
    expect([page.status, page.refusal]).toEqual([400, refusal.message]);
    // It is below the field, which has the focus.
    expect(page.text).toMatch(
      /name="emails"[^>]* autofocus=""[^>]* aria-invalid="true"><p class="refusal"/,
    );
  }
  expect(twoOrganizations.east.realm.read.due.count()).toBe(0);
});

test("limits emails to an address", async () => {
  const limited = await startTestServerWithMail({ rate_limits: true });
  const request = () =>
    new Browser(limited.testServer).send(
      "POST",
      "/accounts/find/",
      new URLSearchParams({ emails: "bo@example.com" }),
    );
  for (let n = 0; n < FINDS_BY_ADDRESS.calls; n++) expect((await request()).status).toBe(200);
  const { status, refusal } = await request();
  expect([status, refusal]).toEqual([tooManyMails().status, tooManyMails().message]);
  await deliverDueMail(limited.testServer);
  expect(limited.mailServer.mailTo("bo@example.com")).toHaveLength(FINDS_BY_ADDRESS.calls);
  await limited.testServer.close();
  await limited.mailServer.close();
});

test("says so if email is not configured", async () => {
  const testServer = await startTestServer();
  for (const line of ["GET //accounts/find/", "POST //accounts/find/"]) {
    const response = await testServer.send(null, line, { emails: "bo@example.com" });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("does not send email"),
    ]);
  }
  await testServer.close();
});
