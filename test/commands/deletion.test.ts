// An organization is deleted while `skein serve` serves others; what operators are shown then.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRunning } from "../../src/running.ts";
import { linesOf, Server, skein } from "./skein.ts";

const EAST = "http://east.example.com";
const DAYS = 20;

let folder: string;
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-deletion-"));
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

async function create(name: string): Promise<Record<string, unknown>> {
  const person = ["--name", name, "--owner", "olga@example.com", "--full-name", "Olga"];
  return linesOf(await skein(["init", "--data", join(folder, name), ...person, "--json"]))[0]!;
}

async function serve(organizations: number): Promise<Server> {
  const hosts = `west.example.com=${join(folder, "west")}`;
  const args = ["--data", join(folder, "east"), "--url", EAST, "--hosts", hosts];
  const server = await Server.start(args, organizations);
  servers.push(server);
  return server;
}

const request = (server: Server, host: string, path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { ...init, headers: { ...init.headers, Host: host } });

/** Simulates that some seconds have passed. */
async function setAge(seconds: number): Promise<void> {
  const config = { data: join(folder, "east"), url: EAST } as Parameters<typeof openRunning>[0];
  const realm = await openRunning(config);
  await realm.write((tx) => {
    const deactivation = tx.deactivations.get(1)!;
    tx.deactivations.put({ ...deactivation, delete_at: deactivation.delete_at! - seconds });
  });
  await realm.close();
}

test("prints the date of a deletion, and later that it is done", async () => {
  const olga = await create("east");
  await create("west");
  const server = await serve(2);
  const Authorization = `Basic ${btoa(`${olga["email"]}:${olga["api_key"]}`)}`;
  const body = new URLSearchParams({ deletion_delay_days: String(DAYS) });
  const post = { method: "POST", headers: { Authorization }, body };
  const deactivated = await request(server, "east.example.com", "/api/v1/realm/deactivate", post);
  expect(deactivated.status).toBe(200);
  await server.stop();

  const restarted = await serve(2);
  expect(restarted.output).toMatch(
    /^east at http:\/\/east\.example\.com is deactivated\. Its data will be deleted at \d{4}-/m,
  );
  await restarted.stop();

  await setAge(DAYS * 86_400);
  const lateResult = await skein(["reactivate", "--data", join(folder, "east")]);
  expect([lateResult.code, lateResult.err]).toEqual([
    1,
    expect.stringContaining("is being deleted"),
  ]);
  const last = await serve(1);
  const settings = () => request(last, "east.example.com", "/api/v1/users/me");
  await last.printed.untilMatch((lines) => lines.includes("was deleted, as scheduled"));
  expect((await settings()).status).toBe(404);
  expect(await last.stop()).toBe(0);
  expect(readdirSync(join(folder, "east")).sort()).toEqual(["deleted", "lock"]);

  const after = await serve(1);
  expect(after.output).toContain(`The organization in ${join(folder, "east")} was deleted.`);
  expect(after.output).toContain("Users can sign in to west");
  expect((await request(after, "west.example.com", "/login/")).status).toBe(200);
  const none = await skein(["reactivate", "--data", join(folder, "east")]);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("there is no organization")]);
});
