// Certificates of the operator, self-signed ones, and when certificates are renewed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLate, renewalTime, timeIn, waitAfter } from "../../src/outbound/certificates/renewal.ts";
import { selfSigned } from "../../src/outbound/certificates/self-signed.ts";
import { skein } from "../commands/skein.ts";
import { TlsServer } from "./tls-server.ts";

let folder: string;
let files: { cert: string; key: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-certificates-"));
  files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const args = () => ["--tls-cert", files.cert, "--tls-key", files.key];

async function write(name: string) {
  const pair = await selfSigned([name], Date.now());
  writeFileSync(files.cert, pair.cert);
  writeFileSync(files.key, pair.key);
  return pair;
}

test("reads files on reload, and changes nothing if they do not match", async () => {
  const first = await write("one.example");
  await using server = await TlsServer.start(join(folder, "data"), args(), "one.example");
  server.ca = first.cert;
  const response = await server.ask("/readyz");
  expect([response.status, response.headers.get("strict-transport-security")]).toEqual([
    200,
    "max-age=31536000",
  ]);

  const other = await selfSigned(["other.example"], Date.now());
  writeFileSync(files.key, other.key);
  server.child.kill("SIGHUP");
  await server.untilLogged("the key does not belong to the certificate");
  expect((await server.peerCertificate()).subjectaltname).toBe("DNS:one.example");
  const reload = () => skein(["reload", "--data", server.data, "--config", "none"]);
  for (let time = 0; time < 2; time += 1) {
    const refusal = await reload();
    expect([refusal.code, refusal.out]).toEqual([1, "No setting has changed.\n"]);
    expect(refusal.err).toBe(
      `skein: the certificate was not changed: ${files.cert} and ${files.key}: ` +
        "the key does not belong to the certificate\n",
    );
  }
  rmSync(files.cert);
  server.child.kill("SIGHUP");
  await server.untilLogged(`there is no file ${files.cert}`);
  expect((await server.ask("/readyz")).status).toBe(200);

  await write("two.example");
  const reloaded = await reload();
  expect([reloaded.code, reloaded.err]).toEqual([0, ""]);
  expect(reloaded.out).toStartWith("A new certificate is in use, valid until 20");
  expect((await reload()).out).toBe("No setting has changed.\n");
  await server.untilLogged("serving with a new certificate");
  expect((await server.peerCertificate()).subjectaltname).toBe("DNS:two.example");
  expect(await server.cert("status")).toMatchObject({ names: ["two.example"] });
  expect(await server.cert("renew")).toEqual({
    error: "skein: the certificate is not from an authority, so it cannot be renewed\n",
  });
});

test("keeps a self-signed certificate, without HSTS", async () => {
  const data = join(folder, "data");
  const tokens: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    await using server = await TlsServer.start(data, ["--tls", "self"], "localhost");
    const certificate = await server.peerCertificate();
    tokens.push(certificate.fingerprint256);
    expect(certificate.subjectaltname).toContain("DNS:localhost");
    expect(certificate.subjectaltname).toContain("IP Address:127.0.0.1");
    const insecure = { tls: { rejectUnauthorized: false } } as RequestInit;
    const response = await fetch(`${server.url}/readyz`, insecure);
    expect([response.status, response.headers.get("strict-transport-security")]).toEqual([
      200,
      null,
    ]);
  }
  expect(new Set(tokens).size).toBe(1);
});

test("does not start with mismatched or unreadable files", async () => {
  await write("one.example");
  writeFileSync(files.key, (await selfSigned(["one.example"], Date.now())).key);
  const serve = ["serve", "--data", join(folder, "data"), "--listen", "127.0.0.1:0", ...args()];
  expect(await skein(serve)).toMatchObject({
    code: 1,
    err: `skein: ${files.cert} and ${files.key}: the key does not belong to the certificate\n`,
  });
  writeFileSync(files.key, "no key");
  expect((await skein(serve)).err).toContain("the key is not valid PEM");
  rmSync(files.key);
  const result = await skein(serve);
  expect(result.err).toContain(`there is no file ${files.key}`);
  // `config check` reports the same without starting the server.
  const checked = await skein(["config", "check", "--config", "none", ...args()]);
  expect(checked).toEqual({ ...result, out: "" });
});

test.each([
  [["--https", "chat"], "--https must be a host name such as"],
  [["--https", "*.skein.example"], "requires --acme-dns"],
  [["--https", "a.example", "--tls", "self"], "only one of"],
  [["--tls-cert", "x"], "--tls-cert requires --tls-key"],
  [["--tls", "other"], "--tls must be self, not other"],
  [["--https", "a.example", "--acme-url", "http://ca.example"], "must begin with https:"],
  [["--https", "a.example", "--acme-eab-id", "x"], "requires --acme-eab-key-file"],
  [
    ["--https", "a.example", "--url", "http://a.example"],
    "--url must be an address such as https:",
  ],
  [["--http", "0.0.0.0:80"], "--http requires --https"],
  [["--https", "a.example", "--http", "80"], "--http must be HOST:PORT"],
])("%p is no way to serve", async (input, text) => {
  const { code, err } = await skein(["config", "check", "--config", "none", ...input]);
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});

const DAY_MS = 86_400_000;

test("renews a certificate at a third of its life, or in its window", () => {
  for (const days of [6, 90]) {
    const life = { from_ms: 0, until_ms: days * DAY_MS };
    expect(renewalTime(life, 0)).toBe(life.until_ms * (2 / 3));
    expect(renewalTime(life, 1)).toBeGreaterThan(life.until_ms * 0.6);
    expect(isLate(life, life.until_ms * 0.66)).toBe(false);
    expect(isLate(life, life.until_ms * 0.67)).toBe(true);
    expect(timeIn(life, 0.5)).toBe(life.until_ms / 2);
  }
});

test("retries at most five times in the first hour, and twice a day later", () => {
  let offset = 0;
  const tries = Array.from({ length: 12 }, (_, failures) => (offset += waitAfter(failures + 1)));
  expect(tries.filter((time) => time < DAY_MS / 24).length + 1).toBeLessThanOrEqual(5);
  expect(waitAfter(50)).toBe(DAY_MS / 2);
});
