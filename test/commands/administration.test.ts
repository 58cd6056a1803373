// Administration in the terminal uses the same actions as the API, and is logged.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFor } from "../../src/commands/control.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { compose } from "../../src/features/messages/content/compose.ts";
import { openRunning } from "../../src/running.ts";
import { Commands } from "./commands.ts";
import { type CommandResult, linesOf, Server } from "./skein.ts";

let folder: string;
let data: string;
let key: string;
const commands = new Commands();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-administration-"));
  data = join(folder, "data");
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga Owner"];
  const created = await runCommand("init", "--name", "Town", ...owner, "--json");
  key = (linesOf(created)[0] as { api_key: string }).api_key;
  const people = join(folder, "people.csv");
  const rows = ["bo@example.com,Bo,member", "cy@example.com,Cy,member"];
  await Bun.write(people, `email,full_name,role\n${rows.join("\n")}\n`);
  await runCommand("user", "create", "--from", people);
});
afterAll(async () => {
  await commands.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function runCommand(...args: string[]): Promise<CommandResult> {
  const result = await commands.run([...args, "--data", data]);
  if (result.code !== 0) throw new Error(`skein ${args.join(" ")}: ${result.err}`);
  return result;
}

async function runRefused(...args: string[]): Promise<string> {
  const result = await commands.run([...args, "--data", data]);
  expect(result.code).toBeGreaterThan(0);
  return result.err;
}

/** Returns the newest audit entries as an operator sees them: action and command. */
async function listActs(count: number): Promise<string[]> {
  const rows = linesOf(await runCommand("audit", "list", "--limit", String(count), "--json"));
  return rows.map(({ act, via, where }) => {
    expect(via).toBe("command");
    return `${String(act)} ${(where as { command: string }).command}`;
  });
}

async function withServer<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await Server.start(["--data", data]);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

// oxlint-disable-next-line no-explicit-any -- responses are untyped JSON
async function request(
  server: Server,
  line: string,
  params: Record<string, string> = {},
): Promise<any> {
  const [method = "", path = ""] = line.split(" ");
  const query = new URLSearchParams(params);
  const headers = { Authorization: `Basic ${btoa(`olga@example.com:${key}`)}` };
  const isGet = method === "GET";
  const url = `${server.url}/api/v1${path}${isGet ? `?${query}` : ""}`;
  const response = await fetch(url, { method, headers, ...(!isGet && { body: query }) });
  return response.json();
}

test("creates, changes and archives channels, with events to clients", async () => {
  const board = ["--name", "board", "--private", "--subscribers", "bo@example.com"];
  await runCommand("channel", "create", ...board);
  await withServer(async (server) => {
    const { queue_id } = await request(server, "POST /register", { event_types: '["stream"]' });
    const created = linesOf(
      await runCommand("channel", "create", "--name", "kitchen", "--json"),
    )[0]!;
    await runCommand(
      "channel",
      "set",
      "--channel",
      "kitchen",
      "--setting",
      "description",
      "--value",
      "Tea",
    );
    await runCommand("channel", "archive", "--channel", String(created["stream_id"]));
    const { events } = await request(server, "GET /events", { queue_id, last_event_id: "-1" });
    const ops = events.map(({ op, property }: Record<string, string>) => property ?? op);
    expect(ops.slice(0, 2)).toEqual(["create", "description"]);
    expect(await runRefused("channel", "archive", "--channel", "kitchen")).toContain("already");
    await runCommand("channel", "unarchive", "--channel", "kitchen");
  });
  expect(await listActs(4)).toEqual([
    "channel_unarchived changeChannel",
    "channel_archived archiveChannel",
    "channel_changed changeChannel",
    "channel_created createChannel",
  ]);
  const all = linesOf(await runCommand("channel", "list", "--json"));
  const kinds = Object.fromEntries(all.map((item) => [item["name"], item]));
  expect(kinds["board"]).toMatchObject({ is_private: true, subscribers: 1 });
  expect(kinds["kitchen"]).toMatchObject({ description: "Tea", is_archived: false });
  expect(
    await runRefused("channel", "set", "--channel", "attic", "--setting", "x", "--value", "y"),
  ).toContain("there is no channel attic");
  const unexpected = [
    "channel",
    "set",
    "--channel",
    "board",
    "--setting",
    "descripton",
    "--value",
    "y",
  ];
  expect(await runRefused(...unexpected)).toContain("did you mean description");
});

test("shows and changes the organization, within the acting user's permissions", async () => {
  const shown = linesOf(await runCommand("org", "show", "--json"))[0]!;
  expect(shown).toMatchObject({ name: "Town", is_deactivated: false });
  await runCommand("org", "rename", "--name", "Village");
  await withServer(async (server) => {
    const before = await runCommand(
      "org",
      "set",
      "--setting",
      "invite_required",
      "--value",
      "true",
    );
    expect(before.out).toContain("already has this value");
    await runCommand("org", "set", "--setting", "waiting_period_threshold", "--value", "3");
    expect((await request(server, "POST /register")).realm_waiting_period_threshold).toBe(3);
    const [organization] = linesOf(await runCommand("org", "list", "--json"));
    expect(organization).toMatchObject({ name: "Village", data, url: server.url });
    const bo = ["--by", "bo@example.com", "--setting", "invite_required", "--value", "false"];
    expect(await runRefused("org", "set", ...bo)).toContain("owner");
  });
  expect(await runRefused("org", "deactivate")).toContain("pass --yes");
  expect(await runRefused("org", "deactivate", "--delete-after-days", "1", "--yes")).toContain(
    "14",
  );
  await runCommand("org", "deactivate", "--yes");
  expect(linesOf(await runCommand("org", "show", "--json"))[0]).toMatchObject({
    is_deactivated: true,
  });
  await runCommand("reactivate");
  const newest = ["organization_reactivated reactivate"];
  expect(await listActs(2)).toEqual([...newest, "organization_deactivated deactivateOrganization"]);
});

test("changes roles and names, deactivates, reactivates and erases users", async () => {
  await runCommand("user", "role", "--email", "bo@example.com", "--role", "moderator");
  await runCommand("user", "rename", "--email", "bo@example.com", "--full-name", "Bo Lind");
  await withServer(async (server) => {
    await runCommand("user", "deactivate", "--email", "cy@example.com");
    const { members } = await request(server, "GET /users");
    const accounts = members.map(({ full_name, role, is_active }: Record<string, unknown>) => {
      return `${String(full_name)} ${String(role)} ${String(is_active)}`;
    });
    expect(accounts).toContain("Bo Lind 300 true");
    expect(accounts).toContain("Cy 400 false");
    await runCommand("user", "reactivate", "--email", "cy@example.com");
  });
  expect(await listActs(1)).toEqual(["user_reactivated reactivateUser"]);
  expect(await runRefused("user", "erase", "--email", "cy@example.com")).toContain("pass --yes");
  await runCommand("user", "erase", "--email", "cy@example.com", "--messages", "all", "--yes");
  expect(await runRefused("user", "deactivate", "--email", "cy@example.com")).toContain(
    "No such user",
  );
  const last = ["user", "role", "--email", "olga@example.com", "--role", "member"];
  expect(await runRefused(...last, "--by", "olga@example.com")).toContain("owner");
});

test("creates, lists and revokes invitations", async () => {
  const links = await runCommand("invite", "create", "--emails", "dee@example.com,eve@example.com");
  expect(links.out.trim().split("\n")).toHaveLength(2);
  const { out } = await runCommand(
    "invite",
    "create",
    "--link",
    "--role",
    "guest",
    "--channels",
    "general",
  );
  const list = linesOf(await runCommand("invite", "list", "--json"));
  expect(list.map(({ kind, email }) => [kind, email])).toEqual([
    ["email", "dee@example.com"],
    ["email", "eve@example.com"],
    ["link", null],
  ]);
  expect(list[2]).toMatchObject({ link: out.trim(), invited_as: 600 });
  await runCommand("invite", "revoke", "--id", String(list[2]!["id"]), "--link");
  await runCommand("invite", "revoke", "--id", String(list[0]!["id"]));
  const remaining = (await runCommand("invite", "list")).out;
  expect(remaining).toMatch(/^ +\d+ {2}eve@example\.com .*\n$/);
  expect(await runRefused("invite", "revoke", "--id", "99")).toContain("o such invitation");
  expect(await runRefused("invite", "create", "--link", "--emails", "x@example.com")).toContain(
    "either",
  );
  const wrong = await runRefused("invite", "create", "--emails", "ok@example.com,nobody");
  expect(wrong).toMatch(/send any invitations\. nobody: \w/);
  const nowhere = ["invite", "create", "--link", "--channels", "nowhere"];
  expect(await runRefused(...nowhere)).toContain("there is no channel nowhere. See: skein");
});

const DAY_SECONDS = 86_400;

test("counts and deletes expired messages, and frees their space", async () => {
  const realm = await openRunning(configFor(data));
  const olga = realm.read.users.findBy("email", "olga@example.com")!;
  const text = compose(realm.read, olga, "an old word ".repeat(100));
  await realm.write((tx) => {
    for (let index = 0; index < 400; index++) {
      const { id } = sendMessage(tx, olga, { stream_id: 1, topic: "old" }, text);
      const message = tx.messages.get(id)!;
      tx.messages.put({ ...message, timestamp: tx.now - 40 * DAY_SECONDS });
    }
  });
  await realm.close();
  const set = ["--setting", "message_retention_days", "--value", "30"];
  await runCommand("channel", "set", "--channel", "general", ...set);
  expect((await runCommand("retention", "plan")).out).toContain("400  general");
  const ran = linesOf(await runCommand("retention", "run", "--json"))[0]!;
  expect(ran).toEqual({ deleted: 400, left: 0 });
  const path = join(data, "data.mdb");
  const before = statSync(path).size;
  await withServer(async () => {
    const stat = linesOf(await runCommand("db", "stat", "--json"))[0]!;
    expect(stat["size_bytes"]).toBeGreaterThan(stat["free_bytes"] as number);
    expect(await runRefused("db", "compact")).toContain("stop the server first");
    expect((await runCommand("db", "check")).out).toContain("are intact");
    const [{ file } = { file: "" }] = linesOf(
      await runCommand("debug", "profile", "--seconds", "1", "--json"),
    ) as { file: string }[];
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")))).toContain("nodes");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
  const done_ = linesOf(await runCommand("db", "compact", "--json"))[0]!;
  expect(done_["after_bytes"]).toBeLessThan(before);
  expect([statSync(path).size, existsSync(`${path}.before-compact`)]).toEqual([
    done_["after_bytes"] as number,
    true,
  ]);
  expect((await runCommand("db", "check")).out).toContain("are intact");
  await withServer(async (server) => {
    expect((await request(server, "GET /users/me")).email).toBe("olga@example.com");
  });
});
