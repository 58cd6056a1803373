// A Zulip archive that is imported again is equal, except for what the format lacks.
import { afterEach, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { executeCommand } from "../../src/commands/control.ts";
import { exportZulip } from "../../src/features/moving/zulip/write/export.ts";
import { upload } from "../features/upload-fixture.ts";
import { seedsOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { comparableTables } from "./comparable-tables.ts";
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

const NEWEST = { anchor: "newest", num_before: 5_000, num_after: 0, apply_markdown: false };

/** Returns the messages of each user, without what the format lacks. */
async function readByAll(testServer: TestServer): Promise<Json> {
  const visible: Json = {};
  for (const name of PEOPLE) {
    const { messages } = await testServer.request(name, "GET /messages", NEWEST);
    visible[name] = messages.map((message: Json) => {
      const { id, flags, subject, content, timestamp, sender_id, edit_history = [] } = message;
      const isMoved = edit_history.some((entry: Json) => entry.prev_stream !== undefined);
      // The table of losses documents that moved messages lose this flag.
      const storedFlags = isMoved ? flags.filter((flag: string) => flag !== "historical") : flags;
      return { id, flags: storedFlags.toSorted(), subject, content, timestamp, sender_id };
    });
  }
  return visible;
}

const PEOPLE = ["olga", "ada", "mo", "bo", "cy"] as const;

/** Exports the organization, and restarts the server on an import of the archive. */
async function exportAndImport(testServer: TestServer) {
  const { data } = testServer.realm.config;
  const from = join(testServer.directory, "zulip");
  const keys = [...testServer.realm.read.api_keys.range()];
  const exported = await exportZulip(testServer.realm, from, ALL);
  await testServer.stop();
  const fresh = join(testServer.directory, "new");
  const imported = await executeCommand(fresh, "runImport", { from, roles: "keep" });
  renameSync(data, join(testServer.directory, "old"));
  renameSync(fresh, data);
  await testServer.start();
  // Keys are not in the archive.
  await testServer.realm.write((tx) => keys.forEach((row) => tx.api_keys.put(row)));
  return { exported, imported };
}

test.each(seedsOf("round_trips"))(
  "is imported again, equal but for known fields (%d)",
  async (index) => {
    const testServer = await openServer();
    await makeHistory(testServer, SEED + index, ACTS);
    const visible = await readByAll(testServer);
    await upload(testServer, "bo", { name: "plan.txt", bytes: Buffer.from("the plan") });
    const before = comparableTables(testServer.realm.read);
    const { exported, imported } = await exportAndImport(testServer);
    expect(exported).toMatchObject({ outcome: "exported", faults: [] });
    expect(imported).toMatchObject({ outcome: "imported", faults: [] });
    const after = comparableTables(testServer.realm.read);
    expect(await readByAll(testServer)).toEqual(visible);
    const differing = Object.keys(before).filter(
      (table) => !Bun.deepEquals(after[table], before[table]),
    );
    expect(Object.fromEntries(differing.map((name) => [name, after[name]]))).toEqual(
      Object.fromEntries(differing.map((name) => [name, before[name]])),
    );
  },
);
