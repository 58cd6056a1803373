// Mattermost bulk exports: imported into an organization in use, resumed, and undone.
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { skein } from "../commands/skein.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { entries, LINES, post, reply, START_MS } from "./mattermost-fixture.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

const testServers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(testServers.splice(0).map((testServer) => testServer.close()));
});

async function openServer(): Promise<TestServer> {
  const testServer = await startTestServer({ url: "https://chat.example" });
  testServers.push(testServer);
  return testServer;
}

function archive(testServer: TestServer, archiveEntries = entries()): string {
  const path = join(testServer.directory, "mattermost.zip");
  writeFileSync(path, zipOf(archiveEntries));
  return path;
}

const run = (testServer: TestServer, from: string) =>
  movingCommands.runImport(testServer.realm, { from }, true);

const NEWEST = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };

async function messagesTo(testServer: TestServer, name: "olga" | "bo" | "cy"): Promise<Json[]> {
  const { messages } = await testServer.request(name, "GET /messages", NEWEST);
  return messages.filter(({ client }: Json) => client === "Mattermost");
}

const summarize = ({ sender_full_name, display_recipient, subject, content }: Json) => [
  sender_full_name,
  typeof display_recipient === "string" ? display_recipient : display_recipient.length,
  subject.replace("general chat", ""),
  content.replaceAll(/\|\d+\*\*/g, "**").replace(/1\/..\/[\w-]{24}/, "ID"),
];

test("imports posts in order of time, with threads, mentions, reactions and files", async () => {
  const testServer = await openServer();
  const report = await run(testServer, archive(testServer));
  expect(report).toMatchObject({ outcome: "imported", product: "mattermost", faults: [] });
  expect(report.losses.map(({ kind }) => kind).toSorted()).toEqual([
    "A public channel of a team can be joined by members of the other teams, too.",
    "A user has no address: the account is a placeholder.",
    "An owner or administrator becomes a member: change the role.",
    "The content of a file is not in the export: only its name is imported.",
  ]);
  const messages = await messagesTo(testServer, "olga");
  const [T, SHIP] = ["Town Square", "Shall we ship it?"];
  expect(messages.map(summarize)).toEqual([
    ["Olga Owner", T, SHIP, "Shall we **ship** it?\n```\n@bo in code\n```"],
    ["Bo Member", T, SHIP, "yes"],
    ["Robo Bot", T, SHIP, "no @**all**"],
    ["Olga Owner", T, "", "one question"],
    ["Bo Member", T, "", "> one question\n\none answer"],
    ["Bo Member", T, "", "later, @**Nina M**. See #**Town Square** and `@olga`"],
    ["Bo Member", T, "", "with a file\n[plan.txt](/user_uploads/ID/plan.txt)"],
    ["Bo Member", T, "", "lost\n`lost.txt` (file, not available)"],
    ["Olga Owner", 2, "", "just you"],
    ["Nina M", 3, "", "we three"],
  ]);
  const laterMessage = messages.find(({ content }) => content.startsWith("later"))!;
  expect(laterMessage.flags).toEqual(["read", "starred"]);
  expect(
    laterMessage.reactions.map(({ emoji_name, reaction_type }: Json) => [
      emoji_name,
      reaction_type,
    ]),
  ).toEqual([
    ["tada", "unicode_emoji"],
    ["party-wizard", "realm_emoji"],
  ]);
  expect(messages.every(({ timestamp }) => timestamp >= START_MS / 1000)).toBe(true);
});

test("puts teams into folders, and shows private channels only to their members", async () => {
  const testServer = await openServer();
  await run(testServer, archive(testServer));
  const snapshot = await testServer.request("bo", "POST /register", {});
  const folders = new Map(snapshot.channel_folders.map(({ id, name }: Json) => [id, name]));
  const square = snapshot.subscriptions.find(({ name }: Json) => name === "Town Square");
  expect(folders.get(square.folder_id)).toBe("Acme");
  expect(square).toMatchObject({ pin_to_top: true, description: "the purpose · the header" });
  const all = [...snapshot.subscriptions, ...snapshot.unsubscribed, ...snapshot.never_subscribed];
  expect(all.map(({ name }: Json) => name)).not.toContain("Secret");
  const secret = testServer.realm.read.channels.findBy("name", "secret")!;
  expect(secret.invite_only).toBe(true);
  for (const name of ["bo", "cy", "olga"] as const) {
    const response = await messagesTo(testServer, name);
    expect(response.map(({ content }) => content)).not.toContain("lantern");
  }
});

