// The audit log contains each change of permissions, users, settings and keys.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { eraseProfile } from "../../src/features/accounts/erase.ts";
import { watchedTables } from "../../src/features/audit/entries.ts";
import { linkOf, verifyChain } from "../../src/features/audit/chain.ts";
import { jobsWithActor, roundsWithActor } from "../../src/features/audit/jobs.ts";
import { listActs, type AuditEntry } from "../../src/features/audit/list.ts";
import type { Writer } from "../../src/realm.ts";
import { tables } from "../../src/schema/schema.ts";
import { actAs, actor } from "../../src/server/actor.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf, type Name } from "../users.ts";
import { type Params } from "../test-server.ts";
import { AuditedServer, ROWS } from "./audited-actions.ts";

let server: AuditedServer;
let browser: Browser;
beforeAll(async () => {
  server = await AuditedServer.open();
  browser = new Browser(server.testServer);
  await browser.signIn("olga");
});
afterAll(() => server?.testServer.close());

test.each([...ROWS])("%s is recorded", async (_title, kinds, ready) => {
  const work = await ready(server);
  const kindsFound = await server.actsBy(work);
  expect(kindsFound.map(({ act }) => act).sort()).toEqual([...kinds]);
});

/**
 * Tables that change all the time, that belong to users themselves, or that follow from actions.
 */
const UNRECORDED_ACTIONS = [
  ...["alert_words", "archive", "attachment_uses", "attachments", "audit", "audit_parts"],
  ...["backdated_times", "bot_calls", "bot_storage", "bot_warnings", "bulk_subscribe_parts"],
  ...["bulk_subscribes"],
  ...[
    "conversations",
    "devices",
    "drafts",
    "due",
    "group_graph",
    "last_sign_ins",
    "linked_pages",
    "log",
  ],
  // Imports are made by the operator, before or while the organization is used.
  ...["imported", "imports"],
  ...["mail_progress", "message_pins", "messages", "missed_mail", "moved_messages", "muted_users"],
  ...[
    "navigation_views",
    "note_attachment_uses",
    "onboarding_seen",
    "presences",
    "profile_values",
    "push_keys",
  ],
  ...["push_subscriptions", "push_tokens", "pushed_messages", "queues", "read_floors"],
  // The request is written down, without a change of a record.
  ...["person_exports", "realm_exports"],
  ...["reminders", "resumable_uploads", "saved_snippets", "scheduled_messages", "search_fresh"],
  ...[
    "search_pages",
    "search_parts",
    "search_segments",
    "search_words",
    "sends",
    "sidebar_orders",
    "tickets",
  ],
  ...[
    "topic_note_versions",
    "topic_notes",
    "topic_renames",
    "topics",
    "unfinished_moves",
    "upload_space",
    "user_statuses",
  ],
  ...["user_topics", "waiting_pushes", "webhook_calls"],
];

test("every table is audited, or listed here as one without audited actions", () => {
  const unnamed = Object.keys(tables).filter((name) => !watchedTables.has(name));
  expect(unnamed.sort()).toEqual(UNRECORDED_ACTIONS.toSorted());
  expect([...watchedTables].filter((name) => !(name in tables))).toEqual([]);
});

test("records who did what to whom, when and from where", async () => {
  const id = await server.createMember();
  const [entry] = await server.actsBy(() =>
    server.testServer.request("ada", `PATCH /users/${id}`, { role: 600 }),
  );
  expect(entry).toMatchObject({
    act: "user_role_changed",
    actor_id: server.testServer.idOf("ada"),
    via: "api",
    on: "user",
    on_id: id,
    facts: { role: [400, 600] },
    where: { address: "127.0.0.1", client: "SkeinTest" },
  });
  expect(Math.abs(entry!.time - server.testServer.clock.now() / 1000)).toBeLessThan(60);
  const [doneEntry] = await server.actsBy(() =>
    server.command("makeKey", { email: emailOf("ada") }),
  );
  expect(doneEntry).toMatchObject({ actor_id: null, via: "command", where: { operator: "root" } });
  const [atBrowser] = await server.actsBy(() =>
    browser.fetch(`PATCH /users/${id}`, { full_name: server.uniqueName("Other") }),
  );
  expect(atBrowser).toMatchObject({ actor_id: server.testServer.idOf("olga"), via: "browser" });
});

test("does not record rejected requests or changes of own settings", async () => {
  const id = await server.createMember();
  const kinds = await server.actsBy(async () => {
    await server.testServer.refused("bo", `PATCH /users/${id}`, { role: 100 });
    await server.testServer.refused("bo", "PATCH /realm", { name_changes_disabled: false });
    await server.testServer.request("bo", "PATCH /settings", { high_contrast_mode: true });
    const content = "nobody's business";
    await server.testServer.request("bo", "POST /messages", {
      type: "direct",
      to: [server.testServer.idOf("cy")],
      content,
    });
  });
  expect(kinds).toEqual([]);
});

test("contains no password, key or code", async () => {
  const { api_key } = await server.testServer.request(null, "POST /fetch_api_key", {
    username: emailOf("cy"),
    password: PASSWORD,
  });
  const service = {
    full_name: server.uniqueName("Hook"),
    short_name: `hook${++server.count}`,
    bot_type: 3,
  };
  const base_url = "https://example.com/hook?token=sesame";
  const created = await server.olga("POST /bots", {
    ...service,
    payload_url: JSON.stringify(base_url),
    interface_type: 1,
  });
  const all = JSON.stringify(allAuditRows());
  for (const secret of [api_key, created.api_key, PASSWORD, "sesame"])
    expect(all).not.toContain(secret);
  const { hash } = server.testServer.realm.read.passwords.get(server.testServer.idOf("bo"))!;
  expect(all).not.toContain(hash);
});

