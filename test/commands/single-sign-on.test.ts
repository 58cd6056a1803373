// Single sign-on servers as an operator configures them by files and flags.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFlags } from "../../src/commands/config/sources.ts";
import type { Values } from "../../src/commands/flags.ts";
import { identityFlags, identitySettingsIn } from "../../src/commands/identity-providers.ts";
import { Server, skein } from "./skein.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-vouchers-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function vouchersOf(args: string[], environment = {}) {
  return identitySettingsIn(
    parseFlags(identityFlags, args, environment) as Values<typeof identityFlags>,
  );
}

const provider = {
  name: "main",
  display_name: "Main Street",
  issuer: "https://login.example.com/realms/main",
  client_id: "skein",
};
const ldap = {
  url: "ldaps://ldap.example.com",
  bind_dn: "cn=clerk,dc=example,dc=com",
  bind_password: "secret",
  search_base: "dc=example,dc=com",
};

test("has no other sign-in methods without flags", () => {
  expect(vouchersOf([])).toEqual({});
});

test("reads providers from a file, and secrets there or beside it", () => {
  file("secret", "from a file\nand more");
  const rows = [
    { ...provider, client_secret_file: "secret", auto_signup: true },
    { ...provider, name: "other", client_secret: "plain", scopes: ["openid", "email"] },
    { ...provider, name: "public", display_icon: "/icon.png", accept_unverified_email: true },
  ];
  const path = file("providers.json", rows);
  const { oidc_providers } = vouchersOf([], { SKEIN_OIDC_PROVIDERS: path });
  const rest = { ...provider, display_icon: null, scopes: ["openid", "email", "profile"] };
  const cautious = { auto_signup: false, accept_unverified_email: false };
  expect(oidc_providers).toEqual([
    { ...rest, ...cautious, client_secret: "from a file", auto_signup: true },
    { ...rest, ...cautious, name: "other", client_secret: "plain", scopes: ["openid", "email"] },
    {
      ...rest,
      name: "public",
      display_icon: "/icon.png",
      ...cautious,
      accept_unverified_email: true,
    },
  ]);
});

test("searches a directory with an account, or binds users directly", () => {
  file("ca.pem", "a certificate");
  const searched = vouchersOf(["--ldap", file("ldap.json", { ...ldap, ca_file: "ca.pem" })]).ldap;
  expect(searched).toEqual({
    url: ldap.url,
    starttls: false,
    ca: "a certificate",
    bind: { dn: ldap.bind_dn, password: "secret" },
    search_base: ldap.search_base,
    search_filter: "(uid={username})",
    email_attribute: "mail",
    full_name_attribute: "cn",
    auto_signup: false,
  });
  const user_dn = "uid={username},dc=example,dc=com";
  const direct = { url: "ldap://ldap.example.com", starttls: true, user_dn };
  expect(vouchersOf(["--ldap", file("ldap.json", direct)]).ldap).toMatchObject({
    user_dn,
    starttls: true,
  });
});

test("recognizes a proxy by its addresses, and reads one header", () => {
  const flags = ["--trusted-proxy", "10.0.0.0/8, ::1", "--remote-user-header", "Remote-Email"];
  const { ranges, header } = vouchersOf(flags).trusted_proxy!;
  expect(header).toBe("Remote-Email");
  expect(ranges.check("10.1.2.3")).toBe(true);
  expect(ranges.check("11.1.2.3")).toBe(false);
  expect(ranges.check("::1", "ipv6")).toBe(true);
});

const providers: [unknown, string][] = [
  ["{", "it is not JSON"],
  [{}, "providers is not a list"],
  [[{ ...provider, issuer: undefined }], 'providers[0]["issuer"] field is missing'],
  [[{ ...provider, colour: "red" }], 'Argument "colour" at providers[0] is unexpected'],
  [[{ ...provider, client_id: 7 }], 'providers[0]["client_id"] is not a string'],
  [[{ ...provider, name: "a/b" }], "is part of URLs"],
  [[provider, provider], "main is used twice"],
  [[{ ...provider, issuer: "http://login.example.com" }], '"issuer"] must be a URL such as https'],
  [[{ ...provider, issuer: "login" }], '"issuer"] must be a URL such as https'],
  [[{ ...provider, scopes: ["email"] }], 'lacks "openid"'],
  [[{ ...provider, client_secret: "a", client_secret_file: "b" }], "has both client_secret and"],
  [[{ ...provider, client_secret_file: "none" }], "no such file"],
];

