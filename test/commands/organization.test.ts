// The operator's commands have the same effect with and without a running server.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userIsDeactivated, userNotFound } from "../../src/contract/errors/channels.ts";
import { passwordTooWeak } from "../../src/contract/errors/people.ts";
import { realmDeactivated, realmNotDeactivated } from "../../src/contract/errors/realm.ts";
import { openStore } from "../../src/store/open.ts";
import { type CommandResult, linesOf, Server, skein } from "./skein.ts";

let folder: string;
let data: string[];
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-commands-"));
  data = ["--data", join(folder, "not", "there", "yet")];
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

const OLGA = ["--name", "Town", "--owner", "olga@example.com", "--full-name", "Olga"];

test("init creates the organization once, and its key works", async () => {
  const created = await init("--language", "de");
  expect(created).toMatchObject({ realm_name: "Town", email: "olga@example.com" });
  expectRefused(await skein(["init", ...data, ...OLGA]), "already set up");
  expect(statSync(data[1]!).mode & 0o777).toBe(0o700);

  const server = await serve();
  expect(server.output.match(/Skein listens on/g)).toHaveLength(1);
  expect(server.output).toContain("Users can sign in to Town");
  const me = await request(server, created, "GET /users/me");
  expect(me).toMatchObject({ user_id: created["user_id"], is_owner: true });
  // Like the set-up page: starter topics, and onboarding steps for the founder.
  const { stream_id } = await request(server, created, "GET /get_stream_id?stream=Skein");
  const { topics } = await request(server, created, `GET /users/me/${stream_id}/topics`);
  expect(topics.map(({ name }: Event) => name)).toContain("Was sind Themen?");
  const expected = { fetch_event_types: JSON.stringify(["onboarding_steps"]) };
  const { onboarding_steps } = await request(server, created, "POST /register", expected);
  expect(onboarding_steps.map(({ name }: Event) => name)).toContain("founder_people");
  const klingon = await skein(["init", ...data, ...OLGA, "--language", "tlh"]);
  expect(klingon).toMatchObject({ code: 2, err: expect.stringContaining("one of en, de") });
});

test.each([
  ["while a server runs", true],
  ["while none runs", false],
])("accounts are made, listed and let in %s", async (_when, isServed) => {
  await init();
  if (isServed) await serve();
  const newUserFlags = ["--email", "bo@example.com", "--full-name", "Bo", "--role", "moderator"];
  const [bo] = linesOf(await skein(["user", "create", ...data, ...newUserFlags, "--json"]));
  expect(bo).toMatchObject({ email: "bo@example.com", role: 300 });

  const many = join(folder, "many");
  const cy = { email: "cy@example.com", full_name: "Cy", password: "cy's secret" };
  const lines = [cy, { email: "gus@example.com", full_name: "Gus", role: "guest" }];
  writeFileSync(many, lines.map((line) => JSON.stringify(line)).join("\n"));
  const created = linesOf(await skein(["user", "create", ...data, "--from", many, "--json"]));
  expect(created.map(({ role }) => role)).toEqual([400, 600]);

  const list = linesOf(await skein(["user", "list", ...data, "--json"]));
  const emails = ["olga", "bo", "cy", "gus"].map((name) => `${name}@example.com`);
  expect(list.map(({ email }) => email)).toEqual(emails);
  expect((await skein(["user", "list", ...data])).out).toContain("Bo  (moderator)");

  const file = join(folder, "secret");
  writeFileSync(file, "bo's secret\nand more\n");
  const bos = [...data, "--email", "BO@example.com"];
  await expectSuccess(await skein(["user", "password", ...bos, "--password-file", file]));
  const [key] = linesOf(await skein(["user", "key", ...bos, "--json"]));

  const server = servers[0] ?? (await serve());
  for (const account of [bo!, key!, ...created]) {
    expect(await request(server, account, "GET /users/me")).toMatchObject({ result: "success" });
  }
  for (const [name, password] of [
    ["bo", "bo's secret"],
    ["cy", cy.password],
  ]) {
    const form = new URLSearchParams({ username: `${name}@example.com`, password: password! });
    const response = await fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: "POST",
      body: form,
    });
    expect(await response.json()).toMatchObject({ result: "success" });
  }
});

test("grants a permission that no role has, and revokes it", async () => {
  const olga = await init();
  const owner = ["--email", "olga@example.com"];
  const setPermission = (label: string, ...rest: string[]) =>
    skein(["user", "allow", ...data, ...owner, "--permission", label, ...rest]);
  const server = await serve();
  const send = async () => {
    const to = JSON.stringify([olga["user_id"]]);
    const message = { type: "direct", to, content: "x", forged: "yes", time: "5" };
    return (await request(server, olga, "POST /messages", message)).result;
  };
  expect(await send()).toBe("error");
  expect((await setPermission("forge-times")).out).toBe("olga@example.com can now forge-times.\n");
  expect(await send()).toBe("success");
  expect((await setPermission("forge-times", "--revoke")).out).toContain("no longer");
  expect(await send()).toBe("error");
  expect(await setPermission("fly")).toMatchObject({
    code: 2,
    err: expect.stringContaining("unknown permission fly"),
  });
});