function allAuditRows() {
  const { audit, audit_parts } = server.testServer.realm.read;
  return [...audit.range(), ...audit_parts.range()];
}

test("shows the audit log only to administrators, and only in a session", async () => {
  const { acts, next } = await browser.request("GET /audit/", { num: 3 });
  expect(acts).toHaveLength(3);
  expect(next).toBe(acts[2].id);
  const older = await browser.request("GET /audit/", { num: 3, before: next });
  expect(older.acts.map(({ id }: AuditEntry) => id)).toEqual([next - 1, next - 2, next - 3]);
  const auditPage = (params: Params) => browser.request("GET /audit/", { num: 200, ...params });
  for (const { act, on } of (await auditPage({ act: "signed_in", on: "user" })).acts) {
    expect([act, on]).toEqual(["signed_in", "user"]);
  }
  const bos = (await auditPage({ user_id: server.testServer.idOf("bo") })).acts;
  expect(bos.length).toBeGreaterThan(0);
  for (const { actor_id, on_id, facts } of bos) {
    expect([actor_id, on_id, ...(facts.user_ids ?? [])]).toContain(server.testServer.idOf("bo"));
  }
  expect(
    (await auditPage({ since: Math.ceil(server.testServer.clock.now() / 1000) + 60 })).acts,
  ).toEqual([]);
  expect((await auditPage({ until: 1 })).acts).toEqual([]);

  const bo = new Browser(server.testServer);
  await bo.signIn("bo");
  expect(await bo.refused("GET /audit/")).toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
  for (const name of ["olga", "bo", null] as (Name | null)[]) {
    expect((await server.testServer.send(name, "GET //json/audit/")).status).toBe(401);
  }
});

test("names an erased user by id alone, and keeps the hash chain intact", async () => {
  const email = "gone@example.com";
  const id = (
    await server.olga("POST /users", { email, password: PASSWORD, full_name: "Gone Girl" })
  ).user_id;
  const browser = new Browser(server.testServer);
  await browser.open("/login/");
  await browser.submit("/accounts/login/", { username: email, password: PASSWORD });
  expect(JSON.stringify(allAuditRows())).toContain("Gone Girl");
  await server.olga(`DELETE /users/${id}`);
  await server.testServer.realm.write((tx) => eraseProfile(tx, id));

  const all = JSON.stringify(allAuditRows());
  expect(all).not.toContain("Gone Girl");
  expect(all).not.toContain(email);
  const { acts } = listActs(server.testServer.realm.read, { user_id: id, num: 200 });
  expect(acts.map(({ act }) => act)).toContain("user_created");
  for (const { act, words } of acts) if (act === "user_created") expect(words).toBeNull();
  const verified = await verifyChain(server.testServer.realm.read);
  expect(verified).toMatchObject({ faults: [] });
  expect(verified.emptied).toBeGreaterThan(0);
});

test("detects any later change of an entry", async () => {
  const { read } = server.testServer.realm;
  expect(await verifyChain(read)).toMatchObject({ faults: [] });
  const { newest_id, newest_hash } = await verifyChain(read);
  const row = read.audit.get(newest_id! - 3)!;
  const parts = [...read.audit_parts.range()];
  const part = parts.find(({ values, user_id }) => values !== null && user_id === null)!;
  const faults: (readonly [string, (tx: Writer) => void])[] = [
    ["was changed", (tx) => tx.audit.put({ ...row, actor_id: 99 })],
    ["are missing", (tx) => tx.audit.delete(row.audit_id)],
    [
      "are missing",
      (tx) => {
        const forged = { ...row, act: "nothing" };
        tx.audit.put({ ...forged, hash: linkOf(forged) });
      },
    ],
    ["were changed", (tx) => tx.audit_parts.put({ ...part, values: { name: "else" } })],
    ["details of action", (tx) => tx.audit_parts.delete(part.audit_id, part.part)],
    ["the text of action", (tx) => tx.audit_parts.put({ ...part, salt: null, values: null })],
    [
      "was not erased",
      (tx) => {
        const own = parts.find(
          ({ values, user_id }) => values !== null && user_id === server.testServer.idOf("bo"),
        )!;
        tx.audit_parts.put({ ...own, salt: null, values: null });
      },
    ],
    ["differs from the one in --seen", (tx) => tx.audit.delete(newest_id!)],
  ];
  for (const [text, change] of faults) {
    const retained = { rows: [...read.audit.range()], parts: [...read.audit_parts.range()] };
    await server.testServer.realm.write(change);
    const lastSeen = { audit_id: newest_id!, hash: newest_hash! };
    expect((await verifyChain(read, lastSeen)).faults.join("; ")).toContain(text);
    await server.testServer.realm.write((tx) => {
      for (const auditRow of retained.rows) tx.audit.put(auditRow);
      for (const part of retained.parts) tx.audit_parts.put(part);
    });
  }
  expect(await verifyChain(read)).toMatchObject({ faults: [] });
});

test("what a job does is the job's, and not that of who was last there", async () => {
  const { jobs, rounds } = {
    jobs: jobsWithActor({ it: { run: recordActor } }),
    rounds: roundsWithActor([{ name: "round", every_ms: 1, run: async () => recordActor() }]),
  };
  const kinds: string[] = [];
  async function recordActor() {
    await Bun.sleep(0);
    kinds.push(`${actor().via} ${actor().where["job"]}`);
  }
  await actAs({ via: "api", user_id: 1, where: {} }, async () => {
    await jobs["it"]!.run(server.testServer.realm, {} as never);
    await rounds[0]!.run(server.testServer.realm);
    expect(actor().user_id).toBe(1);
  });
  expect(kinds).toEqual(["job it", "job round"]);
});
