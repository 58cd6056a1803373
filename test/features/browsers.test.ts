// Pages at addresses that visitors type, and files that browsers request on their own.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { otpInvalid } from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, FORM_OUTDATED, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { read } from "./upload-fixture.ts";

let testServer: TestServer;
beforeAll(async () => void (testServer = await startTestServer()));
afterAll(() => testServer.close());

const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const getPage = (path: string, method = "GET") => read(testServer, null, path, HTML, method);

test("answers an unknown URL with a page to browsers, and with JSON to programs", async () => {
  for (const path of ["/nothing", "/nothing/at/all", "/assets/none.js", "/apis", "//x"]) {
    const response = await getPage(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      ...[path, 404, "text/html; charset=utf-8"],
    ]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain('<a class="button first" href="/">');
  }
  expect((await getPage("/nothing", "HEAD")).status).toBe(404);
  const requested = [
    read(testServer, null, "/nothing"),
    read(testServer, null, "/nothing", { Accept: "application/json, text/html" }),
    getPage("/api/v1/nothing"),
    getPage("/json/nothing"),
    getPage("/nothing", "POST"),
  ];
  for (const response of await Promise.all(requested)) {
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ result: "error", msg: "Not Found" });
  }
});

test("finds a page without its trailing slash", async () => {
  for (const [path, location] of [
    ["/login", "/login/"],
    ["/login?next=%2Fx", "/login/?next=%2Fx"],
    ["/accounts/password/reset", "/accounts/password/reset/"],
    ["//accounts//login", "/accounts/login/"],
  ] as const) {
    const { status, headers } = await getPage(path);
    expect([path, status, headers.get("location")]).toEqual([path, 302, location]);
  }
  expect((await getPage("/login", "POST")).status).toBe(404);
  expect((await getPage("/api/v1/tus")).status).toBe(404);
});

test("redirects GET requests to a form's target to the page with the form", async () => {
  for (const [path, location] of [
    ["/account/password/", "/account/"],
    ["/account/app/confirm/", "/account/"],
    ["/accounts/login/second-factor/", "/accounts/login/"],
    ["/accounts/register/", "/"],
  ] as const) {
    const { status, headers } = await getPage(path);
    expect([path, status, headers.get("location")]).toEqual([path, 302, location]);
    expect((await read(testServer, null, path)).status).toBe(405);
  }
});

/** Returns the text of a page, and the targets of its buttons. */
async function describePage(response: Response) {
  const [, main = ""] = /<\/header>(.*)<\/div><\/main>/s.exec(await response.text()) ?? [];
  const buttons = [...main.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, to]) => to);
  const text = main.replaceAll(/<a .*?<\/a>/gs, "").replaceAll(/<[^>]*>/g, "");
  return { status: response.status, words: text.trim().split(/\s*\n\s*/), buttons };
}

test("answers errors with a page to browsers, and with JSON to programs", async () => {
  const wrong = "/login/?mobile_flow_otp=12";
  expect(await describePage(await getPage(wrong))).toEqual({
    ...{ status: 400, words: ["That didn’t work", `${otpInvalid().message}.`], buttons: ["/"] },
  });
  const program = await read(testServer, null, wrong);
  expect([program.status, await program.json()]).toMatchObject([
    400,
    { msg: otpInvalid().message },
  ]);
  // A browser would show its own password prompt if the response contained "Basic".
  const unknown = await getPage("/avatar/99999");
  expect([unknown.status, unknown.headers.get("content-type")]).toEqual([
    401,
    "text/html; charset=utf-8",
  ]);
  expect(unknown.headers.get("www-authenticate")).not.toContain("Basic");
  expect(await describePage(await getPage("/login/", "PUT"))).toMatchObject({
    status: 405,
    buttons: ["/login/", "/"],
  });
});

test("leads from a form of an expired session back to it", async () => {
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  await browser.open("/account/");
  const { csrf } = browser;
  await browser.open("/accounts/logout/");
  await browser.submit("/accounts/logout/");
  await browser.signIn("bo");
  const body = new URLSearchParams({ csrfmiddlewaretoken: csrf, password: PASSWORD });
  const { status, text } = await browser.send("POST", "/account/app/", body);
  expect([status, text]).toEqual([403, expect.stringContaining(FORM_OUTDATED)]);
  expect(text).toContain('<a class="button first" href="/account/app/">');
  expect((await browser.open("/account/app/")).location).toBe("/account/");
});

test("shows rate limits and server errors in the reader's language", async () => {
  const limited = await startTestServer({ rate_limits: true });
  const de = { ...HTML, "Accept-Language": "de" };
  const request = (method = "GET") => read(limited, null, "/login/?next=%2Fx", de, method);
  const failing = spyOn(console, "error").mockImplementation(() => {});
  const failNextRead = (error: Error) =>
    spyOn(limited.realm.read.realm, "has").mockImplementationOnce(() => {
      throw error;
    });
  failNextRead(new Error("a wire is loose"));
  const failed = await request();
  const id = failed.headers.get("x-request-id");
  expect(await describePage(failed)).toEqual({
    status: 500,
    words: [
      "Etwas ist schiefgegangen",
      "Wenn das wieder vorkommt, sage es dem Betreiber des Servers. " +
        `Im Log stehen Einzelheiten unter ${id}.`,
    ],
    buttons: ["/login/?next=%2Fx", "/"],
  });
  failNextRead(Object.assign(new Error("full"), { code: "ENOSPC" }));
  expect(await describePage(await request())).toMatchObject({
    status: 503,
    words: [
      expect.anything(),
      "Der Server kann gerade nicht auf seine Festplatte schreiben.",
      expect.anything(),
    ],
  });
  failing.mockRestore();
  let response = await request();
  while (response.status === 200) response = await request();
  expect(response.headers.get("retry-after")).not.toBeNull();
  expect(await describePage(response)).toEqual({
    status: 429,
    words: [
      "Zu viele Anfragen",
      "Von deiner Adresse kamen zu viele Anfragen. Versuche es in 1 Minute noch einmal.",
    ],
    buttons: ["/login/?next=%2Fx", "/"],
  });
  await limited.close();
});

test("answers a deleted file with a page to browsers, and with text to programs", async () => {
  const missingUrl = "/user_uploads/1/ab/none.png";
  const answer = await read(testServer, "bo", missingUrl, { ...HTML, "Accept-Language": "de" });
  // In the language of the account, not of the browser.
  expect(await describePage(answer)).toEqual({
    status: 404,
    words: ["Not found", "This file does not exist or was deleted."],
    buttons: ["/"],
  });
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  const response = await read(testServer, "bo", missingUrl);
  const { status, headers } = response;
  expect([status, headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
  const picture = await read(testServer, "bo", missingUrl, { Accept: "image/avif,image/webp,*/*" });
  expect([picture.status, picture.headers.get("content-type")]).toEqual([404, "image/png"]);
});

test("serves a site icon, and asks crawlers not to index the site", async () => {
  const favicon = await testServer.send(null, "GET //favicon.ico");
  expect(favicon.headers.get("content-type")).toBe("image/png");
  const robots = await testServer.send(null, "GET //robots.txt");
  expect(robots.headers.get("content-type")).toStartWith("text/plain");
  expect(await robots.text()).toBe("User-agent: *\nDisallow: /\n");
});
