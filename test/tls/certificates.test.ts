// Certificates of the operator's own and of the server's own, and when others are renewed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLate, renewalTime, timeIn, waitAfter } from "../../src/outbound/certificates/renewal.ts";
import { selfSigned } from "../../src/outbound/certificates/self-signed.ts";
import { skein } from "../commands/skein.ts";
import { Secured } from "./secured.ts";

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

test("files are looked at when it is said, and what does not fit changes nothing", async () => {
  const first = await write("one.example");
  await using server = await Secured.start(join(folder, "data"), args(), "one.example");
  server.ca = first.cert;
  const answer = await server.ask("/readyz");
  expect([answer.status, answer.headers.get("strict-transport-security")]).toEqual([
    200,
    "max-age=31536000",
  ]);

  const other = await selfSigned(["other.example"], Date.now());
  writeFileSync(files.key, other.key);
  server.child.kill("SIGHUP");
  await server.logged("the key is not the certificate's");
  expect((await server.shown()).subjectaltname).toBe("DNS:one.example");
  const reload = () => skein(["reload", "--data", server.data, "--config", "none"]);
  for (let time = 0; time < 2; time += 1) {
    const refused = await reload();
    expect([refused.code, refused.out]).toEqual([1, "No setting has changed.\n"]);
    expect(refused.err).toBe(
      `skein: the certificate stays as it was: ${files.cert} and ${files.key}: ` +
        "the key is not the certificate's\n",
    );
  }
  rmSync(files.cert);
  server.child.kill("SIGHUP");
  await server.logged(`there is no file ${files.cert}`);
  expect((await server.ask("/readyz")).status).toBe(200);

  await write("two.example");
  const reloaded = await reload();
  expect([reloaded.code, reloaded.err]).toEqual([0, ""]);
  expect(reloaded.out).toStartWith("A new certificate is in use, valid until 20");
  expect((await reload()).out).toBe("No setting has changed.\n");
  await server.logged("serves with another certificate");
  expect((await server.shown()).subjectaltname).toBe("DNS:two.example");
  expect(await server.cert("status")).toMatchObject({ names: ["two.example"] });
  expect(await server.cert("renew")).toEqual({
    error: "skein: no authority renews this certificate\n",
  });
});

test("a server with a certificate of its own keeps it, and holds no browser to it", async () => {
  const data = join(folder, "data");
  const seen: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    await using server = await Secured.start(data, ["--tls", "self"], "localhost");
    const shown = await server.shown();
    seen.push(shown.fingerprint256);
    expect(shown.subjectaltname).toContain("DNS:localhost");
    expect(shown.subjectaltname).toContain("IP Address:127.0.0.1");
    const insecure = { tls: { rejectUnauthorized: false } } as RequestInit;
    const answer = await fetch(`${server.url}/readyz`, insecure);
    expect([answer.status, answer.headers.get("strict-transport-security")]).toEqual([200, null]);
  }
  expect(new Set(seen).size).toBe(1);
});

test("what does not fit, or cannot be read, is no start", async () => {
  await write("one.example");
  writeFileSync(files.key, (await selfSigned(["one.example"], Date.now())).key);
  const serve = ["serve", "--data", join(folder, "data"), "--listen", "127.0.0.1:0", ...args()];
  expect(await skein(serve)).toMatchObject({
    code: 1,
    err: `skein: ${files.cert} and ${files.key}: the key is not the certificate's\n`,
  });
  writeFileSync(files.key, "no key");
  expect((await skein(serve)).err).toContain("the key cannot be read");
  rmSync(files.key);
  const refused = await skein(serve);
  expect(refused.err).toContain(`there is no file ${files.key}`);
  // The same is found without a start.
  const checked = await skein(["config", "check", "--config", "none", ...args()]);
  expect(checked).toEqual({ ...refused, out: "" });
});

test.each([
  [["--https", "chat"], "--https is a name such as"],
  [["--https", "*.skein.example"], "only given by way of --acme-dns"],
  [["--https", "a.example", "--tls", "self"], "three ways: choose one"],
  [["--tls-cert", "x"], "--tls-cert goes with --tls-key"],
  [["--tls", "other"], "--tls is self, and not other"],
  [["--https", "a.example", "--acme-url", "http://ca.example"], "begins with https:"],
  [["--https", "a.example", "--acme-eab-id", "x"], "goes with --acme-eab-key-file"],
  [["--https", "a.example", "--url", "http://a.example"], "--url is an address such as https:"],
  [["--http", "0.0.0.0:80"], "--http goes with --https"],
  [["--https", "a.example", "--http", "80"], "--http is HOST:PORT"],
])("%p is no way to serve", async (given, words) => {
  const { code, err } = await skein(["config", "check", "--config", "none", ...given]);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

const DAY_MS = 86_400_000;

test("a certificate is renewed when a third of its life is left, or in a window", () => {
  for (const days of [6, 90]) {
    const life = { from_ms: 0, until_ms: days * DAY_MS };
    expect(renewalTime(life, 0)).toBe(life.until_ms * (2 / 3));
    expect(renewalTime(life, 1)).toBeGreaterThan(life.until_ms * 0.6);
    expect(isLate(life, life.until_ms * 0.66)).toBe(false);
    expect(isLate(life, life.until_ms * 0.67)).toBe(true);
    expect(timeIn(life, 0.5)).toBe(life.until_ms / 2);
  }
});

test("who is refused asks at most five times in the first hour, and twice a day later", () => {
  let at = 0;
  const tries = Array.from({ length: 12 }, (_, failures) => (at += waitAfter(failures + 1)));
  expect(tries.filter((time) => time < DAY_MS / 24).length + 1).toBeLessThanOrEqual(5);
  expect(waitAfter(50)).toBe(DAY_MS / 2);
});
