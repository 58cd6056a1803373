// Contents of Zulip archives: scopes, columns of the target, references, documented losses.
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  EXPORTED_TABLES,
  type ExportedTable,
  fieldsOf,
} from "../../src/features/moving/jsonl/shapes-rules.ts";
import { exportZulip } from "../../src/features/moving/zulip/write/export.ts";
import { NOT_IN_ZULIP } from "../../src/features/moving/zulip/write/missing-data-rules.ts";
import { Template } from "../../src/features/moving/zulip/write/template.ts";
import { skein } from "../commands/skein.ts";
import { upload } from "../features/upload-fixture.ts";
import { SEED } from "../random.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import type { Name } from "../users.ts";
import { makeHistory } from "./random-organization.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

async function openServer(): Promise<TestServer> {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  return testServer;
}

const ALL = { kind: "full_without_consent" } as const;
const ACTS = 120;

test("leaves private channels and direct messages out of a public export", async () => {
  const testServer = await openServer();
  const { ids, directory } = await privateHistory(testServer, "public");
  expect(ids).toEqual(["in public"]);
  const realm = JSON.parse(await Bun.file(join(directory, "realm.json")).text()) as Json;
  expect(realm.zerver_stream.map(({ name }: Json) => name)).not.toContain("closed");
  expect(realm.zerver_huddle).toEqual([]);
  expect(realm.zerver_alertword).toEqual([]);
  const bo = realm.zerver_userprofile.find(({ id }: Json) => id === testServer.idOf("bo"));
  expect(bo).toMatchObject({ is_active: true, color_scheme: 1 });
});

test("exports private data only of users who consent", async () => {
  const testServer = await openServer();
  const consent = { allow_private_data_export: true };
  await testServer.request("ada", "PATCH /settings", consent);
  const { ids, directory } = await privateHistory(testServer, "full_with_consent");
  expect(ids).toEqual(["in public", "ada to bo"]);
  const realm = JSON.parse(await Bun.file(join(directory, "realm.json")).text()) as Json;
  expect(realm.zerver_alertword).toEqual([]);
  const dummies = realm.zerver_userprofile_mirrordummy.map(({ id }: Json) => id);
  expect(dummies).toContain(testServer.idOf("bo"));
  expect(dummies).not.toContain(testServer.idOf("ada"));
  // The members of direct conversations are private, too.
  const { zerver_huddle, zerver_recipient, zerver_subscription } = realm as Record<string, Json[]>;
  const groups = zerver_recipient!.filter(({ type }) => type === 3).map(({ id }) => id);
  expect([groups.length, zerver_huddle!.map(({ recipient }) => recipient)]).toEqual([1, groups]);
  const people = zerver_subscription!.filter(({ recipient }) => groups.includes(recipient));
  expect(people.map(({ user_profile }) => user_profile).toSorted()).toEqual(
    ["ada", "bo"].map((name) => testServer.idOf(name as Name)).toSorted(),
  );
});

test("exports what a consenting user received before leaving a private channel", async () => {
  const testServer = await openServer();
  const subscriptions = (name: string) => JSON.stringify([{ name }]);
  const principals = ["bo", "olga"].map((name) => testServer.idOf(name as Name));
  const send = (to: string, content: string) =>
    testServer.request("bo", "POST /messages", { type: "stream", to, topic: "x", content });
  for (const history_public_to_subscribers of [true, false]) {
    const name = history_public_to_subscribers ? "shared" : "protected";
    await testServer.request("bo", "POST /users/me/subscriptions", {
      ...{ subscriptions: subscriptions(name), invite_only: true, history_public_to_subscribers },
    });
    await send(name, `${name} before joining`);
    await testServer.request("bo", "POST /users/me/subscriptions", {
      ...{ subscriptions: subscriptions(name), principals: JSON.stringify(principals) },
    });
    await send(name, `${name} while subscribed`);
  }
  const consent = { allow_private_data_export: true };
  await testServer.request("olga", "PATCH /settings", consent);
  expect(await exportedTexts(testServer, "first")).toEqual([
    ...["shared before joining", "shared while subscribed", "protected while subscribed"],
  ]);
  for (const name of ["shared", "protected"]) {
    await testServer.request("olga", "DELETE /users/me/subscriptions", {
      subscriptions: JSON.stringify([name]),
    });
    await send(name, `${name} after leaving`);
  }
  expect(await exportedTexts(testServer, "second")).toEqual([
    ...["shared while subscribed", "protected while subscribed"],
  ]);
});

