// Exports of administrators: written by a job, announced, downloaded and deleted.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  exportByOperator,
  exportDeleted,
  exportFailed,
  exportNotFound,
  exportNotReadable,
  exportPending,
  exportsTooMany,
  exportWithoutConsent,
} from "../../src/contract/errors/realm.ts";
import { planZulip } from "../../src/features/moving/zulip/import-jobs.ts";
import { optionsOf } from "../../src/features/moving/products/import-jobs.ts";
import { EXPORT_KEPT_DAYS, EXPORTS_MAX } from "../../src/features/moving/realm-export/rules.ts";
import { endExport } from "../../src/features/moving/realm-export/actions.ts";
import { purgePersonExports } from "../../src/features/moving/person/jobs.ts";
import { purgeExports } from "../../src/features/moving/realm-export/jobs.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer();
  await testServer.request("bo", "POST /messages", {
    ...{ type: "private", to: [testServer.idOf("cy")], content: "between us" },
  });
});

afterAll(() => testServer.close());

/** Resets the quota of exports, and all consents. */
beforeEach(async () => {
  for (const name of ["olga", "bo"] as const) {
    await testServer.request(name, "PATCH /settings", { allow_private_data_export: false });
  }
  await testServer.realm.write((tx) => {
    for (const { export_id } of [...tx.realm_exports.range()]) tx.realm_exports.delete(export_id);
  });
});

/** Requests an export, and waits for the events until it is over. */
async function exportRealm(
  name: Name,
  params: Json = {},
): Promise<{ export: Json; events: Json[] }> {
  const listener = await testServer.listen(name, { event_types: ["realm_export"] });
  const { id } = await testServer.request(name, "POST /export/realm", params);
  const events: Json[] = [];
  for (;;) {
    events.push(await listener.next());
    const exportRow = events.at(-1).exports.find((item: Json) => item.id === id);
    if (!exportRow.pending) return { export: exportRow, events };
  }
}

const fetchExport = (name: Name | null, url: string) => {
  const [, , key, file] = new URL(url).pathname.split("/");
  return testServer.send(name, `GET //exports/${key}/${file}`);
};

test("writes an export in the background, which only its requester downloads", async () => {
  const { export: done, events } = await exportRealm("ada");
  expect(done).toMatchObject({
    ...{ acting_user_id: testServer.idOf("ada"), export_type: "public", pending: false },
    ...{ deleted_timestamp: null, failed_timestamp: null, export_from_prior_server: false },
  });
  expect(events.length).toBeGreaterThan(1);
  expect(events[0].exports[0]).toMatchObject({ pending: true, export_url: null });
  const { exports } = await testServer.request("olga", "GET /export/realm");
  expect(exports).toEqual([done]);
  const response = await fetchExport("ada", done.export_url);
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  const path = join(testServer.directory, "downloaded.tar.gz");
  writeFileSync(path, new Uint8Array(await response.arrayBuffer()));
  const plan = await planZulip(undefined, path, optionsOf({}));
  expect(plan).toMatchObject({ outcome: "planned", found: { users: 10 } });
  for (const name of ["olga", "bo", "gus"] as const) {
    expect((await fetchExport(name, done.export_url)).ok, name).toBe(false);
  }
  expect((await fetchExport(null, done.export_url)).ok).toBe(false);
  expect((await fetchExport("ada", done.export_url.replace(/-\d+\.tar/, "-99.tar"))).status).toBe(
    400,
  );
});

test("deletes an export and its file, once", async () => {
  const { export: done } = await exportRealm("ada");
  const folder = join(testServer.realm.config.data, "exports");
  const before = readdirSync(folder).length;
  await testServer.request("olga", `DELETE /export/realm/${done.id}`);
  expect(readdirSync(folder).length).toBe(before - 1);
  expect((await fetchExport("ada", done.export_url)).status).toBe(400);
  const { exports } = await testServer.request("olga", "GET /export/realm");
  expect(exports).toMatchObject([{ id: done.id, export_url: null }]);
  expect(exports[0].deleted_timestamp).toBeGreaterThan(0);
  const secondRefusal = await testServer.refused("olga", `DELETE /export/realm/${done.id}`);
  expect(secondRefusal.msg).toBe(exportDeleted().message);
  const unknown = await testServer.refused("olga", "DELETE /export/realm/999");
  expect(unknown.msg).toBe(exportNotFound().message);
});

test("refuses to delete an export that failed or is in progress", async () => {
  const row = { export_type: "public", acting_user_id: 1, export_time: 1, ended: null } as const;
  await testServer.realm.write((tx) => {
    tx.realm_exports.put({ ...row, export_id: 801, state: "started", key: "a" });
    tx.realm_exports.put({ ...row, export_id: 802, state: "requested", key: "b" });
    endExport(tx, 802, "failed");
  });
  const { msg } = await testServer.refused("ada", "DELETE /export/realm/801");
  expect(msg).toBe(exportPending().message);
  const failed = await testServer.refused("ada", "DELETE /export/realm/802");
  expect(failed.msg).toBe(exportFailed().message);
  const { exports } = await testServer.request("ada", "GET /export/realm");
  expect(
    exports.map(({ pending, failed_timestamp }: Json) => [pending, failed_timestamp !== null]),
  ).toEqual([
    [true, false],
    [false, true],
  ]);
});

