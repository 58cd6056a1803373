/** Writes archives of other products with any number of messages into a folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { dumpFolder } from "./bson-writer.ts";
import { timeAfter as campfireTime, campfireDatabase } from "./campfire-fixture.ts";
import { BO, channelFile, message, OLGA } from "./discord-fixture.ts";
import { COLLECTIONS, message as rocketMessage } from "./rocketchat-fixture.ts";
import {
  BO as TEAMS_BO,
  channelId,
  message as teamsMessage,
  OLGA as TEAMS_OLGA,
  START_MS as TEAMS_MS,
  teamsEntries,
} from "./teams-fixture.ts";

/** A thread of three messages begins every `perThread` messages. */
type WriteMany = (folder: string, messages: number, perThread?: number) => Promise<void> | void;

const PER_THREAD = 10;
const PER_LINK = 7;

const TEXT = "words of some length ".repeat(10);

/** Newest first, with one reply instead of each thread, and a link every `perLink` messages. */
export function discord(
  folder: string,
  messages: number,
  perThread = PER_THREAD,
  perLink = PER_LINK,
): void {
  const rows = Array.from({ length: messages }, (_, index) => {
    const nth = messages - index;
    const reference = { messageId: String(1_000 + Math.ceil(nth / 2)), channelId: "20" };
    const more = nth % perThread === 0 ? { type: "Reply", reference } : {};
    // The link leads to an earlier or a later message.
    const linked = 1_001 + ((nth * 7_919) % messages);
    const link = nth % perLink === 0 ? `https://discord.com/channels/1/20/${linked}` : TEXT;
    return message(String(1_000 + nth), nth, nth % 2 ? OLGA : BO, `${nth} ${link}`, more);
  });
  writeFileSync(join(folder, "big.json"), channelFile({ id: "20", name: "big" }, rows));
}

/** In random order of time. */
function rocketchat(folder: string, messages: number, perThread = PER_THREAD): void {
  const rows = Array.from({ length: messages }, (_, index) => {
    const nth = (index * 7_919) % messages;
    const rest = nth % perThread;
    const thread = rest === 0 ? { tcount: 2 } : rest < 3 ? { tmid: `m${nth - rest}` } : {};
    return rocketMessage(
      `m${nth}`,
      "GENERAL",
      nth,
      nth % 2 ? "u1" : "u2",
      `${nth} ${TEXT}`,
      thread,
    );
  });
  const collections = { ...COLLECTIONS, rocketchat_message: rows };
  for (const { name, bytes } of dumpFolder(collections)) {
    writeFileSync(join(folder, basename(name)), bytes);
  }
}

function campfire(folder: string, messages: number): void {
  campfireDatabase(join(folder, "production.sqlite3"), (database) => {
    const message = database.query("INSERT INTO messages VALUES (?, 1, ?, '', ?, '')");
    const text = database.query(
      "INSERT INTO action_text_rich_texts VALUES (?, 'Message', ?, 'body', ?, '', '')",
    );
    database.transaction(() => {
      for (let id = 100; id < 100 + messages; id++) {
        message.run(id, 1 + (id % 2), campfireTime((id * 7_919) % messages));
        text.run(id, id, `<div>${id} <b>${TEXT}</b></div>`);
      }
    })();
  });
}

/** In random order of time. */
function teams(folder: string, messages: number, perThread = PER_THREAD): void {
  const rows = Array.from({ length: messages }, (_, index) => {
    const nth = (index * 7_919) % messages;
    const rest = nth % perThread;
    const thread =
      rest > 0 && rest < 3 ? { ReplyToId: String(TEAMS_MS + (nth - rest) * 1_000) } : {};
    const channelIdentity = { ChannelIdentity: { TeamId: "t1", ChannelId: channelId("gen") } };
    return teamsMessage(nth, nth % 2 ? TEAMS_OLGA : TEAMS_BO, `<p>${nth} ${TEXT}</p>`, {
      ...{ ...channelIdentity, ...thread },
    });
  });
  for (const { name, bytes } of teamsEntries({
    "teams/t1/messages_t1.json": JSON.stringify(rows),
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

export const MESSAGE_WRITERS: Readonly<Record<string, WriteMany>> = {
  discord,
  rocketchat,
  campfire,
  teams,
};
