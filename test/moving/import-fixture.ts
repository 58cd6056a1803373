/** Shared helpers for tests of imports from other products: a server, runs and short messages. */
import { afterEach, expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import type { ImportChoices } from "../../src/features/moving/products/import-jobs.ts";
import { skein } from "../commands/skein.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import type { Name } from "../users.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

export async function openServer(): Promise<TestServer> {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  return testServer;
}

export function zipIn(testServer: TestServer, entries: readonly ZipEntry[]): string {
  const path = join(testServer.directory, "export.zip");
  writeFileSync(path, zipOf(entries));
  return path;
}

/** Writes the same entries as files of a folder. */
export function folderIn(directory: string, entries: readonly ZipEntry[], name = "export"): string {
  const root = join(directory, name);
  for (const { name: entry, bytes } of entries) {
    mkdirSync(dirname(join(root, entry)), { recursive: true });
    writeFileSync(join(root, entry), bytes);
  }
  return root;
}

export const run = (testServer: TestServer, from: string, choices: ImportChoices = {}) =>
  movingCommands.runImport(testServer.realm, { from, ...choices }, true);

const NEWEST = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };

/** Messages of the product that a user can read. */
export async function messagesTo(
  testServer: TestServer,
  name: Name,
  label: string,
): Promise<Json[]> {
  const { messages } = await testServer.request(name, "GET /messages", NEWEST);
  return messages.filter(({ client }: Json) => client === label);
}

export const summarize = ({ sender_full_name, display_recipient, subject, content }: Json) => [
  sender_full_name,
  typeof display_recipient === "string" ? display_recipient : display_recipient.length,
  subject.replace("general chat", ""),
  content
    .replaceAll(/\|\d+\*\*/g, "**")
    .replaceAll(/1\/..\/[\w-]{24}/g, "ID")
    .replaceAll(/https:\/\/chat\.example\/#narrow[^)]*/g, "LINK"),
];

/** Returns the names of all channels that a user can see. */
export async function channelsOf(testServer: TestServer, name: Name): Promise<string[]> {
  const snapshot = await testServer.request(name, "POST /register", {});
  const all = [...snapshot.subscriptions, ...snapshot.unsubscribed, ...snapshot.never_subscribed];
  return all.map((channel: Json) => channel.name).sort();
}

/** Checks that a second run writes nothing, and that an undo restores the previous state. */
export async function expectRepeatedAndUndone(
  testServer: TestServer,
  from: string,
  choices: ImportChoices = {},
): Promise<void> {
  const { read } = testServer.realm;
  const tables = [read.channels, read.users, read.attachments, read.conversations];
  const countRows = () => tables.map((table) => table.count());
  const before = countRows();
  expect((await run(testServer, from, choices)).outcome).toBe("imported");
  expect((await run(testServer, from, choices)).written).toEqual({});
  const undoResult = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(undoResult).toMatchObject({ outcome: "undone", faults: [] });
  expect([...countRows(), read.channel_folders.count()]).toEqual([...before, 0]);
  expect([read.message_pins.count(), read.imported.count()]).toEqual([0, 0]);
}

/** Checks that the import is rejected with the place of the fault, and that nothing is written. */
export async function expectRefused(
  testServer: TestServer,
  from: string,
  fault: string,
): Promise<void> {
  const report = await run(testServer, from);
  expect(report, fault).toMatchObject({ outcome: "refused", exit: 4, written: {} });
  expect(report.faults.join("\n")).toContain(fault);
  expect(testServer.realm.read.imports.count()).toBe(0);
}

/**
 * Runs the commands of the page; `paths` replaces paths in them. Returns the number of commands.
 */
export async function followPage(
  testServer: TestServer,
  page: string,
  paths: Readonly<Record<string, string>>,
): Promise<number> {
  const text = await Bun.file(join(import.meta.dir, "../../docs/moving", page)).text();
  await testServer.stop();
  const names: Record<string, string> = {
    ...paths,
    "/var/lib/skein": testServer.realm.config.data,
  };
  const lines = [...text.matchAll(/^skein (.*)$/gm)].map(([, line = ""]) => line.split(" "));
  for (const line of lines) {
    const args = line.map((arg) => (Object.hasOwn(names, arg) ? names[arg]! : arg));
    const { code, err } = await skein(args, { isSource: true });
    expect([0, 3], `${line.join(" ")}: ${err}`).toContain(code);
  }
  await testServer.start();
  return lines.length;
}

export const lossesOf = ({ losses }: { losses: { kind: string }[] }) =>
  losses.map(({ kind }) => kind).toSorted();