test.each(providers)("rejects providers %j at startup", (content, text) => {
  const path = file("wrong.json", content);
  expect(() => vouchersOf(["--oidc-providers", path])).toThrow(text);
  expect(() => vouchersOf(["--oidc-providers", path])).toThrow(path);
});

const directories: [object, string][] = [
  [{ url: "https://ldap.example.com" }, "url must be ldaps://HOST:PORT"],
  [{ url: "ldaps://ldap.example.com/dc=x" }, "url must be ldaps://HOST:PORT"],
  [{ url: "ldap://ldap.example.com" }, "sends passwords unencrypted"],
  [{ starttls: true }, "starttls requires ldap://"],
  [{ bind_password: undefined }, "bind_dn requires bind_password"],
  [{ bind_dn: undefined }, "either bind_dn"],
  [{ user_dn: "uid={username}" }, "either bind_dn"],
  [{ search_base: undefined }, "search_base is missing"],
  [{ search_filter: "uid={username}" }, "search_filter must be a filter"],
  [{ search_filter: "(uid=x)" }, "search_filter must be a filter"],
  [{ bind_dn: undefined, user_dn: "{username}" }, "user_dn must contain {username}"],
  [{ bind_dn: undefined, user_dn: "uid=x" }, "user_dn must contain {username}"],
  [
    { bind_dn: undefined, search_base: undefined, user_dn: "{username}@x" },
    "search_base is missing",
  ],
  [{ filter: "" }, 'Argument "filter" at directory is unexpected'],
];

test.each(directories)("rejects a directory with %j at startup", (extra, text) => {
  const path = file("wrong.json", { ...ldap, ...extra });
  expect(() => vouchersOf(["--ldap", path])).toThrow(text);
});

test("allows unencrypted connections explicitly, and on the machine itself", () => {
  for (const more of [{ allow_cleartext: true }, { url: "ldap://127.0.0.1:389" }]) {
    const row = { ...ldap, url: "ldap://ldap.example.com", ...more };
    expect(vouchersOf(["--ldap", file("ldap.json", row)]).ldap?.url).toBe(row.url);
  }
});

test.each([
  [["--trusted-proxy", "10.0.0.1"], "--trusted-proxy requires --remote-user-header"],
  [["--remote-user-header", "X"], "--remote-user-header requires --trusted-proxy"],
  [
    ["--trusted-proxy", "here", "--remote-user-header", "X"],
    "--trusted-proxy: here is not an address",
  ],
  [["--trusted-proxy", ",", "--remote-user-header", "X"], "contains no address"],
  [["--trusted-proxy", "::1", "--remote-user-header", "a b"], "must be the name of a header"],
])("%j is no trusted proxy", (args, text) => {
  expect(() => vouchersOf(args)).toThrow(text);
});

test("offers configured methods, and does not start with invalid ones", async () => {
  const data = join(directory, "data");
  const flags = ["--data", data, "--oidc-providers", file("providers.json", [provider])];
  flags.push("--ldap", file("ldap.json", ldap));
  const server = await Server.start(flags);
  const received = (await (await fetch(`${server.url}/api/v1/server_settings`)).json()) as object;
  await server.stop("SIGTERM");
  expect(received).toMatchObject({
    authentication_methods: { ldap: true, "openid connect": true, remoteuser: false },
    external_authentication_methods: [{ name: "oidc:main" }, { name: "browser" }],
  });
  const { code, err } = await skein(["serve", "--data", data, "--ldap", join(directory, "none")]);
  expect(code).not.toBe(0);
  expect(err).toContain("--ldap");
  const { out } = await skein(["serve", "--help"]);
  for (const flag of Object.keys(identityFlags)) expect(out).toContain(`--${flag} `);
});
