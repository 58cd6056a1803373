// Look-alike addresses are never taken for those of existing accounts, and never stored.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { keyInvalid } from "../../src/contract/errors/general.ts";
import {
  emailNotVerified,
  directoryNamesNoAddress,
  emailInvalid,
  emailTaken,
  proxyUserUnknown,
  signInFailed,
} from "../../src/contract/errors/people.ts";
import { accountFoundEmail } from "../../src/features/mail/account-emails.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { DIRECTORY_PASSWORD, LdapServer } from "../ldap-server.ts";
import { FaultyOidcProvider } from "../faulty-oidc-provider.ts";
import { providerConfig, Host } from "../oidc-provider.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let host: Host;
let provider: FaultyOidcProvider;
let directory: LdapServer;
const kim = "kim@kiosk.example";
/**
 * Characters that Unicode folds: a `k`, a dotted capital i, a long s, full width, an ideographic
 * full stop.
 */
const LOOKALIKES = [
  "\u212Aim@kiosk.example",
  "kim@\u212Aiosk.example",
  "kim@kiosk\uFF0Eexample",
  "kim@kio\u017Fk.example",
  "k\uFF49m@kiosk.example",
];
const header = "Remote-Email";

beforeAll(async () => {
  host = await Host.open();
  provider = new FaultyOidcProvider(host);
  const uid = (mail: string, index: number) => ({ uid: `like${index}`, mail, cn: "Kim Like" });
  directory = await LdapServer.open(...LOOKALIKES.map(uid));
  testServer = await startTestServer({
    oidc_providers: [providerConfig(host.url, { auto_signup: true })],
    ldap: directory.config({ auto_signup: true }),
    trusted_proxy: { ranges: rangesOf(["127.0.0.0/8", "::1"]), header },
  });
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("olga"))!, can_create_users: true });
  });
  await testServer.request("olga", "POST /users", {
    email: kim,
    full_name: "Kim",
    password: PASSWORD,
  });
});
afterAll(async () => {
  await testServer?.close();
  await directory?.close();
  await host?.close();
});

const accounts = () => [...testServer.realm.read.users.range()].length;

test("a verified look-alike address signs in nobody and creates no account", async () => {
  const before = accounts();
  for (const email of LOOKALIKES) {
    provider.token = { email, email_verified: true };
    const browser = new Browser(testServer);
    const { location } = await browser.open("/accounts/login/social/oidc/main");
    const { query } = provider.callback(location!);
    const page = await browser.open(`/complete/oidc/main/${query}`);
    expect(page.refusal).toBe(emailNotVerified("Main Street").message);
  }
  expect(accounts()).toBe(before);
});

test("a look-alike address in a directory or from a proxy signs in nobody either", async () => {
  const before = accounts();
  for (const [index, email] of LOOKALIKES.entries()) {
    const credentials = { username: `like${index}`, password: DIRECTORY_PASSWORD };
    const refusal = await testServer.refused(null, "POST /fetch_api_key", credentials);
    expect(refusal).toMatchObject({ msg: directoryNamesNoAddress().message });
    // Headers carry bytes; other characters than ASCII appear as these bytes in Latin-1.
    const headers = { [header]: Buffer.from(email).toString("latin1") };
    const page = await new Browser(testServer).send(
      "GET",
      "/accounts/login/sso/",
      undefined,
      headers,
    );
    expect(page.refusal).toBe(proxyUserUnknown().message);
  }
  expect(accounts()).toBe(before);
});

test("passwords and keys are tried only for the account with the entered address", async () => {
  const { api_key } = await testServer.request(null, "POST /fetch_api_key", {
    username: "KIM@Kiosk.example",
    password: PASSWORD,
  });
  for (const email of LOOKALIKES) {
    const credentials = { username: email, password: PASSWORD };
    const refusal = await testServer.refused(null, "POST /fetch_api_key", credentials);
    expect(refusal).toMatchObject({ msg: signInFailed().message });
    const secondRefusal = await testServer.refused(null, "POST /fetch_api_key", {
      ...credentials,
      password: api_key,
    });
    expect(secondRefusal).toMatchObject({ msg: signInFailed().message });
    const Authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
    const response = await fetch(`${testServer.url}/api/v1/users/me`, {
      headers: { Authorization },
    });
    expect(await response.json()).toMatchObject({ msg: keyInvalid().message });
  }
  const attempt = { username: "\u212Aim", password: PASSWORD };
  const refusedResponse = await testServer.refused(null, "POST /fetch_api_key", attempt);
  expect(refusedResponse).toMatchObject({ msg: signInFailed().message });
});

test("no account is created, invited, renamed or found by a look-alike", async () => {
  const lookalike = { full_name: "Like", password: PASSWORD };
  for (const email of LOOKALIKES) {
    const refusal = await testServer.refused("olga", "POST /users", { email, ...lookalike });
    expect(refusal.msg).toBe(emailInvalid().message);
    const changed = await testServer.refused("bo", "PATCH /settings", { email });
    expect(changed.msg).toBe(emailInvalid().message);
    const invited = await testServer.refused("olga", "POST /invites", {
      invitee_emails: email,
      stream_ids: [],
    });
    expect(invited.code).toBe("INVITATION_FAILED");
    await testServer.refused("bo", `GET /users/${encodeURIComponent(email)}`);
    await testServer.refused("bo", "POST /messages", {
      type: "direct",
      to: [email],
      content: "hi",
    });
    await testServer.refused("bo", "GET /messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: "sender", operand: email }],
    });
    expect(accountFoundEmail(testServer.realm, email)).toBeUndefined();
  }
});

test("the own address in other letter case is accepted, with a domain in any script", async () => {
  const email = "k\u00F6nig@b\u00FCcher.example";
  await testServer.request("olga", "POST /users", {
    email,
    full_name: "K\u00F6nig",
    password: PASSWORD,
  });
  const same = ["K\u00F6nig@B\u00DCCHER.Example", "k\u00F6nig@xn--bcher-kva.example"];
  for (const username of same) {
    const response = await testServer.request(null, "POST /fetch_api_key", {
      username,
      password: PASSWORD,
    });
    expect(response.email).toBe(email);
    const takenAddress = { email: username, full_name: "Other", password: PASSWORD };
    expect((await testServer.refused("olga", "POST /users", takenAddress)).msg).toBe(
      emailTaken().message,
    );
  }
  const others = { username: "K\u00D6NIG@b\u00FCcher.example", password: PASSWORD };
  await testServer.refused(null, "POST /fetch_api_key", others);
});
