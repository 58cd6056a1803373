// Passkeys as a second factor, with a software authenticator.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  nameMissing,
  ownPasswordWrong,
  passkeyInvalid,
  passkeyNotFound,
  passkeysTooMany,
  signInExpired,
} from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { recoveryCodesLeft } from "../../src/features/two-factor/recovery.ts";
import { PASSKEYS_PER_USER_MAX } from "../../src/features/two-factor/rules.ts";
import { Authenticator } from "../authenticator.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { type Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const SHOW = "/accounts/login/passkey/";
const MAKE = "/account/passkeys/";

let testServer: TestServer;
let browser: Browser;
let key: Authenticator;
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const)
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
});
afterEach(() => testServer?.close());
beforeEach(async () => {
  await testServer.realm.write((tx) => {
    for (const { hash } of [...tx.passkeys.range()]) tx.passkeys.delete(hash);
  });
  browser = new Browser(testServer);
  key = new Authenticator(testServer.url);
  await browser.signIn("bo");
});

/** Requests the options that the page's script needs before it submits a form. */
const options = (browser: Browser, action: string, fields: Record<string, string>) =>
  browser.postJson(`${action}options/`, fields);

async function make(name = "Key", item = browser, requester = key) {
  const received = await options(item, MAKE, { name, password: PASSWORD });
  const { ticket } = received;
  const credential = await requester.create(received.options);
  await item.open("/account/");
  return item.submit(MAKE, { name, ticket, credential });
}

/** A browser after the password was entered, with its ticket. */
async function signInWithPassword(name: Name = "bo") {
  const browser = new Browser(testServer);
  const { text } = await browser.signIn(name);
  const ticket = /name="ticket" value="([^"]+)"/.exec(text)![1]!;
  return { browser, ticket };
}

async function show(requester = key, origin = testServer.url) {
  const { browser, ticket } = await signInWithPassword();
  const received = await options(browser, SHOW, { ticket });
  const credential = await requester.get(received.options, origin);
  await browser.signIn("bo");
  return browser.send(
    "POST",
    SHOW,
    new URLSearchParams({ ticket, credential, csrfmiddlewaretoken: browser.csrf }),
  );
}

test("requires the password to create a passkey, and asks for it at sign-ins", async () => {
  const page = await make("My <key>");
  expect(page.status).toBe(200);
  expect(page.text.match(/[a-z2-7]{4}(-[a-z2-7]{4}){3}/g)).toHaveLength(10);
  expect((await browser.open("/account/")).text).toContain("My &lt;key&gt;");
  const { browser: item } = await signInWithPassword();
  expect(item.cookies.has("sessionid")).toBe(false);
  expect((await show()).location).toBe("/");
  expect(await make("Second", browser, new Authenticator(testServer.url))).toMatchObject({
    location: "/account/",
  });
});

test("serves the page's script itself, and allows no other", async () => {
  await make();
  const { browser } = await signInWithPassword();
  const policy = browser.page!.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self';");
  expect(browser.page!.text).toContain('<script type="module" src="/static/passkeys.js"></script>');
  const script = await testServer.send(null, "GET //static/passkeys.js");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const text = await script.text();
  expect(() => new Bun.Transpiler({ loader: "js" }).transformSync(text)).not.toThrow();
});

test("accepts a key without a counter again", async () => {
  key = new Authenticator(testServer.url, false);
  await make();
  expect((await show()).location).toBe("/");
  expect((await show()).location).toBe("/");
});

test("detects a copied key by its counter", async () => {
  await make();
  expect((await show()).location).toBe("/");
  expect((await show()).location).toBe("/");
  key.rollBack(1);
  const page = await show();
  expect(page).toMatchObject({ status: 401, refusal: passkeyInvalid().message });
});

test("rejects responses for other sites or signed by another key", async () => {
  await make();
  const phished = await show(key, "https://evil.example");
  expect(phished).toMatchObject({ status: 401, refusal: passkeyInvalid().message });
  const outsider = new Authenticator(testServer.url);
  await outsider.create({ challenge: "x" });
  expect((await show(outsider)).refusal).toBe(passkeyInvalid().message);
  const { browser, ticket } = await signInWithPassword();
  const oddCredentials = ['{"id":1}', '{"id":{"toString":1}}'];
  for (const credential of ["", "[]", "x", ...oddCredentials, "x".repeat(60_000)]) {
    const csrfmiddlewaretoken = browser.csrf;
    const body = new URLSearchParams({ ticket, credential, csrfmiddlewaretoken });
    expect((await browser.send("POST", SHOW, body)).refusal).toBe(passkeyInvalid().message);
  }
  // A body larger than the limit for visitors is not read.
  const long = { ticket, credential: "x".repeat(70_000), csrfmiddlewaretoken: browser.csrf };
  expect((await browser.send("POST", SHOW, new URLSearchParams(long))).status).toBe(413);
});

