// Exports of one user's data contain all of it, and nothing that others wrote.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { executeCommand, acceptCommands } from "../../src/commands/control.ts";
import { openArchive, bytesOf } from "../../src/features/moving/archive/archive.ts";
import { zipFolder } from "../../src/features/moving/archive/zip-writer.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { upload } from "../features/upload-fixture.ts";

let testServer: TestServer;
let socket: { stop(): Promise<void> };
let folder: string;

beforeAll(async () => {
  testServer = await startTestServer();
  // No process command is used here.
  socket = acceptCommands(testServer.realm, {} as Parameters<typeof acceptCommands>[1]);
  await fill();
  folder = join(testServer.directory, "bo");
  const input = { to: folder, user_id: testServer.idOf("bo") };
  const report = await executeCommand(testServer.realm.config.data, "exportPerson", input);
  expect(report).toMatchObject({
    outcome: "exported",
    exit: 0,
    written: { messages: 4, files: 1 },
  });
});

afterAll(async () => {
  await socket.stop();
  await testServer.close();
});

async function fill(): Promise<void> {
  const [bo, olga] = [testServer.idOf("bo"), testServer.idOf("olga")];
  const params = { name: "den", invite_only: true, subscribers: [bo, olga] };
  const { id: stream_id } = await testServer.request("olga", "POST /channels/create", params);
  const den = { type: "channel", to: stream_id, topic: "plans" };
  await testServer.request("bo", "POST /messages", { ...den, content: "ownwords" });
  const { id } = await testServer.request("olga", "POST /messages", {
    ...den,
    content: "otherwords",
  });
  await testServer.request("bo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const star = { messages: [id], op: "add", flag: "starred" };
  await testServer.request("bo", "POST /messages/flags", star);
  const direct = { type: "direct", to: [testServer.idOf("cy")] };
  const url = await upload(testServer, "bo", { name: "evil.html", bytes: "ownbytes" });
  await testServer.request("bo", "POST /messages", { ...direct, content: `owndirect ${url}` });
  await testServer.request("cy", "POST /messages", {
    ...{ type: "direct", to: [bo], content: "otherdirect" },
  });
  await upload(testServer, "olga", { name: "olgafile.txt", bytes: "otherbytes" });
  const draft = { type: "private", to: [olga], topic: "", content: "owndraft", timestamp: 1 };
  await testServer.request("bo", "POST /drafts", { drafts: [draft] });
  const others = { ...draft, content: "otherdraft" };
  await testServer.request("olga", "POST /drafts", { drafts: [others] });
  await testServer.request("bo", "POST /users/me/alert_words", { alert_words: ["ownalert"] });
  // A channel that Bo has left, and that was renamed afterwards.
  const secret = { name: "club", invite_only: true, subscribers: [bo, olga] };
  const clubId = await testServer.request("olga", "POST /channels/create", secret);
  const inClub = { type: "channel", to: clubId.id, topic: "clubtopic" };
  await testServer.request("bo", "POST /messages", { ...inClub, content: "ownclub" });
  const leaveParams = { subscriptions: ["club"], principals: [bo] };
  await testServer.request("olga", "DELETE /users/me/subscriptions", leaveParams);
  await testServer.request("olga", `PATCH /streams/${clubId.id}`, { new_name: "secretname" });
  await testServer.request("bo", "POST /messages", { ...den, content: "ownlast" });
}

const exportedText = (): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(folder.length)}\n${readFileSync(path, "latin1")}\n`)
    .join("");

const json = (name: string): Json => JSON.parse(readFileSync(join(folder, name), "utf8"));
const lines = (name: string): Json[] =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("contains what the person wrote, set and uploaded", () => {
  const messages = lines("messages.jsonl");
  expect(messages.map(({ content }) => content.split(" ")[0])).toEqual([
    ...["ownwords", "owndirect", "ownclub", "ownlast"],
  ]);
  expect(messages[0].place).toEqual({ channel: "den", topic: "plans" });
  expect(messages[1].place.people.toSorted()).toEqual(["Bo Member", "Cy Member"]);
  expect(json("profile.json")).toMatchObject({ full_name: "Bo Member", email: "bo@example.com" });
  expect(json("drafts.json")).toMatchObject([{ content: "owndraft" }]);
  expect(json("alert_words.json")).toEqual(["ownalert"]);
  expect(lines("reactions.jsonl")).toMatchObject([{ emoji_name: "tada" }]);
  expect(lines("starred.jsonl")).toHaveLength(1);
  const [file] = json("files.json");
  expect(file.name).toBe("evil.html");
  expect(file.path).toMatch(/html\.download$/);
  expect(readFileSync(join(folder, file.path), "utf8")).toBe("ownbytes");
});

test("contains nothing that others wrote, no secret, and no channel out of reach", () => {
  const allText = exportedText();
  const { read } = testServer.realm;
  const [key] = read.api_keys.listBy("user", testServer.idOf("bo"));
  const secrets = [key!.hash, testServer.keyOf("bo")];
  const others = ["otherwords", "otherdirect", "otherbytes", "otherdraft", "olgafile"];
  for (const text of [...others, ...secrets, "secretname", "clubtopic", "export.mdb"]) {
    expect([text, allText.includes(text)]).toEqual([text, false]);
  }
  expect(lines("messages.jsonl")[2]).toMatchObject({ content: "ownclub", place: null });
});

test("packs a folder into a zip file that has the same bytes", async () => {
  const to = join(testServer.directory, "bo.zip");
  await zipFolder(folder, to, "export", testServer.realm.read.now);
  const archive = await openArchive(to);
  try {
    const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
      archive.sizes.has(`export/${name}`),
    );
    expect(names.length).toBe(archive.sizes.size);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const bytes = await bytesOf(archive, `export/${name}`);
      expect([name, Buffer.from(bytes).equals(readFileSync(join(folder, name)))]).toEqual([
        name,
        true,
      ]);
    }
  } finally {
    await archive.close();
  }
  expect(existsSync(join(folder, "export.mdb"))).toBe(false);
});
