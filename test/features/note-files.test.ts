// Files that only the note of a topic links to: who can read them, and how long they are kept.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { purgeFiles } from "../../src/features/files/purge.ts";
import { UNUSED_DAYS } from "../../src/features/files/rules.ts";
import type { Name } from "../users.ts";
import { type Params, startTestServer, type TestServer } from "../test-server.ts";
import { read, upload } from "./upload-fixture.ts";

const DAY_SECONDS = 86_400;
const EVERYONE: Name[] = ["olga", "ada", "mo", "bo", "cy", "gus", "bot"];

let testServer: TestServer;
let stream_id: number;
let name: string;
let index = 0;
let url: string;

beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());
beforeEach(async () => {
  stream_id = await createChannel({ invite_only: true, history_public_to_subscribers: true });
  await post();
  url = await upload(testServer, "bo", { name: `plan ${index}.txt`, bytes: "secret" });
});

/** With Ada, Bo and Cy as subscribers. */
async function createChannel(extra: Params): Promise<number> {
  const subscribers = (["ada", "bo", "cy"] as const).map((item) => testServer.idOf(item));
  name = `files ${(index += 1)}`;
  const params = { name, subscribers, ...extra };
  return (await testServer.request("bo", "POST /channels/create", params)).id;
}

const post = async (topic = "t", to = stream_id): Promise<number> => {
  const message = { type: "channel", to, topic, content: "x" };
  return (await testServer.request("bo", "POST /messages", message)).id;
};
const writeNote = async (name: Name, content: string): Promise<void> => {
  const params = { stream_id, topic: "t" };
  const { version } = await testServer.request(name, "GET /skein_topic_notes", params);
  await testServer.request(name, "PUT /skein_topic_notes", { ...params, content, version });
};
const statusFor = async (name: Name | null, of = url) => (await read(testServer, name, of)).status;

async function readers(of = url): Promise<Name[]> {
  const allowed: Name[] = [];
  for (const name of EVERYONE) {
    const status = await statusFor(name, of);
    expect([200, 403]).toContain(status);
    if (status === 200) allowed.push(name);
  }
  return allowed;
}
const fileOf = () =>
  testServer.realm.read.attachments.findBy("path", url.split("/user_uploads/")[1]!);

test("users who can read the topic can read the files of its note, and no others", async () => {
  expect(await readers()).toEqual(["bo"]);
  await writeNote("bo", `The [plan](${url})`);
  expect(await readers()).toEqual(["ada", "bo", "cy"]);
  expect(await statusFor(null)).toBe(403);
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: [name] });
  expect(await readers()).toEqual(["ada", "bo"]);
});

test("members can read the files of notes in a web-public channel, visitors cannot", async () => {
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const params = { name: "files for all", subscribers: [], is_web_public: true };
  stream_id = (await testServer.request("olga", "POST /channels/create", params)).id;
  await post();
  await writeNote("bo", `The [plan](${url})`);
  expect(await readers()).toEqual(["olga", "ada", "mo", "bo", "cy", "gus", "bot"]);
  expect(await statusFor(null)).toBe(403);
});

test("does not share files through a note whose author cannot read them", async () => {
  const secret = await upload(testServer, "ada", { name: "secret.txt", bytes: "secret" });
  await writeNote("bo", `[guessed](${secret})`);
  expect(await readers(secret)).toEqual(["ada"]);
});

test("new members of protected history cannot read the files of older topics", async () => {
  stream_id = await createChannel({ invite_only: true, history_public_to_subscribers: false });
  await post();
  await writeNote("bo", `The [plan](${url})`);
  const principals = [testServer.idOf("mo")];
  const subscriptions = [{ name }];
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions, principals });
  expect(await readers()).toEqual(["ada", "bo", "cy"]);
});

test("another member's edit keeps the files of the note that it still links to", async () => {
  await writeNote("bo", `The [plan](${url})`);
  await writeNote("cy", `The plan of today: ${testServer.url}${url}`);
  expect(await readers()).toEqual(["ada", "bo", "cy"]);
  await writeNote("cy", "No plan");
  expect(await readers()).toEqual(["bo"]);
  await writeNote("bo", `The [plan](${url})`);
  await writeNote("bo", "");
  expect(await readers()).toEqual(["bo"]);
});

test("moving the topic to another channel moves the access to the files of its note", async () => {
  await writeNote("bo", `The [plan](${url})`);
  const subscribers = (["ada", "bo", "mo"] as const).map((item) => testServer.idOf(item));
  const params = { name: `files ${(index += 1)}`, subscribers, invite_only: true };
  const { id: other } = await testServer.request("bo", "POST /channels/create", params);
  const message_id = await post();
  const move = { stream_id: other, propagate_mode: "change_all" };
  expect(await readers()).toContain("cy");
  await testServer.request("ada", `PATCH /messages/${message_id}`, move);
  expect(await readers()).not.toContain("cy");
});

test("deleting the topic ends the access, and the file expires like an unused one", async () => {
  await writeNote("bo", `The [plan](${url})`);
  testServer.clock.passSeconds((UNUSED_DAYS + 1) * DAY_SECONDS);
  await purgeFiles(testServer.realm);
  expect(await statusFor("cy")).toBe(200);
  await testServer.request("ada", `POST /streams/${stream_id}/delete_topic`, { topic_name: "t" });
  expect(await readers()).toEqual(["bo"]);
  expect(fileOf()?.unused_since).toBeNumber();
});

test("a file that a message links to as well is kept while either does", async () => {
  const content = `[plan](${url})`;
  const message = { type: "channel", to: stream_id, topic: "t", content };
  const { id } = await testServer.request("bo", "POST /messages", message);
  await writeNote("bo", content);
  await testServer.request("ada", `DELETE /messages/${id}`);
  expect(fileOf()?.unused_since).toBeNull();
  expect(await readers()).toEqual(["ada", "bo", "cy"]);
});

test("deleting a file leaves no claim of a note behind", async () => {
  await writeNote("bo", `The [plan](${url})`);
  await testServer.request("bo", `DELETE /attachments/${fileOf()!.id}`);
  expect(await statusFor("cy")).toBe(404);
  const uses = [...testServer.realm.read.note_attachment_uses.range()];
  expect(uses.filter((use) => !testServer.realm.read.attachments.has(use.attachment_id))).toEqual(
    [],
  );
});
