// HTTPS with a certificate of an authority, and its replacement while clients are connected.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Authority } from "../acme-authority.ts";
import { skein } from "../commands/skein.ts";
import { type Account, createUsers, createOrganization, NAME, TlsServer } from "./tls-server.ts";

let folder: string;
let data: string;
const cleanups: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-https-"));
  data = join(folder, "data");
});

afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((close) => close()));
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts a server, and sets its plain HTTP port as the port at which the authority verifies names.
 */
async function startServer(own: Authority, args: string[] = []): Promise<TlsServer> {
  const acme = ["--https", NAME, "--acme-url", own.url, "--http", "127.0.0.1:0"];
  const server = await TlsServer.start(data, [...acme, ...args]);
  cleanups.push(() => server[Symbol.asyncDispose]());
  own.lookAt(await server.plainUrl);
  server.ca = own.ca;
  return server;
}

async function openAuthority(): Promise<Authority> {
  const own = await Authority.open();
  cleanups.push(() => own.close());
  return own;
}

const HSTS = "strict-transport-security";

test("stores a new certificate, and only then sends HSTS", async () => {
  const own = await openAuthority();
  own.refuses = "come again";
  await using server = await startServer(own);
  await server.untilLogged("come again");
  const first = await server.peerCertificate();
  expect([first.isBelieved, first.subjectaltname]).toEqual([false, `DNS:${NAME}`]);
  expect(await server.cert("status")).toMatchObject({ names: [NAME], is_trusted: false });
  expect(await server.cert("renew")).toEqual({
    error: expect.stringContaining("no certificate was issued: come again"),
  });

  own.refuses = undefined;
  expect(await server.cert("renew")).toMatchObject({ names: [NAME], is_trusted: true });
  expect((await server.peerCertificate()).isBelieved).toBe(true);
  const response = await server.ask("/readyz");
  expect([response.status, response.headers.get(HSTS)]).toEqual([200, "max-age=31536000"]);
  for (const file of readdirSync(join(data, "tls"))) {
    expect(statSync(join(data, "tls", file)).mode & 0o777).toBe(0o600);
  }

  const { orders } = own;
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  await using restarted = await startServer(own);
  expect((await restarted.peerCertificate()).isBelieved).toBe(true);
  expect((await restarted.ask("/readyz")).status).toBe(200);
  expect(own.orders).toBe(orders);
});

test("redirects HTTP, and answers challenges only there", async () => {
  await using server = await startServer(await openAuthority());
  await server.untilLogged("got a certificate");
  const url = await server.plainUrl;
  const response = await fetch(`${url}/accounts/login?next=%2F`, { redirect: "manual" });
  expect(response.status).toBe(308);
  expect(response.headers.get("Location")).toBe(`${server.url}/accounts/login?next=%2F`);
  const nothing = await fetch(`${url}/.well-known/acme-challenge/x`, { redirect: "manual" });
  expect(nothing.status).toBe(404);
});

test("a stop does not wait for the authority", async () => {
  const own = await openAuthority();
  const args = ["--https", NAME, "--acme-url", own.url, "--http", "127.0.0.1:0"];
  await using server = await TlsServer.start(data, args);
  await own.firstRequest;
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
});

test("the port is exclusive to one process, whose listeners share it", async () => {
  await using server = await startServer(await openAuthority());
  const other = join(folder, "other");
  const listen = ["--listen", `127.0.0.1:${server.port}`, "--rate-limits", "off"];
  const self = await skein(["serve", "--data", other, ...listen, "--tls", "self"]);
  const plain = await skein(["serve", "--data", other, ...listen]);
  for (const { code, err } of [self, plain]) {
    expect(code).toBe(1);
    expect(err).toContain(`127.0.0.1:${server.port} is in use by another program`);
  }
});

const POLLS = 200;
const POLLERS = 8;
/** Number of further users who poll, since a user can have at most 100 queues. */
const CONNECTIONS = 3;

test("replacing the certificate loses no request and no poll", async () => {
  const olga = await createOrganization(data);
  const people = [olga, ...(await createUsers(data, CONNECTIONS))];
  const own = await openAuthority();
  await using server = await startServer(own);
  await server.untilLogged("serving with a new certificate");
  const before = (await server.peerCertificate()).serialNumber;
  const polls = await Promise.all(
    Array.from({ length: POLLS }, (_, index) => polling(server, people[index % people.length]!)),
  );
  const load = new Load(server, olga);
  await load.untilCount(50);
  expect(await server.cert("renew")).toMatchObject({ is_trusted: true });
  await server.untilLogged(/serving with a new certificate[^]*serving with a new certificate/);
  await load.untilCount(load.done + 200);
  expect((await server.peerCertificate()).serialNumber).not.toBe(before);
  const body = new URLSearchParams({ type: "stream", to: "general", topic: "t", content: "here" });
  const sendResponse = await server.ask("/api/v1/messages", olga, { method: "POST", body });
  expect(await sendResponse.json()).toMatchObject({ result: "success" });
  const events = await Promise.all(polls.map(({ answer: response }) => response));
  const repeated = await Promise.all(
    polls.map(({ path, who: account }) => server.ask(path, account)),
  );
  expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([200]));
  expect(events.filter((types) => types.includes("message")).length).toBe(POLLS);
  expect(await load.stop()).toEqual([]);
});

/** Registers a queue, and starts a poll that waits for its first event. */
async function polling(server: TlsServer, account: Account) {
  const body = new URLSearchParams({ event_types: '["message"]' });
  const registered = await server.ask("/api/v1/register", account, { method: "POST", body });
  const { queue_id, last_event_id } = (await registered.json()) as Record<string, string>;
  const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`;
  const response = server.ask(path, account).then(async (polled) => {
    const { events } = (await polled.json()) as { events: { type: string }[] };
    return events.map(({ type }) => type);
  });
  return { answer: response, path, who: account };
}

/** Sends requests continuously over keep-alive connections, until the server closes them. */
class Load {
  done = 0;
  private isOver = false;
  private readonly failures: string[] = [];
  private waiters: { count: number; resolve(): void }[] = [];
  private readonly connections: Promise<void>[];

  constructor(server: TlsServer, account: Account) {
    this.connections = Array.from({ length: POLLERS }, () => this.run(server, account));
  }

  untilCount(count: number): Promise<void> {
    return new Promise((resolve) => this.waiters.push({ count, resolve }));
  }

  async stop(): Promise<string[]> {
    this.isOver = true;
    await Promise.all(this.connections);
    return this.failures;
  }

  private async run(server: TlsServer, account: Account): Promise<void> {
    while (!this.isOver) {
      try {
        const { status } = await server.ask("/api/v1/users/me", account);
        if (status !== 200) this.failures.push(String(status));
      } catch (error) {
        this.failures.push(String(error));
      }
      this.done += 1;
      for (const { resolve } of this.waiters.filter(({ count }) => count <= this.done)) resolve();
      this.waiters = this.waiters.filter(({ count }) => count > this.done);
    }
  }
}