/** Texts of the exported messages that name a subscription, oldest first. */
async function exportedTexts(testServer: TestServer, folder: string): Promise<string[]> {
  const directory = join(testServer.directory, folder);
  await exportZulip(testServer.realm, directory, { kind: "full_with_consent" });
  const { zerver_message: rows } = JSON.parse(
    await Bun.file(join(directory, "messages-000001.json")).text(),
  ) as Json;
  const texts: string[] = rows.map(({ content }: Json) => content);
  return texts.filter((text) => /^(?:shared|protected) /.test(text));
}

test("hides an address from all files of an export if its user does", async () => {
  const testServer = await openServer();
  await testServer.request("bo", "PATCH /settings", { email_address_visibility: 4 });
  const url = await upload(testServer, "bo", { name: "a.txt", bytes: "text" });
  const to = JSON.stringify("open");
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "open" }],
  });
  await testServer.request("bo", "POST /messages", {
    ...{ type: "stream", to, topic: "x", content: `[a](${url})` },
  });
  const directory = join(testServer.directory, "zulip");
  await exportZulip(testServer.realm, directory, { kind: "public" });
  const files = (readdirSync(directory, { recursive: true }) as string[])
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
  expect(files.filter((path) => readFileSync(path, "utf8").includes("bo@example.com"))).toEqual([]);
  const records = JSON.parse(readFileSync(join(directory, "uploads/records.json"), "utf8"));
  expect(records).toMatchObject([{ user_profile_email: expect.stringContaining("@hidden.") }]);
});

/** Cy sends messages to Bo in a private channel and directly, and Ada to Bo directly. */
async function privateHistory(testServer: TestServer, kind: "public" | "full_with_consent") {
  await testServer.request("bo", "PATCH /settings", { color_scheme: 2 });
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["lantern"] });
  const closed = [{ name: "closed" }];
  const principals = [testServer.idOf("bo"), testServer.idOf("cy")];
  await testServer.request("cy", "POST /users/me/subscriptions", {
    ...{ subscriptions: closed, invite_only: true, principals },
  });
  const send = (name: "cy" | "ada", params: Json) =>
    testServer.request(name, "POST /messages", params);
  const direct = { type: "private", to: [testServer.idOf("bo")] };
  await testServer.request("cy", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "open" }],
  });
  await send("cy", { type: "stream", to: "open", topic: "x", content: "in public" });
  await send("cy", { type: "stream", to: "closed", topic: "x", content: "in closed" });
  await send("cy", { ...direct, content: "cy to bo" });
  await send("ada", { ...direct, content: "ada to bo" });
  const directory = join(testServer.directory, "zulip");
  await exportZulip(testServer.realm, directory, { kind });
  const file = await Bun.file(join(directory, "messages-000001.json")).text();
  const { zerver_message: rows } = JSON.parse(file) as Json;
  const expectedMessages = ["in public", "in closed", "cy to bo", "ada to bo"];
  const ids = rows
    .map(({ content }: Json) => content)
    .filter((text: string) => expectedMessages.includes(text));
  return { ids, directory };
}

test("writes the columns of the destination's own export", async () => {
  const testServer = await openServer();
  await makeHistory(testServer, SEED, 10);
  const templateFolder = join(testServer.directory, "like");
  mkdirSync(join(templateFolder, "uploads"), { recursive: true });
  const { zulip_version } = { zulip_version: "12.0" };
  const realm = { id: 1, string_id: "", name: "", plan_type: 1 };
  const template = { zerver_realm: [realm], zerver_stream: [{ id: 1, name: "", unknown: 7 }] };
  writeFileSync(join(templateFolder, "realm.json"), JSON.stringify(template));
  const to = join(testServer.directory, "zulip");
  const options = { ...ALL, template: undefined };
  expect(await exportZulip(testServer.realm, `${to}-plain`, options)).toMatchObject({ exit: 3 });
  await expect(Template.read(templateFolder)).rejects.toThrow("migration_status.json is missing");
  writeFileSync(join(templateFolder, "migration_status.json"), JSON.stringify({ zulip_version }));
  await exportZulip(testServer.realm, to, {
    ...ALL,
    template: await Template.read(templateFolder),
  });
  const realmFile = JSON.parse(await Bun.file(join(to, "realm.json")).text()) as Json;
  expect(realmFile.zerver_realm).toEqual([
    { id: 1, string_id: "skein", name: "Town", plan_type: 1 },
  ]);
  expect(Object.keys(realmFile.zerver_stream[0])).toEqual(["id", "name", "unknown"]);
  expect(await Bun.file(join(to, "migration_status.json")).json()).toEqual({ zulip_version });
});

