/** Storage folders of Campfire, with a database that has its tables. */
import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { striped } from "../features/upload-fixture.ts";

const START_MS = Date.parse("2024-05-01T10:00:00Z");

export const timeAfter = (seconds: number) =>
  new Date(START_MS + seconds * 1000).toISOString().replace("T", " ").replace("Z", "000");

const SCHEMA = `
  CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT, created_at TEXT);
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email_address TEXT, role INTEGER,
    status INTEGER, bio TEXT, password_digest TEXT);
  CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT, type TEXT, creator_id INTEGER,
    created_at TEXT);
  CREATE TABLE memberships (id INTEGER PRIMARY KEY, room_id INTEGER, user_id INTEGER,
    involvement TEXT, unread_at TEXT);
  CREATE TABLE messages (id INTEGER PRIMARY KEY, room_id INTEGER, creator_id INTEGER,
    client_message_id TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE action_text_rich_texts (id INTEGER PRIMARY KEY, record_type TEXT,
    record_id INTEGER, name TEXT, body TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE boosts (id INTEGER PRIMARY KEY, message_id INTEGER, booster_id INTEGER,
    content TEXT);
  CREATE TABLE active_storage_blobs (id INTEGER PRIMARY KEY, key TEXT, filename TEXT,
    content_type TEXT, byte_size INTEGER);
  CREATE TABLE active_storage_attachments (id INTEGER PRIMARY KEY, record_type TEXT,
    record_id INTEGER, name TEXT, blob_id INTEGER);
  CREATE TABLE webhooks (id INTEGER PRIMARY KEY, user_id INTEGER, url TEXT);`;

export const PASSWORD = "correct horse battery staple";
const DIGEST = await Bun.password.hash(PASSWORD, { algorithm: "bcrypt", cost: 4 });

const gid = (id: number) => `{"_rails":{"data":"gid://campfire/User/${id}","pur":"attachable"}}`;
const oldGid = (id: number) =>
  `{"_rails":{"message":"${Buffer.from(`gid://campfire/User/${id}`).toString("base64")}"}}`;

const mention = (payload: string) =>
  `<action-text-attachment sgid="${Buffer.from(payload).toString("base64")}--abc" ` +
  'content-type="application/vnd.campfire.mention"></action-text-attachment>';

const BODIES: [room: number, user: number, body: string][] = [
  [1, 1, `<div>Hello ${mention(gid(2))} and ${mention(oldGid(4))}, <strong>look</strong></div>`],
  [1, 2, "<div>one<br>two</div><ul><li>a</li><li>b</li></ul><script>alert(1)</script>"],
  [1, 5, '<pre>code *is* code</pre><p>see <a href="https://a.example/">this</a></p>'],
  [2, 3, "<p>lantern</p>"],
  [3, 1, "<p>just you</p>"],
  [4, 3, "<p>we three</p>"],
];

type Fill = (database: Database) => void;

/** Writes a database in the journal mode of a running server. */
export function campfireDatabase(path: string, extra: Fill = () => {}): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.run("PRAGMA journal_mode = WAL");
  database.run(SCHEMA);
  const put: InsertRow = (table, ...values) =>
    void database.run(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`, values);
  putPeople(put);
  putMessages(put);
  extra(database);
  database.close();
}

type InsertRow = (table: string, ...values: (string | number | null)[]) => void;

function putPeople(put: InsertRow): void {
  put("accounts", 1, "Acme", timeAfter(-100));
  put("users", 1, "Olga", "olga@example.com", 1, 0, null, DIGEST);
  put("users", 2, "Bo", "bo@example.com", 0, 0, "likes tea", DIGEST);
  put("users", 3, "Cy", "cy@example.com", 0, 0, null, DIGEST);
  put("users", 4, "Nina Neu", "nina@example.com", 0, 0, null, DIGEST);
  put("users", 5, "Robo Bot", null, 2, 0, null, null);
  put("users", 6, "Gone", "gone@example.com", 0, 1, null, DIGEST);
  put("users", 7, "Odd Hash", "odd@example.com", 0, 0, null, "plain");
  put("rooms", 1, "All Talk", "Rooms::Open", 1, timeAfter(-90));
  put("rooms", 2, "Secret", "Rooms::Closed", 2, timeAfter(-80));
  put("rooms", 3, null, "Rooms::Direct", 1, timeAfter(-70));
  put("rooms", 4, null, "Rooms::Direct", 1, timeAfter(-60));
  const members: [room: number, users: number[]][] = [
    [1, [1, 2, 3, 4]],
    [2, [2, 3]],
    [3, [1, 2]],
    [4, [1, 2, 3]],
  ];
  for (const [space, users] of members) {
    for (const user of users) {
      const involvement = space === 1 && user === 2 ? "nothing" : "mentions";
      const unread = space === 1 && user === 3 ? timeAfter(5) : null;
      put("memberships", space * 10 + user, space, user, involvement, unread);
    }
  }
}

function putMessages(put: InsertRow): void {
  for (const [index, [space, user, body]] of BODIES.entries()) {
    const [id, time] = [index + 1, timeAfter(index * 10)];
    put("messages", id, space, user, `c${id}`, time, time);
    put(
      "action_text_rich_texts",
      id,
      "Message",
      id,
      "body",
      body,
      time,
      timeAfter(index * 10 + (id === 2 ? 9 : 0)),
    );
  }
  put("messages", 7, 1, 2, "c7", timeAfter(70), timeAfter(70));
  put("messages", 8, 1, 2, "c8", timeAfter(80), timeAfter(80));
  put("messages", 9, 99, 2, "c9", timeAfter(90), timeAfter(90));
  put("boosts", 1, 1, 2, "🎉");
  put("boosts", 2, 1, 3, "❤️");
  put("boosts", 3, 1, 3, "well said");
  put("active_storage_blobs", 1, "abcdkey1", "plan.txt", "text/plain", 8);
  put("active_storage_blobs", 2, "efghkey2", "lost.txt", "text/plain", 2_048);
  put("active_storage_blobs", 3, "ijklkey3", "nina.png", "image/png", 100);
  put("active_storage_attachments", 1, "Message", 7, "attachment", 1);
  put("active_storage_attachments", 2, "Message", 8, "attachment", 2);
  put("active_storage_attachments", 3, "User", 4, "avatar", 3);
  put("webhooks", 1, 5, "https://bot.example/");
}

/** Returns the path of the folder. */
export function campfireFolder(directory: string, extra?: Fill): string {
  const root = join(directory, "storage");
  campfireDatabase(join(root, "db/production.sqlite3"), extra);
  campfireCaches(join(root, "db/production-cache.sqlite3"));
  const files: [string, Uint8Array | string][] = [
    ["ab/cd/abcdkey1", "the plan"],
    ["ij/kl/ijklkey3", striped(64, 64)],
  ];
  for (const [name, bytes] of files) {
    const path = join(root, "files", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  return root;
}

function campfireCaches(path: string): void {
  const database = new Database(path);
  database.run("CREATE TABLE solid_cache_entries (id INTEGER)");
  database.close();
}