test("creates a passkey if its browser describes the transports wrongly", async () => {
  for (const transports of ["null", "1", "{}", '"usb"', '[1,"usb"]']) {
    const { ticket, ...received } = await options(browser, MAKE, { name: "K", password: PASSWORD });
    const credential = (await key.create(received.options)).replace('["usb"]', transports);
    const { status } = await browser.postJson(`/json${MAKE}`, { name: "K", ticket, credential });
    expect(`${transports}: ${status}`).toBe(`${transports}: 200`);
  }
  const rows = testServer.realm.read.passkeys.listBy("user", testServer.idOf("bo"));
  expect(rows.map((row) => row.transports)).toContainEqual(["usb"]);
});

test("rejects the response to another challenge", async () => {
  await make();
  const first = await signInWithPassword();
  const received = await options(first.browser, SHOW, { ticket: first.ticket });
  const credential = await key.get(received.options);
  const { browser, ticket } = await signInWithPassword();
  const csrfmiddlewaretoken = browser.csrf;
  const body = new URLSearchParams({ ticket, credential, csrfmiddlewaretoken });
  expect((await browser.send("POST", SHOW, body)).refusal).toBe(passkeyInvalid().message);
});

test("rejects another user's key", async () => {
  await make();
  const others = new Browser(testServer);
  await others.signIn("cy");
  await make("Cy's", others, new Authenticator(testServer.url));
  const { browser: item, ticket } = await signInWithPassword("cy");
  const received = await options(item, SHOW, { ticket });
  const credential = await key.get(received.options);
  const csrfmiddlewaretoken = item.csrf;
  const body = new URLSearchParams({ ticket, credential, csrfmiddlewaretoken });
  expect((await item.send("POST", SHOW, body)).refusal).toBe(passkeyInvalid().message);
  const { passkey_id } = testServer.realm.read.passkeys.listBy("user", testServer.idOf("cy"))[0]!;
  const signInForm = { csrfmiddlewaretoken: browser.csrf, password: PASSWORD };
  const removing = new URLSearchParams({ ...signInForm, passkey_id: String(passkey_id) });
  const page = await browser.send("POST", "/account/passkeys/remove/", removing);
  expect(page.refusal).toBe(passkeyNotFound().message);
});

test("requires the password, a name and the caller's own ticket to create one", async () => {
  const denied = await options(browser, MAKE, { name: "Key", password: "wrong" });
  expect(denied).toMatchObject({ status: 400, msg: ownPasswordWrong().message });
  expect((await make(" ")).refusal).toBe(nameMissing().message);
  const others = new Browser(testServer);
  await others.signIn("cy");
  const received = await options(others, MAKE, { name: "Key", password: PASSWORD });
  const credential = await key.create(received.options);
  await browser.open("/account/");
  const stolen = await browser.submit(MAKE, { name: "Key", ticket: received.ticket, credential });
  expect(stolen.refusal).toBe(signInExpired().message);
  const own = await options(browser, MAKE, { name: "Key", password: PASSWORD });
  const phished = await key.create(own.options, "https://evil.example");
  await browser.open("/account/");
  const fields = { name: "Key", ticket: own.ticket, credential: phished };
  expect((await browser.submit(MAKE, fields)).refusal).toBe(passkeyInvalid().message);
  const late = await options(browser, SHOW, { ticket: "x" });
  expect(late).toMatchObject({ status: 400, msg: signInExpired().message });
});

test("limits the number of passkeys, and asks for none after the last is removed", async () => {
  await make();
  const [passkey] = [...testServer.realm.read.passkeys.range()];
  await testServer.realm.write((tx) => {
    for (let index = 1; index < PASSKEYS_PER_USER_MAX; index++) {
      tx.passkeys.put({ ...passkey!, hash: `${index}`, passkey_id: 1000 + index });
    }
  });
  const more = await make("More", browser, new Authenticator(testServer.url));
  expect(more.refusal).toBe(passkeysTooMany().message);
  for (const { passkey_id } of [...testServer.realm.read.passkeys.range()]) {
    const input = { passkey_id: String(passkey_id), password: PASSWORD };
    const body = new URLSearchParams({ csrfmiddlewaretoken: browser.csrf, ...input });
    await browser.send("POST", "/account/passkeys/remove/", body);
  }
  expect(recoveryCodesLeft(testServer.realm.read, testServer.idOf("bo"))).toBe(0);
  expect((await new Browser(testServer).signIn("bo")).location).toBe("/");
});
