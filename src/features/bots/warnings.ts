// Tells the owner of a bot, now and then, that what it sends reaches nobody.
import { Refusal } from "../../errors.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { Channel, User } from "../../records.ts";
import { quietly } from "../channels/words.ts";
import { sendNoticeToPeople } from "../messages/notices.ts";
import type { Recipient } from "../messages/recipients.ts";
import { WARNING_PAUSE_SECONDS } from "./rules.ts";

export function warnOwner(tx: Writer, { user_id, bot_owner_id }: User, words: string): void {
  if (bot_owner_id === null) return;
  const last = tx.bot_warnings.get(user_id);
  if (last && tx.now - last.timestamp < WARNING_PAUSE_SECONDS) return;

  tx.bot_warnings.put({ user_id, timestamp: tx.now });
  sendNoticeToPeople(tx, [bot_owner_id], words);
}

const SHOWN_MAX = 100;

/** `named`: as the bot said it, who may have it from anybody. */
export function inNoChannel(bot: User, named: string | number): string {
  const shown = [...`${named}`.replaceAll(/[`\s]+/g, " ")].slice(0, SHOWN_MAX).join("").trim();
  return `${quietly(bot)} tried to send to the channel \`${shown}\`, which is not there.`;
}

export function inEmptyChannel(bot: User, { name }: Channel): string {
  return `${quietly(bot)} sent to #**${name}**, which has no subscribers.`;
}

/** What was sent went to a channel, and nobody is there to read it. */
export function warnOfNobody(tx: Writer, bot: User, recipient: Recipient): void {
  if (!("stream_id" in recipient)) return;
  const channel = tx.channels.get(recipient.stream_id)!;
  if (tx.subscriptions.one("subscribers", channel.stream_id)) return;
  warnOwner(tx, bot, inEmptyChannel(bot, channel));
}

/** The send, whose refusal for want of the channel is told to the owner too. */
export async function orWarned<T>(
  realm: Realm,
  bot: User,
  to: string | undefined,
  sending: Promise<T>,
): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof Refusal && error.errCode === "STREAM_DOES_NOT_EXIST") {
      await realm.write((tx) => warnOwner(tx, bot, inNoChannel(bot, to ?? "")));
    }
    throw error;
  }
}