test("public channels of a team that users join by invitation become private", async () => {
  const testServer = await openServer();
  const { read } = testServer.realm;
  const lines = LINES.map((line) => {
    const isAcme = line["team"]?.name === "acme";
    return isAcme ? { ...line, team: { ...line["team"], allow_open_invite: false } } : line;
  });
  const from = archive(testServer, entries(lines));
  const plan = await movingCommands.planImport(testServer.realm, { from });
  const kind = "A public channel of a team that users join by invitation becomes private";
  const loss = plan.losses.find((one) => one.kind.startsWith(kind));
  expect(loss).toMatchObject({ count: 1, examples: ["#Town Square"] });
  await run(testServer, from);
  const square = read.channels.findBy("name", "town square")!;
  expect(square).toMatchObject({ invite_only: true, history_public_to_subscribers: true });
  expect(await messagesTo(testServer, "cy")).toEqual([]);
  expect((await messagesTo(testServer, "bo")).length).toBeGreaterThan(0);

  const alone = lines.filter((line) => line["team"]?.name !== "labs");
  const single = await openServer();
  await run(single, archive(single, entries(alone)));
  expect(single.realm.read.channels.findBy("name", "town square")!.invite_only).toBe(false);
});

test("writes nothing the second time, and is undone with its folders", async () => {
  const testServer = await openServer();
  const before = testServer.realm.read.channels.count();
  await run(testServer, archive(testServer));
  expect((await run(testServer, archive(testServer))).written).toEqual({});
  const undoResult = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(undoResult).toMatchObject({ outcome: "undone", faults: [] });
  const { read } = testServer.realm;
  expect([read.channels.count(), read.channel_folders.count()]).toEqual([before, 0]);
  expect(await messagesTo(testServer, "bo")).toEqual([]);
});

test("counts posts without a time, and imports the others with their replies", async () => {
  const testServer = await openServer();
  const bad = [
    post(100, "bo", "bad", { create_at: 1e300 }),
    post(101, "bo", "lost root", { create_at: null, replies: [reply(102, "bo", "first answer")] }),
    post(103, "bo", "root", {
      replies: [reply(104, "bo", "bad", { create_at: "x" }), reply(105, "bo", "second answer")],
    }),
    { type: "post", post: [] },
    ...[null as unknown as Json, { type: 5 }],
    post(106, "bo", "between two milliseconds", { create_at: START_MS + 106_000.5 }),
  ];
  const report = await run(testServer, archive(testServer, entries([...LINES, ...bad])));
  expect(report).toMatchObject({ outcome: "imported", exit: 3 });
  const lines = [0, 1, 2].map((index) => `import.jsonl#${LINES.length + 1 + index}`);
  expect(report.losses).toContainEqual({
    kind: "A message has no id, place, author or time: it is left out.",
    ...{ count: 3, examples: lines },
  });
  const others = [3, 4, 5].map((index) => `import.jsonl#${LINES.length + 1 + index}`);
  const kind = "A line has no record: it is left out.";
  expect(report.losses).toContainEqual({ kind, count: 3, examples: others });
  const messages = (await messagesTo(testServer, "bo")).map(({ content }) => content);
  expect(messages.slice(-4).map((content) => content.split("\n").at(-1))).toEqual([
    ...["first answer", "root", "second answer", "between two milliseconds"],
  ]);
});