test("creates all or none of many accounts, and names the invalid one", async () => {
  await init();
  const stdin = ["bo", "olga"]
    .map((name) => JSON.stringify({ email: `${name}@example.com`, full_name: "Somebody" }))
    .join("\n");
  const result = await skein(["user", "create", ...data, "--from", "-"], { stdin });
  expectRefused(result, "olga@example.com: Email is already in use.");
  const weak = JSON.stringify({ email: "x@example.com", full_name: "Xx", password: "x" });
  expectRefused(
    await skein(["user", "create", ...data, "--from", "-"], { stdin: weak }),
    "x@example.com: The password is too weak.",
  );
  expect(linesOf(await skein(["user", "list", ...data, "--json"]))).toHaveLength(1);
});

test("creates accounts from a table, each with a link to set a password", async () => {
  await init();
  const stdin = [
    "\ufeffEmail;Full name;Role;Password",
    'bo@example.com;"Bo; Member";moderator;',
    "cy@example.com;Cy;;",
    "",
  ].join("\r\n");
  const from = ["user", "create", ...data, "--from", "-"];
  const created = linesOf(await skein([...from, "--links", "--json"], { stdin }));
  expect(created).toMatchObject([
    { email: "bo@example.com", full_name: "Bo; Member", role: 300 },
    { email: "cy@example.com", full_name: "Cy", role: 400 },
  ]);
  const server = await serve();
  const { pathname } = new URL(String(created[1]!["link"]));
  const page = async (init?: RequestInit) => (await fetch(server.url + pathname, init)).text();
  expect(await page()).toContain("Hello <bdi>Cy</bdi>, an account has been created for you");
  const body = new URLSearchParams({ password: "a harbour of cy" });
  expect(await page({ method: "POST", body })).toContain("You’re all set");
  expect(await page()).toContain("This link has expired");
  const signIn = new URLSearchParams({ username: "cy@example.com", password: "a harbour of cy" });
  const key = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: "POST", body: signIn });
  expect(await key.json()).toMatchObject({ result: "success" });
  const plain = await skein([...from, "--links"], {
    stdin: "email,full_name\ngus@example.com,Gus\n",
  });
  expect(plain.out).toMatch(/^gus@example\.com {2}http:\S+\/accounts\/password\/reset\/\S+\n$/);
});

test.each([
  ["email,name\nbo@example.com,Bo", "row 2: unknown field name"],
  ["email,full_name\nbo@example.com,Bo,x", "row 2: more cells than columns"],
  ['email,full_name\n"bo@example.com,Bo', "a quote is not closed"],
  ['email,full_name\n"bo"x,Bo', "row 2: text after a closing quote"],
  ["email,full_name,role\nbo@example.com,Bo,boss", 'row 2: there is no role "boss"'],
  ["email,full_name\nbo@example.com,", "row 2: full_name must be a string"],
])("creates no accounts from an invalid table: %j", async (stdin, text) => {
  await init();
  expectRefused(await skein(["user", "create", ...data, "--from", "-"], { stdin }), text);
  expect(linesOf(await skein(["user", "list", ...data, "--json"]))).toHaveLength(1);
});

test("rejects invalid input with a message", async () => {
  expectRefused(await skein(["user", "list", ...data]), "there is no organization in");
  const server = await serve();
  const bo = ["--email", "bo@example.com", "--full-name", "Bo"];
  const notSetUp = "no organization is set up in";
  expectRefused(await skein(["user", "create", ...data, ...bo]), notSetUp);
  for (const command of ["user list", "channel list", "invite list", "import status"]) {
    expectRefused(await skein([...command.split(" "), ...data]), notSetUp);
  }
  expect(await server.stop()).toBe(0);
  await init();
  expectRefused(await skein(["user", "key", ...data, ...bo.slice(0, 2)]), userNotFound().message);
  expectRefused(
    await skein(["user", "password", ...data, ...bo.slice(0, 2)]),
    "use --password-file",
  );
});

test("each command rejects a weak password", async () => {
  const file = join(folder, "weak");
  const from = ["--password-file", file];
  const olga = ["--email", "olga@example.com"];
  const vera = ["--email", "vera@example.com", "--full-name", "Vera Winter"];
  writeFileSync(file, "olga@example.com\n");
  const tooWeak = passwordTooWeak().message;
  expectRefused(await skein(["init", ...data, ...OLGA, ...from]), tooWeak);
  await init();
  expectRefused(await skein(["user", "password", ...data, ...olga, ...from]), tooWeak);
  writeFileSync(file, "verawinter\n");
  expectRefused(await skein(["user", "create", ...data, ...vera, ...from]), tooWeak);
  expect(linesOf(await skein(["user", "list", ...data, "--json"]))).toHaveLength(1);
});