test("allows exports for administrators only, within limits", async () => {
  for (const line of ["GET /export/realm", "POST /export/realm", "DELETE /export/realm/1"]) {
    expect((await testServer.refused("mo", line)).status, line).toBe(400);
  }
  const request = (params: Json) => testServer.refused("ada", "POST /export/realm", params);
  const exportId = await request({ export_type: "full_without_consent" });
  expect(exportId.msg).toBe(exportByOperator().message);
  const consent = await request({ export_type: "full_with_consent" });
  expect(consent.msg).toBe(exportWithoutConsent().message);
  await testServer.request("olga", "PATCH /settings", { email_address_visibility: 4 });
  expect((await request({})).msg).toBe(exportNotReadable().message);
  await testServer.request("olga", "PATCH /settings", { email_address_visibility: 1 });
  const { now } = testServer.realm.read;
  const row = { export_type: "public", acting_user_id: 1, state: "failed", ended: 1 } as const;
  await testServer.realm.write((tx) => {
    for (let index = 1; index <= EXPORTS_MAX; index++) {
      tx.realm_exports.put({ ...row, export_id: 900 + index, export_time: now, key: `k${index}` });
    }
  });
  expect((await request({})).msg).toBe(exportsTooMany().message);
});

test("exports direct messages only of users who consent", async () => {
  await testServer.request("olga", "PATCH /settings", { allow_private_data_export: true });
  const { export: done } = await exportRealm("ada", { export_type: 2 });
  expect(done.export_type).toBe("full_with_consent");
  const bytes = await (await fetchExport("ada", done.export_url)).arrayBuffer();
  const text = Buffer.from(Bun.gunzipSync(new Uint8Array(bytes))).toString("latin1");
  expect(text).not.toContain("between us");
  await testServer.request("bo", "PATCH /settings", { allow_private_data_export: true });
  const { export: second } = await exportRealm("ada", { export_type: "full_with_consent" });
  const more = await (await fetchExport("ada", second.export_url)).arrayBuffer();
  expect(Buffer.from(Bun.gunzipSync(new Uint8Array(more))).toString("latin1")).toContain(
    "between us",
  );
});

test("continues an export after a restart, and deletes old exports", async () => {
  await testServer.realm.write((tx) => {
    const row = { export_type: "public", acting_user_id: testServer.idOf("ada") } as const;
    const about = { ...row, export_id: 700, export_time: tx.now, key: "restarted", ended: null };
    tx.realm_exports.put({ ...about, state: "started" });
    // The job is due in an hour, so that the test decides when it runs.
    tx.enqueue("write export", tx.now * 1000 + 3_600_000, { export_id: 700 });
  });
  await testServer.restart();
  const listener = await testServer.listen("ada", { event_types: ["realm_export"] });
  testServer.clock.passSeconds(3_601);
  await testServer.realm.write((tx) => tx.enqueue("write export", 1, { export_id: 700 }));
  const { exports: received } = await listener.next();
  expect(received).toMatchObject([{ id: 700, pending: false }]);
  const path = join(testServer.realm.config.data, "exports", "restarted.tar.gz");
  expect(existsSync(path)).toBe(true);
  testServer.clock.passSeconds(EXPORT_KEPT_DAYS * 86_400 + 10);
  await purgeExports(testServer.realm);
  expect(existsSync(path)).toBe(false);
  expect(testServer.realm.read.realm_exports.get(700)).toMatchObject({ state: "deleted" });
});

test("deletes what a process left that was killed while it wrote an export", async () => {
  const { data } = testServer.realm.config;
  const folder = join(data, "exports");
  const user_id = testServer.idOf("ada");
  const [work, personWork] = ["killed.new", "person-killed.zip.new"];
  await testServer.realm.write((tx) => {
    const row = { export_type: "public", acting_user_id: user_id, key: "killed" } as const;
    const times = { export_time: tx.now, ended: null };
    tx.realm_exports.put({ ...row, ...times, export_id: 701, state: "requested" });
    tx.person_exports.put({
      ...{ user_id, requested: tx.now, key: "killed", ended: null },
      state: "requested",
    });
  });
  await testServer.stop();
  const killed = [
    [work, "realm", "701"],
    [personWork, "person", String(user_id)],
  ] as const;
  for (const [name, kind, id] of killed) {
    const command = [process.execPath, join(import.meta.dir, "killed-export-child.ts")];
    const child = Bun.spawn([...command, data, join(folder, name), kind, id]);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(existsSync(join(folder, name))).toBe(true);
  }
  await testServer.start();
  const purge = async () => {
    await purgeExports(testServer.realm);
    await purgePersonExports(testServer.realm);
    return [work, personWork].filter((name) => existsSync(join(folder, name)));
  };
  // A job could still be writing them.
  expect(await purge()).toEqual([work, personWork]);
  await testServer.realm.write((tx) => {
    endExport(tx, 701, "failed");
    tx.person_exports.put({
      ...{ user_id, requested: tx.now, key: "killed", ended: tx.now },
      state: "failed",
    });
  });
  expect(await purge()).toEqual([]);
});
