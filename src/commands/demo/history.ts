// Creates the messages of the weeks before the demo.
import { ownValue } from "../../text/input/own-value.ts";
import { HOUR_MS } from "../../contract/units.ts";
import { markAllRead } from "../../features/messages/flags/mark-read.ts";
import { sendMessage } from "../../features/messages/send/send.ts";
import { addReaction } from "../../features/reactions/actions.ts";
import { addSubmessage } from "../../features/submessages/actions.ts";
import { updateFlags } from "../../features/messages/flags/flags.ts";
import { WIDGET } from "../../features/messages/rules.ts";
import type { Recipient } from "../../features/messages/send/recipients.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { buildLine, mastLine, Numbers } from "./bot-messages.ts";
import { BOTS, PEOPLE, VISITOR } from "./people.ts";
import { type Line, readScript, timeOf } from "./script.ts";
import text from "./history.txt" with { type: "text" };
import { foldedAddress } from "../../text/email-address.ts";

const BUILDS = 60;
const READINGS = 40;
const MACHINES_SEED = 7;
/** Older messages are read by the visitor. */
const UNREAD_HOURS = 8;
/** The visitor also stars messages with this reaction. */
const STARRED_WITH = "star";

/** The clock moves with each line, so that the visitor's first view has the newest messages. */
export function createPastMessages(
  tx: Writer,
  clock: { start: number; goTo(time: number): void },
  files: ReadonlyMap<string, string>,
): void {
  const { start } = clock;
  const entries = readScript(text).map((line) => ({ line, time: timeOf(line.when!, start) }));
  const all = [...entries, ...machineLines(start)].sort((a, b) => a.time - b.time);
  const visitor = tx.users.findBy("email", foldedAddress(VISITOR))!;
  let isRead = false;
  for (const { line, time: postedAt } of all) {
    if (!isRead && postedAt > start - UNREAD_HOURS * HOUR_MS) {
      markAllRead(tx, visitor);
      isRead = true;
    }
    clock.goTo(postedAt);
    sendScripted(tx, { ...line, content: withFiles(line.content, files) });
  }
}

/** Sends a message, and adds reactions, votes and edits. */
export function sendScripted(tx: Writer, line: Line): number {
  const sender = personNamed(tx, line.sender);
  const { id } = sendMessage(tx, sender, recipientOf(tx, line), line.content, {
    read_by_sender: true,
    client: "Skein",
  });
  const add = (user: User, data: object) =>
    addSubmessage(tx, user, id, WIDGET, JSON.stringify(data));
  for (const { option, people } of line.votes) {
    for (const name of people) {
      add(personNamed(tx, name), { type: "vote", key: `canned,${option}`, vote: 1 });
    }
  }
  for (const { task, user: name } of line.done) {
    add(personNamed(tx, name), { type: "strike", key: `${task},canned` });
  }
  for (const reaction of line.reactions) react(tx, id, reaction);
  return id;
}

export function react(tx: Writer, message_id: number, reaction: Line["reactions"][number]): void {
  for (const name of reaction.people) {
    const user = personNamed(tx, name);
    addReaction(tx, user, message_id, { emoji_name: reaction.emoji_name });
  }
  if (reaction.emoji_name !== STARRED_WITH) return;
  updateFlags(tx, tx.users.findBy("email", foldedAddress(VISITOR))!, "add", "starred", [
    message_id,
  ]);
}

export function personNamed(reader: Pick<Reader, "users">, name: string): User {
  const bot = ownValue(BOTS, name);
  const [user] = reader.users.listBy(
    "name",
    (bot ?? ownValue(PEOPLE, name)!).full_name.toLowerCase(),
  );
  return user!;
}

export function recipientOf(reader: Reader, { conversation }: Line): Recipient {
  if ("people" in conversation) {
    const others = conversation.people.map((name) => personNamed(reader, name).user_id);
    const user_ids: number[] = [
      reader.users.findBy("email", foldedAddress(VISITOR))!.user_id,
      ...others,
    ];
    return { user_ids };
  }
  const channel = reader.channels.findBy("name", conversation.channel)!;
  return { stream_id: channel.stream_id, topic: conversation.topic };
}

function withFiles(content: string, files: ReadonlyMap<string, string>): string {
  return content.replace(/\{\{(\w+)\}\}/g, (_, name: string) => files.get(name)!);
}

function machineLines(start: number): { line: Line; time: number }[] {
  const numbers = new Numbers(MACHINES_SEED);
  const baseLine = { when: undefined, reactions: [], votes: [], done: [] };
  const builds = Array.from({ length: BUILDS }, (_, n) => {
    const { topic, content } = buildLine(numbers);
    const conversation = { channel: "build log", topic };
    const time = start - (BUILDS - n) * 5 * HOUR_MS - numbers.below(HOUR_MS);
    return { line: { ...baseLine, conversation, sender: "Build bot", content }, time };
  });
  const readings = Array.from({ length: READINGS }, (_, n) => {
    const conversation = { channel: "frost alarm", topic: "Readings" };
    const content = mastLine(numbers);
    const time = start - (READINGS - n) * 6 * HOUR_MS - numbers.below(HOUR_MS);
    return { line: { ...baseLine, conversation, sender: "Mast bot", content }, time };
  });
  return [...builds, ...readings];
}