test("rejects keys and passwords for a deactivated account", async () => {
  const olga = await init();
  const server = await serve();
  const bo = ["--email", "bo@example.com"];
  const create = ["user", "create", ...data, ...bo, "--full-name", "Bo", "--json"];
  const [created] = linesOf(await skein(create));
  await request(server, olga, `DELETE /users/${created!["user_id"]}`);
  expectRefused(await skein(["user", "key", ...data, ...bo]), userIsDeactivated().message);
  expect((await skein(["user", "list", ...data])).out).toContain("Bo  (member, deactivated)");
});

test("reactivates a deactivated organization", async () => {
  const olga = await init();
  const server = await serve();
  expectRefused(await skein(["reactivate", ...data]), realmNotDeactivated().message);
  await request(server, olga, "POST /realm/deactivate");
  const closedResponse = await request(server, olga, "GET /users/me");
  expect(closedResponse).toMatchObject({ code: "UNAUTHORIZED", msg: realmDeactivated().message });
  expectSuccess(await skein(["reactivate", ...data]));
  expect(await request(server, olga, "GET /users/me")).toMatchObject({ result: "success" });
});

test("sends events of commands to clients that were offline with the server", async () => {
  const olga = await init();
  const first = await serve();
  const { queue_id, last_event_id } = await request(first, olga, "POST /register");
  expect(await first.stop("SIGINT")).toBe(0);
  expect(existsSync(join(data[1]!, "control.sock"))).toBe(false);

  await expectSuccess(
    await skein(["user", "create", ...data, "--email", "bo@b.c", "--full-name", "Bo"]),
  );
  const second = await serve();
  const line = `GET /events?queue_id=${queue_id}&last_event_id=${last_event_id}&dont_block=true`;
  const { events } = await request(second, olga, line);
  const addedEvents = events.filter(({ op, type }: Event) => type === "realm_user" && op === "add");
  expect(addedEvents).toMatchObject([{ person: { full_name: "Bo" } }]);
});

test("a second server on a directory is rejected; a dead server's lock is free", async () => {
  const server = await serve();
  const second = await skein(["serve", ...data, "--listen", "127.0.0.1:0"]);
  expectRefused(second, `is in use by process ${server.pid}`);
  const port = new URL(server.url).port;
  const other = ["--data", join(folder, "other"), "--listen", `127.0.0.1:${port}`];
  expectRefused(await skein(["serve", ...other]), "is in use by another program");

  await server.stop("SIGKILL");
  const setUp = /setup\/\S+/;
  const restarted = await serve();
  expect(setUp.exec(restarted.output)).not.toEqual(setUp.exec(server.output));
  expect(statSync(join(data[1]!, "control.sock")).mode & 0o777).toBe(0o600);
  expect(await restarted.stop()).toBe(0);
});

test("rejects data of a newer version with a message", async () => {
  const newer = [{ to: 99, run: () => {} }];
  const openedStore = await openStore(data[1]!, { tables: {}, bitmaps: {} }, newer);
  await openedStore.close();
  expectRefused(await skein(["serve", ...data]), "written by a newer version of Skein");
});

type Event = Record<string, unknown>;

async function init(...extra: string[]): Promise<Record<string, unknown>> {
  const [created] = linesOf(await skein(["init", ...data, ...OLGA, "--json", ...extra]));
  return created!;
}

async function serve(): Promise<Server> {
  const server = await Server.start(data);
  servers.push(server);
  return server;
}

async function request(
  server: Server,
  account: Record<string, unknown>,
  line: string,
  params?: Record<string, string>,
  // oxlint-disable-next-line no-explicit-any -- responses are untyped JSON
): Promise<any> {
  const [method, path] = line.split(" ") as [string, string];
  const headers = { Authorization: `Basic ${btoa(`${account["email"]}:${account["api_key"]}`)}` };
  const body = params && new URLSearchParams(params);
  return (await fetch(`${server.url}/api/v1${path}`, { method, headers, body })).json();
}

function expectSuccess({ code, err }: CommandResult) {
  expect([code, err]).toEqual([0, ""]);
}

/** Checks that the error is a single readable line. */
function expectRefused({ code, err, out }: CommandResult, text: string) {
  expect(err).toContain(text);
  expect(err.split("\n").filter((line) => line.startsWith("skein: "))).toHaveLength(1);
  expect([code, out]).toEqual([1, ""]);
}