test("bounds names of any length, and imports the posts", async () => {
  const testServer = await openServer();
  const long = "x".repeat(5_000);
  const names = [
    { type: "team", team: { name: long, display_name: long } },
    { type: "channel", channel: { team: long, name: long, display_name: long, type: "O" } },
    { type: "emoji", emoji: { name: long, image: "emoji/party-wizard.png" } },
    post(100, "bo", "in a channel with a long name", { team: long, channel: long }),
  ];
  const report = await run(testServer, archive(testServer, entries([...LINES, ...names])));
  expect(report.outcome).toBe("imported");
  const kind = "The name of a custom emoji is too long.";
  expect(report.losses).toContainEqual({ kind, count: 1, examples: [long.slice(0, 200)] });
  const messages = [...testServer.realm.read.messages.range()].map(({ content }) => content);
  expect(messages).toContain("in a channel with a long name");
});

test("names a channel whose name and id cannot be shown", async () => {
  const testServer = await openServer();
  const posts = [post(100, "bo", "in a channel without a name", { channel: "a\u2028b\u0001" })];
  const report = await run(testServer, archive(testServer, entries([...LINES, ...posts])));
  expect(report.outcome).toBe("imported");
  expect(testServer.realm.read.channels.findBy("name", "mattermost-acme/a-b-")).toBeDefined();
});

test("makes a channel private that only its posts name", async () => {
  const testServer = await openServer();
  const posts = [post(100, "olga", "unseen", { channel: "gone-private" })];
  await run(testServer, archive(testServer, entries([...LINES, ...posts])));
  const channel = testServer.realm.read.channels.findBy("name", "gone-private")!;
  expect(channel).toMatchObject({ invite_only: true, is_archived: true });
  const [message] = [...testServer.realm.read.messages.range()].filter(({ stream_id }) => {
    return stream_id === channel.stream_id;
  });
  const url = `GET /messages/${message!.id}` as const;
  expect((await testServer.send("cy", url, {})).status).toBe(400);
});

const BAD_ARCHIVES: [what: string, some: ZipEntry[], fault: string][] = [
  ["no version", entries(LINES.slice(1)), "import.jsonl#1: Not a Mattermost export"],
  ["empty", [{ name: "import.jsonl", bytes: "" }], "import.jsonl: Not a Mattermost export"],
  ["broken", [{ name: "import.jsonl", bytes: '{"type":"version"}\n{"ty' }], "#2: not valid JSON"],
  ["deep", [{ name: "import.jsonl", bytes: "[".repeat(1e5) }], "#1: nested deeper than 64"],
];

test.each(BAD_ARCHIVES)(
  "refuses an export with its place: %s",
  async (_title, archiveEntries, fault) => {
    const testServer = await openServer();
    const report = await run(testServer, archive(testServer, archiveEntries));
    expect(report).toMatchObject({ outcome: "refused", exit: 4, written: {} });
    expect(report.faults[0]).toContain(fault);
  },
);

test("every command of the documentation works, in its order", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving/mattermost.md")).text();
  const testServer = await openServer();
  const path = archive(testServer);
  await testServer.stop();
  const paths: Record<string, string> = {
    "/var/lib/skein": testServer.realm.config.data,
    "mattermost-export.zip": path,
  };
  const lines = [...page.matchAll(/^skein (.*)$/gm)].map(([, line = ""]) => line.split(" "));
  expect(lines.length).toBe(4);
  for (const line of lines) {
    const args = line.map((arg) => (Object.hasOwn(paths, arg) ? paths[arg]! : arg));
    const { code, err } = await skein(args, { isSource: true });
    expect([0, 3], `${line.join(" ")}: ${err}`).toContain(code);
  }
  await testServer.start();
});

const FUZZED = 60;

test("imports or refuses archives with changed bytes, without any other error", async () => {
  const testServer = await openServer();
  const random = chanceOf(SEED);
  const [lines, ...others] = entries();
  for (let times = 0; times < FUZZED; times++) {
    const bytes = Buffer.from(String(lines!.bytes));
    for (let changes = 0; changes < 3; changes++) {
      bytes[random.below(bytes.length)] = random.pick([0, 10, 34, 44, 48, 58, 92, 93, 125, 200]);
    }
    const from = archive(testServer, [{ name: "import.jsonl", bytes }, ...others]);
    const report = await movingCommands.planImport(testServer.realm, { from });
    expect(["planned", "refused"]).toContain(report.outcome);
  }
});
