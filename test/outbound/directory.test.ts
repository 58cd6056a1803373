// LDAP queries: who may sign in, escaping of typed names, and failures.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import ldap from "ldapjs";
import { FilterParser } from "ldapts";
import { directoryUnavailable } from "../../src/contract/errors/people.ts";
import { Directory } from "../../src/outbound/ldap.ts";
import { dnOf, filterOf } from "../../src/outbound/ldap-names.ts";
import { BASE, DIRECTORY_PASSWORD as PASSWORD, LdapServer } from "../ldap-server.ts";
import { cert as foreign } from "./certificate.ts";
import { cert } from "./own-certificate.ts";

let server: LdapServer;
let reported: unknown[] = [];
const directory = (extra: Parameters<LdapServer["config"]>[0] = {}) =>
  new Directory(server.config(extra), (error) => reported.push(error));
const own = { user_dn: `uid={username},${BASE}` };
const unavailable = directoryUnavailable().message;

const PEOPLE = [
  { uid: "bo", mail: ["bo@example.com", "bo2@example.com"], cn: "Bo Listed" },
  { uid: "smith, j+x", mail: "smith@example.com", cn: "Smith" },
  { uid: "a*b", mail: "star@example.com" },
  { uid: "åsa", mail: "asa@example.com", cn: "Åsa" },
  { uid: "(odd)", mail: "odd@example.com" },
  { uid: "twin1", mail: "twins@example.com" },
  { uid: "twin2", mail: "twins@example.com" },
  { uid: "bare" },
];

beforeAll(async () => {
  server = await LdapServer.open(...PEOPLE);
});
afterAll(() => server?.close());
beforeEach(() => {
  reported = [];
  server.binds.length = 0;
  server.filters.length = 0;
});
afterEach(() => {
  server.failing = undefined;
});

const bo = { email: "bo@example.com", full_name: "Bo Listed" };

describe.each([
  ["looked for by a clerk", {}],
  ["let in by their own name", own],
])("people who are %s", (_, extra) => {
  test("users of the directory sign in with their own password only", async () => {
    expect(await directory(extra).person(" bo ", PASSWORD)).toEqual(bo);
    expect(await directory(extra).person("bo", `${PASSWORD}x`)).toBeUndefined();
    expect(await directory(extra).person("who", PASSWORD)).toBeUndefined();
    expect(await directory(extra).person("bare", PASSWORD)).toEqual({
      email: undefined,
      full_name: undefined,
    });
    expect(reported).toEqual([]);
  });

  test("rejects a sign-in without a password, although the directory accepts it", async () => {
    expect(await directory(extra).person("bo", "")).toBeUndefined();
    expect(await directory(extra).person("", PASSWORD)).toBeUndefined();
    expect(await directory(extra).person("x".repeat(300), PASSWORD)).toBeUndefined();
    expect(server.binds).toEqual([]);
  });

  test("accepts any name", async () => {
    for (const { uid, mail } of PEOPLE.filter((item) => !Array.isArray(item.mail))) {
      const person = await directory(extra).person(uid, PASSWORD);
      expect([uid, person?.email]).toEqual([uid, mail as string | undefined]);
    }
  });

  test.each(["*", "b*", "bo)(uid=*", "*)(objectClass=*", "bo)(|(uid=*", "bo\0", "bo,x=y"])(
    "are not found by %j",
    async (name) => {
      expect(await directory(extra).person(name, PASSWORD)).toBeUndefined();
      expect(server.binds.filter((bind) => bind.endsWith("in") && bind.includes("uid"))).toEqual(
        [],
      );
    },
  );
});

test("rejects an ambiguous name, and tells the operator", async () => {
  expect(await directory().person("twins@example.com", PASSWORD)).toBeUndefined();
  expect(String(reported)).toContain("more than one entry");
});

test("escapes a name in the search and in a DN", async () => {
  expect(dnOf("{username}@corp.example", "bo")).toBe("bo@corp.example");
  for (const name of ["bo@evil", "a,b", "a=b", "*", "", " "]) {
    expect(dnOf("{username}@corp.example", name)).toBeUndefined();
  }
});

