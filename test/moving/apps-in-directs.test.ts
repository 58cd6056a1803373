// Messages of apps in direct conversations stay there, although the apps are no members.
import { expect, test } from "bun:test";
import type { Json } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import {
  expectRepeatedAndUndone,
  folderIn,
  messagesTo,
  openServer,
  run,
} from "./import-fixture.ts";
import { COLLECTIONS, message as rocketMessage } from "./rocketchat-fixture.ts";
import { BO, OLGA, slackEntries, ts } from "./slack-fixture.ts";
import * as teams from "./teams-fixture.ts";
import type { ZipEntry } from "./zip.ts";

const slackPost = (seconds: number, text: string, sender: Json) => ({
  ...{ type: "message", text, ts: ts(seconds), ...sender },
});

const zoom = { subtype: "bot_message", bot_id: "B0ZOOM", username: "Zoom" };
const slackMessages = [
  slackPost(100, "hi", { user: OLGA }),
  slackPost(101, "meeting", zoom),
  slackPost(102, "joining", { user: BO }),
];

const CHAT = { ChatId: "19:abc@thread.v2" };
const bot = { From: { User: null, Application: { Id: "app1", DisplayName: "Poll Bot" } } };
const teamsChat = [
  teams.message(600, teams.OLGA, "<p>hi</p>", CHAT),
  teams.message(601, null, "<p>meeting</p>", { ...CHAT, ...bot }),
  teams.message(602, teams.BO, "<p>joining</p>", CHAT),
];

const ARCHIVES: Record<string, ZipEntry[]> = {
  Slack: slackEntries([{ name: "D0ONE/2018-01-20.json", bytes: JSON.stringify(slackMessages) }]),
  "Rocket.Chat": dumpFolder({
    ...COLLECTIONS,
    rocketchat_message: [
      rocketMessage("q1", "dm", 300, "u1", "hi"),
      rocketMessage("q2", "dm", 301, "u1", "meeting", { alias: "Zoom" }),
      rocketMessage("q3", "dm", 302, "u2", "joining"),
    ],
  }),
  "Microsoft Teams": teams.teamsEntries({
    [`users/${teams.OLGA}/messages_${teams.OLGA}.json`]: JSON.stringify(teamsChat),
  }),
};

test.each(Object.keys(ARCHIVES))("keeps a direct conversation together (%s)", async (label) => {
  const testServer = await openServer();
  const from = folderIn(testServer.directory, ARCHIVES[label]!);
  await run(testServer, from);
  for (const name of ["olga", "bo"] as const) {
    const messages = (await messagesTo(testServer, name, label)).filter(({ content }) => {
      return /^(?:hi|meeting|joining)$/.test(content);
    });
    expect(messages.map(({ content }) => content)).toEqual(["hi", "meeting", "joining"]);
    expect(new Set(messages.map(({ recipient_id }) => recipient_id)).size).toBe(1);
    expect(messages[1]!["display_recipient"].map(({ email }: Json) => email).toSorted()).toEqual([
      ...["bo@example.com", "olga@example.com"],
    ]);
    expect(messages[1]!["sender_full_name"]).toBe(
      label === "Microsoft Teams" ? "Poll Bot" : "Zoom",
    );
  }
  for (const name of ["cy", "ada"] as const) {
    const texts = (await messagesTo(testServer, name, label)).map(({ content }) => content);
    expect(texts).not.toContain("meeting");
  }
});

test("repeats and undoes an import with messages of apps", async () => {
  const testServer = await openServer();
  await expectRepeatedAndUndone(testServer, folderIn(testServer.directory, ARCHIVES["Slack"]!));
});
