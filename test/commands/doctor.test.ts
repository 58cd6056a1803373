// The doctor command: each fault is planted, found, and repaired where doctor promises it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configFor } from "../../src/commands/control.ts";
import type { CheckResult } from "../../src/features/doctor/rules.ts";
import { openRunning } from "../../src/running.ts";
import { putFormat } from "../../src/store/format/number.ts";
import { environment } from "../../src/store/environment.ts";
import { keyOf } from "../../src/store/key.ts";
import { sealed } from "../../src/store/checksums/checksum.ts";
import { DoctorFixture } from "./doctor-fixture.ts";
import { linesOf, Server } from "./skein.ts";

const fixture = new DoctorFixture();
const skein = (args: readonly string[]) => fixture.commands.run(args);
beforeAll(() => fixture.initialize());
afterAll(() => fixture.close());

interface DoctorResults {
  code: number;
  states: Record<string, string>;
  all: CheckResult[];
}

async function examine(data: string, ...args: string[]): Promise<DoctorResults> {
  const result = await skein(["doctor", "--data", data, "--json", ...args]);
  if (result.out === "") throw new Error(result.err);
  const all = linesOf(result) as unknown as CheckResult[];
  const states = Object.fromEntries(all.map(({ id, state }) => [id, state]));
  return { code: result.code, states, all };
}

const DAYS_AGO = new Date(Date.now() - 3 * 86_400_000);

test("finds and repairs problems of the directory", async () => {
  const data = fixture.pathOf("directory");
  chmodSync(data, 0o755);
  chmodSync(join(data, "secrets"), 0o644);
  const draft = join(data, "data.mdb.part");
  writeFileSync(draft, "");
  utimesSync(draft, DAYS_AGO, DAYS_AGO);
  const recent = join(data, "compact.mdb");
  writeFileSync(recent, "");
  const before = await examine(data, "--only", "directory");
  expect(before.states).toMatchObject({
    "directory.mode": "warn",
    "directory.leftovers": "warn",
    "directory.temporary": "ok",
  });
  expect(before.code).toBeGreaterThan(0);
  expect(statSync(data).mode & 0o77).not.toBe(0);
  const repaired = await examine(data, "--only", "directory", "--fix");
  expect(repaired.all.filter(({ is_repaired }) => is_repaired).map(({ id }) => id)).toEqual([
    "directory.mode",
    "directory.leftovers",
  ]);
  const after = await examine(data, "--only", "directory");
  expect(after.states).toMatchObject({ "directory.mode": "ok", "directory.leftovers": "ok" });
  expect([existsSync(draft), existsSync(recent)]).toEqual([false, true]);
  expect(statSync(join(data, "secrets")).mode & 0o777).toBe(0o600);
});

test("finds contradictory rows, and repairs them in a running server", async () => {
  const data = fixture.pathOf("database");
  const realm = await openRunning(configFor(data));
  await realm.write((tx) => {
    tx.upload_space.put({ realm_id: 1, bytes: 7_000 });
    const conversation = { stream_id: 1, first_id: 0, last_id: 0, rename_id: 0, base: null };
    tx.topics.put({ ...conversation, topic_id: 77, name: "lost", count: 5 } as never);
  });
  await realm.close();
  const db = environment(join(data, "data.mdb"));
  const pointer = sealed(Buffer.from(keyOf(10, [123_456]).slice(1), "latin1"));
  await db.put(keyOf(11, [9, "nowhere"]), pointer);
  await db.remove(keyOf(11, [1, "lost"]));
  await db.close();

  const before = await examine(data, "--only", "database");
  expect(before).toMatchObject({ code: 2, states: { "database.rows": "fail" } });
  const { message: text } = before.all.find(({ id }) => id === "database.rows")!;
  expect(text).toStartWith("The data has 5 problems: ");
  const server = await Server.start(["--data", data]);
  try {
    const results = await examine(data, "--only", "database");
    expect(results.states).toMatchObject({ "database.rows": "fail", "database.writes": "ok" });
    const repaired = await examine(data, "--only", "database", "--fix");
    expect(repaired.all.find(({ id }) => id === "database.rows")).toMatchObject({
      state: "ok",
      is_repaired: true,
    });
  } finally {
    await server.stop();
  }
  const after = await examine(data, "--only", "database");
  expect(after).toMatchObject({ code: 0, states: { "database.rows": "ok" } });
  expect(existsSync(join(data, "snapshots", "doctor.mdb"))).toBe(false);
});

test("examines data that cannot be opened, without changing it", async () => {
  const data = fixture.pathOf("closed");
  const path = join(data, "data.mdb");
  const db = environment(path);
  db.transactionSync(() => putFormat(db, 3));
  await db.close();
  const older = await examine(data);
  expect(older).toMatchObject({ code: 1, states: { "database.opens": "warn" } });
  expect(existsSync(join(data, "snapshots"))).toBe(false);
  truncateSync(path, 9_000);
  const truncated = await examine(data);
  expect(truncated).toMatchObject({ code: 2, states: { "database.opens": "fail" } });
  expect(statSync(path).size).toBe(9_000);
  const empty = mkdtempSync(join(fixture.folder, "empty-"));
  expect((await examine(empty)).states).toMatchObject({ "database.opens": "fail" });
  // The exit code 1 would mean that there are only warnings.
  expect(await skein(["doctor", "--data", join(fixture.folder, "nothing")])).toMatchObject({
    code: 2,
    err: expect.stringContaining("no directory"),
  });
  const { code, err } = await skein(["doctor", "--data", empty, "--only", "weather"]);
  expect([code, err]).toEqual([2, expect.stringContaining("unknown area weather")]);
});