test.each([
  ["bo", "uid=bo,dc=x", "(uid=bo)"],
  ["a,b+c", "uid=a\\,b\\+c,dc=x", "(uid=a,b+c)"],
  ["*)(x=\\", "uid=*)(x\\=\\\\,dc=x", "(uid=\\2a\\29\\28x=\\5c)"],
  [' "<;>#', 'uid=\\ \\"\\<\\;\\>#,dc=x', '(uid= "<;>#)'],
  ["#a ", "uid=\\#a\\ ,dc=x", "(uid=#a )"],
  ["a\0", "uid=a\\00,dc=x", "(uid=a\\00)"],
  ["\\62o", "uid=\\\\62o,dc=x", "(uid=\\5c62o)"],
  ["$&", "uid=$&,dc=x", "(uid=$&)"],
])("escapes %j in names and filters", (name, dn, filter) => {
  expect(FilterParser.parseString(filter)).toMatchObject({ attribute: "uid", value: name });
  expect(dnOf("uid={username},dc=x", name)).toBe(dn);
  expect(filterOf("(uid={username})", name)).toBe(filter);
});

describe("over TLS", () => {
  const ldapsConfig = () => ({ url: `ldaps://127.0.0.1:${server.securePort}` });
  const startTlsConfig = () => ({
    url: `ldap://127.0.0.1:${server.upgradingPort}`,
    starttls: true,
  });

  test.each([
    ["from the start", ldapsConfig],
    ["after asking for it", startTlsConfig],
  ])("%s, a directory is believed whose certificate is known", async (_, where) => {
    expect(await directory({ ...where(), ca: cert }).person("bo", PASSWORD)).toEqual(bo);
    expect(await directory({ ...where(), ca: cert, ...own }).person("bo", "wrong")).toBeUndefined();
    server.binds.length = 0;
    for (const ca of [{}, { ca: foreign }]) {
      const requested = directory({ ...where(), ...ca }).person("bo", PASSWORD);
      await expect(requested).rejects.toThrow(unavailable);
    }
    expect(server.binds).toEqual([]);
  });

  test("sends nothing to a directory that rejects TLS or continues in plain text", async () => {
    const { consent } = server;
    const no = Buffer.from("300c02010178070a013404000400", "hex");
    // The beginning of another answer, which would be completed by what comes over TLS.
    const more = Buffer.concat([consent, Buffer.from("3020020102611b0a0100", "hex")]);
    for (const response of [no, more, Buffer.from("300c02010278070a010004000400", "hex")]) {
      server.consent = response;
      const requested = directory({ ...startTlsConfig(), ca: cert }).person("bo", PASSWORD);
      await expect(requested).rejects.toThrow(unavailable);
    }
    server.consent = Buffer.from("3084000000100201017884000000070a010004000400", "hex");
    expect(await directory({ ...startTlsConfig(), ca: cert }).person("bo", PASSWORD)).toEqual(bo);
    server.consent = consent;
  });

  test("does not reconnect without TLS after a lost connection", async () => {
    let connections = 0;
    const breaking = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.once("data", () => socket.destroy());
    });
    await new Promise<void>((done) => breaking.listen(0, "127.0.0.1", done));
    const { port } = breaking.address() as { port: number };
    for (const starttls of [false, true]) {
      connections = 0;
      const requested = directory({ url: `ldap://127.0.0.1:${port}`, starttls });
      await expect(requested.person("bo", PASSWORD)).rejects.toThrow(unavailable);
      expect(connections).toBe(1);
    }
    await new Promise((done) => breaking.close(done));
  });
});

test("distinguishes errors of the directory from a wrong password", async () => {
  const ldapServer = await LdapServer.open();
  const config = { url: `ldap://127.0.0.1:${ldapServer.port}` };
  await ldapServer.close();
  await expect(directory(config).person("bo", PASSWORD)).rejects.toThrow(unavailable);
  const bind = { dn: "cn=clerk,dc=example,dc=com", password: "old" };
  await expect(directory({ bind }).person("bo", PASSWORD)).rejects.toThrow(unavailable);
  for (const failing of [new ldap.BusyError(), new ldap.NoSuchObjectError()]) {
    server.failing = failing;
    await expect(directory().person("bo", PASSWORD)).rejects.toThrow(unavailable);
    await expect(directory(own).person("bo", PASSWORD)).rejects.toThrow(unavailable);
  }
  expect(reported).toHaveLength(6);
});
