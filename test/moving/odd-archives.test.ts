// Imports succeed although an archive has unusual names, ids or columns.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { FOLDERS_MAX } from "../../src/features/folders/rules.ts";
import { dumpFolder } from "./bson-writer.ts";
import { campfireFolder } from "./campfire-fixture.ts";
import * as discord from "./discord-fixture.ts";
import { expectRepeatedAndUndone, folderIn, messagesTo, openServer } from "./import-fixture.ts";
import { run, zipIn } from "./import-fixture.ts";
import { COLLECTIONS, message as rocketMessage } from "./rocketchat-fixture.ts";
import { slackEntries } from "./slack-fixture.ts";
import { channelId, message as teamsMessage, OLGA, teamsEntries } from "./teams-fixture.ts";

const MARKS = "\u0301".repeat(40);

test("names with many combining marks or of another composition are corrected", async () => {
  const testServer = await openServer();
  const { read } = testServer.realm;
  const names = [`a${MARKS}`, "e\u0301", "\u00e9", `${"x".repeat(59)} y`, "x".repeat(59)];
  const channels = names.map((name, index) => ({ id: `C${index}`, name, members: ["U0BO"] }));
  const users = [{ id: "U0BO", name: `Bo${MARKS}`, profile: { email: "bo@new.example" } }];
  const entries = slackEntries([
    { name: "channels.json", bytes: JSON.stringify(channels) },
    { name: "users.json", bytes: JSON.stringify(users) },
  ]);
  await expectRepeatedAndUndone(testServer, zipIn(testServer, entries));
  await run(testServer, zipIn(testServer, entries));
  const created = [...read.channels.range()].map(({ name }) => name);
  expect(created).toContain(`á${"\u0301".repeat(8)}`.normalize("NFC"));
  expect(created).toContain("é");
  expect(created).toContain("é (Slack)");
  expect(new Set(created).size).toBe(created.length);
  const bo = read.users.findBy("email", "bo@new.example")!;
  expect([...bo.full_name].length).toBeLessThan(12);
});

test("folders have names that can be shown, and there are not more than allowed", async () => {
  const testServer = await openServer();
  const { read } = testServer.realm;
  const files = ["line\nbreak", `a${MARKS}`, "\u202e"].map((category, index) => ({
    name: `${index}.json`,
    bytes: discord.channelFile({ id: `3${index}`, name: `c${index}`, category }, []),
  }));
  await run(testServer, folderIn(testServer.directory, files));
  const names = [...read.channel_folders.range()].map(({ name }) => name);
  expect(names.toSorted()).toEqual(["Team", `á${"\u0301".repeat(8)}`, "line break"].toSorted());
  await testServer.realm.write((tx) => {
    for (let id = 100; tx.channel_folders.count() < FOLDERS_MAX; id++) {
      const folder = { name: `f${id}`, description: "", rendered_description: "", order: id };
      tx.channel_folders.put({
        ...{ ...folder, id, date_created: 1, creator_id: null, is_archived: false },
      });
    }
  });
  const more = discord.channelFile({ id: "39", name: "more", category: "More" }, []);
  await run(testServer, folderIn(testServer.directory, [{ name: "9.json", bytes: more }], "more"));
  expect(read.channels.findBy("name", "more")!.folder_id).toBeNull();
  expect(read.channel_folders.count()).toBe(FOLDERS_MAX);
});

test("ignores empty ids of Teams, and a chat that is named beside a channel", async () => {
  const testServer = await openServer();
  const gen = { ChannelIdentity: { ChannelId: channelId("gen") } };
  const rows = [
    teamsMessage(1, OLGA, "<p>empty channel</p>", { ChannelIdentity: { ChannelId: "" } }),
    teamsMessage(2, OLGA, "<p>empty chat</p>", { ChatId: "" }),
    teamsMessage(3, OLGA, "<p>both</p>", { ...gen, ChatId: "19:abc@thread.v2" }),
    teamsMessage(4, OLGA, "<p>to the future</p>", { ...gen, ReplyToId: "9999999999999" }),
  ];
  const entries = teamsEntries({ "teams/t1/messages_t1.json": JSON.stringify(rows) });
  const report = await run(testServer, zipIn(testServer, entries));
  const loss = report.losses.find(({ kind }) => kind.startsWith("A message names no channel"));
  expect(loss?.count).toBe(2);
  const messages = await messagesTo(testServer, "olga", "Microsoft Teams");
  const texts = messages.filter(({ type }) => type === "stream").map(({ content }) => content);
  expect(texts).toEqual(expect.arrayContaining(["both", "to the future"]));
  expect(Math.min(...messages.map(({ timestamp }) => timestamp))).toBeGreaterThan(1e9);
});

test("a Campfire database without some columns is imported", async () => {
  const testServer = await openServer();
  const from = campfireFolder(testServer.directory, (database) => {
    for (const column of ["users DROP COLUMN bio", "memberships DROP COLUMN unread_at"]) {
      void database.run(`ALTER TABLE ${column}`);
    }
  });
  const report = await run(testServer, from);
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
});

test("a plan counts messages with the id of another one as a loss", async () => {
  const testServer = await openServer();
  const again = rocketMessage("m2", "GENERAL", 500, "u1", "the id of another one");
  const messages = [...COLLECTIONS["rocketchat_message"]!, again];
  const entries = dumpFolder({ ...COLLECTIONS, rocketchat_message: messages });
  const from = folderIn(testServer.directory, entries);
  const plan = await movingCommands.planImport(testServer.realm, { from });
  const report = await run(testServer, from);
  expect(plan.found).toEqual(report.found);
  expect(report.written["messages"]).toBe(report.found["messages"]!);
  const loss = report.losses.find(({ kind }) => kind.startsWith("A message has the id"));
  expect(loss?.count).toBe(1);
});