/** A proxy with common configuration errors. */
class Proxy {
  isPatient = false;
  to = "";
  private readonly server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => this.forward(request),
  });

  get url(): string {
    return this.server.url.origin;
  }

  private async forward(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (!this.isPatient && search.includes("hold=")) return new Response("", { status: 504 });
    if (!this.isPatient && request.method === "POST") return new Response("", { status: 413 });
    const headers = new Headers(request.headers);
    if (this.isPatient) headers.set("X-Forwarded-For", "192.0.2.7");
    const requested = fetch(this.to + pathname + search, { headers, method: request.method });
    return requested.catch(() => new Response("", { status: 502 }));
  }

  async stop(): Promise<void> {
    await this.server.stop(true);
  }
}

const HOLD = ["--only", "network", "--hold", "1"];

test("detects a proxy that interrupts polls or rejects large uploads", async () => {
  const data = fixture.pathOf("network");
  const proxy = new Proxy();
  const server = await Server.start(["--data", data, "--url", proxy.url]);
  try {
    proxy.to = server.url;
    const before = await examine(data, ...HOLD);
    expect(before).toMatchObject({
      code: 2,
      states: {
        "network.reached": "ok",
        "network.addresses": "ok",
        "network.uploads": "fail",
        "network.held": "fail",
      },
    });
    expect(before.all.find(({ id }) => id === "network.held")!.remedy).toContain("90 s");
    proxy.isPatient = true;
    const after = await examine(data, ...HOLD);
    expect(after).toMatchObject({ code: 0 });
    expect(after.states).toMatchObject({ "network.held": "ok", "network.forwarded": "ok" });
    // Random values that the server does not know return no result.
    const unexpected = `${server.url}/.well-known/skein-check/${crypto.randomUUID()}`;
    expect((await fetch(unexpected)).status).toBe(404);
    proxy.to = "http://127.0.0.1:1";
    expect((await examine(data, ...HOLD)).states).toMatchObject({ "network.reached": "fail" });
  } finally {
    await server.stop();
    await proxy.stop();
  }
});

test("reports a name without an address once, with the remedy for that", async () => {
  const data = fixture.pathOf("nameless");
  const server = await Server.start(["--data", data, "--url", "https://nowhere.invalid"]);
  try {
    const { all } = await examine(data, "--quick", "--only", "network");
    const wrong = all.filter(({ state }) => state !== "ok");
    expect(wrong.map(({ id }) => id)).toEqual(["network.addresses"]);
    expect(wrong[0]!.remedy).toContain("add an A record");
  } finally {
    await server.stop();
  }
});

test("reports the server's dependencies, security and backups", async () => {
  const data = fixture.pathOf("services");
  const nobody = Bun.serve({ port: 0, fetch: () => new Response("", { status: 500 }) });
  const path = `http://127.0.0.1:${nobody.port}`;
  const providers = join(fixture.folder, "providers.json");
  const oidc = { name: "sso", display_name: "SSO", issuer: path, client_id: "skein" };
  writeFileSync(providers, JSON.stringify([oidc]));
  const ldap = join(fixture.folder, "ldap.json");
  const people = { url: "ldap://127.0.0.1:9", user_dn: "uid={username},dc=example,dc=com" };
  writeFileSync(ldap, JSON.stringify(people));
  const vouchers = ["--oidc-providers", providers, "--ldap", ldap];
  const mail = ["--smtp-url", "smtp://127.0.0.1:9", "--mail-from", "chat@example.com"];
  mkdirSync(join(fixture.folder, "backups"));
  const backups = ["--backup-to", join(fixture.folder, "backups")];
  const tls = ["--tls", "self", "--url", "https://localhost"];
  const server = await Server.start(["--data", data, ...vouchers, ...mail, ...backups, ...tls]);
  try {
    const results = await examine(data, "--quick");
    expect(results.code).toBe(2);
    expect(results.states).toMatchObject({
      "mail.server": "fail",
      "outbound.oidc": "fail",
      "outbound.ldap": "fail",
      "outbound.backups": "ok",
      "security.owners": "warn",
      "security.second-factor": "warn",
      "security.registration": "ok",
      "operations.disk": "ok",
      "operations.work": "ok",
    });
    for (const { state, remedy } of results.all) {
      expect([state, remedy === null]).toEqual([state, state === "ok"]);
    }
    const plain = await skein(["doctor", "--data", data, "--only", "security"]);
    expect(plain.out).toContain("→ add another one: skein user role");
  } finally {
    await server.stop();
    await nobody.stop(true);
  }
});
