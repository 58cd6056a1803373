// Sign-in URLs do nothing when a page of another site loads them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { notOpened, signInExpired } from "../../src/contract/errors/people.ts";
import { SESSIONS_PER_USER_MAX } from "../../src/features/sessions/actions.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { Browser, FORM_OUTDATED } from "../browser.ts";
import { FaultyOidcProvider } from "../faulty-oidc-provider.ts";
import { providerConfig, Host } from "../oidc-provider.ts";
import { keyIn, OTP, ownerOf } from "../otp.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let host: Host;
let provider: FaultyOidcProvider;
const header = "Remote-Email";
const forgedHeader = { [header]: "bo@example.com" };
const SSO = "/accounts/login/sso/";
const CONFIRM = "/accounts/login/app/confirm/";
const NAVIGATION_HEADERS = {
  ...{ "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" },
  "Sec-Fetch-Dest": "document",
};
/** Requests of an image, a frame and a script. */
const SUBRESOURCE_HEADERS = [
  { ...NAVIGATION_HEADERS, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" },
  { ...NAVIGATION_HEADERS, "Sec-Fetch-Dest": "iframe" },
  { ...NAVIGATION_HEADERS, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" },
];

beforeAll(async () => {
  host = await Host.open();
  provider = new FaultyOidcProvider(host);
  testServer = await startTestServer({
    oidc_providers: [providerConfig(host.url)],
    trusted_proxy: { ranges: rangesOf(["127.0.0.0/8", "::1"]), header },
  });
});
afterAll(async () => {
  await testServer?.close();
  await host?.close();
});

const create = () => ({
  keys: testServer.realm.read.api_keys.countBy("user", testServer.idOf("bo")),
  sessions: testServer.realm.read.sessions.countBy("user", testServer.idOf("bo")),
  tickets: testServer.realm.read.tickets.count(),
});

test("creates nothing and sets no cookie when another site loads a resource", async () => {
  const browser = new Browser(testServer);
  const signInStart = await browser.open("/accounts/login/social/oidc/main");
  const back = `/complete/oidc/main/${provider.callback(signInStart.location!).query}`;
  const before = create();
  const savedCookies = new Map(browser.cookies);
  const paths = [SSO, back, "/accounts/login/social/oidc/main", `${SSO}?mobile_flow_otp=${OTP}`];
  for (const path of paths) {
    for (const loaded of SUBRESOURCE_HEADERS) {
      const page = await browser.send("GET", path, undefined, { ...forgedHeader, ...loaded });
      expect([page.status, page.text]).toEqual([403, expect.stringContaining(notOpened().message)]);
      expect(page.headers.getSetCookie()).toEqual([]);
    }
    const head = await browser.send("HEAD", path, undefined, forgedHeader);
    expect([head.status, head.headers.getSetCookie()]).toEqual([403, []]);
  }
  expect(create()).toEqual(before);
  expect(browser.cookies).toEqual(savedCookies);
  expect((await browser.send("GET", back, undefined, NAVIGATION_HEADERS)).location).toBe("/");
});

test("does not replace a cookie when another site loads the sign-in page", async () => {
  for (const loaded of SUBRESOURCE_HEADERS) {
    const page = await new Browser(testServer).send("GET", "/login/", undefined, loaded);
    expect(page.headers.getSetCookie()).toEqual([]);
  }
  const openedPage = await new Browser(testServer).send(
    "GET",
    "/login/",
    undefined,
    NAVIGATION_HEADERS,
  );
  expect(openedPage.headers.getSetCookie()).toHaveLength(1);
});

test("gives an app its key only through the form of the page, and once", async () => {
  const browser = new Browser(testServer);
  const before = create().keys;
  for (let tries = 0; tries < 3; tries++) {
    await browser.send("GET", `${SSO}?mobile_flow_otp=${OTP}`, undefined, {
      ...forgedHeader,
      ...NAVIGATION_HEADERS,
    });
  }
  expect(create().keys).toBe(before);
  const { text } = browser.page!;
  const ticket = /name="ticket" value="([^"]+)"/.exec(text)![1]!;
  const forged = await browser.send("POST", CONFIRM, new URLSearchParams({ ticket }));
  expect(forged).toMatchObject({ status: 403, refusal: FORM_OUTDATED });
  expect(create().keys).toBe(before);
  browser.page = { ...browser.page!, text };
  const { location } = await browser.submit(CONFIRM);
  expect(await ownerOf(testServer.url, "bo@example.com", keyIn(location))).toBe(
    testServer.idOf("bo"),
  );
  browser.page = { ...browser.page!, text };
  expect(await browser.submit(CONFIRM)).toMatchObject({ refusal: signInExpired().message });
  expect(create().keys).toBe(before + 1);
});

test("keeps the user's session when another site starts many sessions", async () => {
  const own = new Browser(testServer);
  await own.send("GET", SSO, undefined, forgedHeader);
  for (let index = 0; index <= SESSIONS_PER_USER_MAX; index++) {
    await new Browser(testServer).send("GET", SSO, undefined, {
      ...forgedHeader,
      ...NAVIGATION_HEADERS,
    });
  }
  expect(create().sessions).toBe(SESSIONS_PER_USER_MAX);
  expect(await own.request("GET /users/me")).toMatchObject({ user_id: testServer.idOf("bo") });
});