/** Tables of which the archive contains at least some fields. */
const STORED = [
  ...["alert_words", "attachment_uses", "attachments", "bots", "channel_folders", "channels"],
  ...["conversations", "custom_emoji", "group_members", "groups", "linkifiers", "messages"],
  ...["muted_users", "navigation_views", "playgrounds", "profile_fields", "profile_values"],
  ...["realm", "realm_domains", "reminders", "saved_snippets", "scheduled_messages"],
  ...["setting_defaults", "subscriptions", "topics", "user_statuses", "user_topics", "users"],
];

test("every table is kept, or named as a loss", () => {
  const lostTables = EXPORTED_TABLES.filter((table) => Object.hasOwn(NOT_IN_ZULIP, table));
  expect([...STORED, ...lostTables].toSorted()).toEqual(EXPORTED_TABLES.toSorted());
});

test("lists every loss in the documentation, and nothing else as a loss", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving/to-zulip.md")).text();
  const rows = Object.fromEntries(
    [...page.matchAll(/^\| `([a-z_.0-9]+)` +\| (.*?) +\|$/gm)].map(([, key, reason]) => [
      key,
      reason,
    ]),
  );
  expect(rows).toEqual({ ...NOT_IN_ZULIP });
  for (const key of Object.keys(NOT_IN_ZULIP)) {
    const [table, field] = key.split(".") as [ExportedTable, string?];
    expect(EXPORTED_TABLES).toContain(table);
    if (field) expect(fieldsOf(table).map(({ name }) => name)).toContain(field);
  }
});

test("refers only to rows and files that are in the archive", async () => {
  const testServer = await openServer();
  await makeHistory(testServer, SEED, ACTS);
  await upload(testServer, "bo", { name: "plan.txt", bytes: Buffer.from("the plan") });
  const to = join(testServer.directory, "zulip");
  await exportZulip(testServer.realm, to, ALL);
  const realm = JSON.parse(await Bun.file(join(to, "realm.json")).text()) as Json;
  const idsOf = (table: string) => new Set(realm[table].map(({ id }: Json) => id));
  const groups = idsOf("zerver_usergroup");
  for (const table of ["zerver_realm", "zerver_stream", "zerver_namedusergroup"]) {
    for (const row of realm[table]) {
      for (const [column, value] of Object.entries(row)) {
        if (/^can_.*_group$|^can_/.test(column) && typeof value === "number") {
          expect(groups, `${table} ${column}`).toContain(value);
        }
      }
    }
  }
  const users = idsOf("zerver_userprofile").union(idsOf("zerver_userprofile_crossrealm"));
  const recipients = idsOf("zerver_recipient");
  const { zerver_message, zerver_usermessage } = JSON.parse(
    await Bun.file(join(to, "messages-000001.json")).text(),
  ) as Json;
  const messages = new Set(zerver_message.map(({ id }: Json) => id));
  for (const row of zerver_message) {
    expect(users).toContain(row.sender);
    expect(recipients).toContain(row.recipient);
  }
  for (const row of zerver_usermessage) expect(messages).toContain(row.message);
  for (const row of realm.zerver_subscription) expect(recipients).toContain(row.recipient);
  for (const kind of ["uploads", "avatars", "emoji", "realm_icons"]) {
    for (const { path } of await Bun.file(join(to, kind, "records.json")).json()) {
      expect(existsSync(join(to, kind, path))).toBe(true);
    }
  }
});

test("every command of the documentation works, in its order", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving/to-zulip.md")).text();
  const testServer = await openServer();
  const folder = testServer.directory;
  const templateFolder = join(folder, "empty-zulip");
  await exportZulip(testServer.realm, templateFolder, { kind: "public" });
  writeFileSync(join(templateFolder, "migration_status.json"), "{}");
  await testServer.stop();
  const paths: Record<string, string> = {
    "/var/lib/skein": testServer.realm.config.data,
    "/mnt/zulip": join(folder, "zulip"),
    "/mnt/empty-zulip": templateFolder,
    "/mnt/for-others": join(folder, "for-others"),
  };
  const lines = [...page.matchAll(/^skein (.*)$/gm)].map(([, line = ""]) => line.split(" "));
  expect(lines.length).toBe(2);
  for (const line of lines) {
    const args = line.map((arg) => (Object.hasOwn(paths, arg) ? paths[arg]! : arg));
    const { code, err } = await skein(args, { isSource: true });
    expect([0, 3], `${line.join(" ")}: ${err}`).toContain(code);
  }
  await testServer.start();
});
