// Tells the owner of a bot, now and then, that what it sends reaches nobody.
import { Refusal } from "../../../contract/errors/general.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { WARNING_PAUSE_SECONDS } from "../../bots/rules.ts";
import { botOf } from "../../bots/wire.ts";
import { silentMention } from "../../channels/bot-messages.ts";
import { checkMayPost } from "./may-send.ts";
import { sendNoticeToPeople } from "./notices.ts";
import { channelNamed, decodeChannel, type Recipient } from "./recipients.ts";

export function warnOwner(tx: Writer, { user_id, bot_owner_id }: User, words: string): void {
  if (bot_owner_id === null) return;
  const last = tx.bot_warnings.get(user_id);
  if (last && tx.now - last.timestamp < WARNING_PAUSE_SECONDS) return;

  tx.bot_warnings.put({ user_id, timestamp: tx.now });
  sendNoticeToPeople(tx, [bot_owner_id], words);
}

const SHOWN_MAX = 100;

/** `named`: as the bot said it, who may have it from anybody. */
export const inNoChannel = (bot: User, named: string | number): string =>
  `${silentMention(bot)} tried to send to the channel \`${shown(named)}\`, which is not there.`;

const inClosedChannel = (bot: User, named: string | number): string =>
  `${silentMention(bot)} tried to send to the channel \`${shown(named)}\`, where it may not.`;

function shown(named: string | number): string {
  return [...`${named}`.replaceAll(/[`\s]+/g, " ")].slice(0, SHOWN_MAX).join("").trim();
}

export function inEmptyChannel(bot: User, { name }: Channel): string {
  return `${silentMention(bot)} sent to #**${name}**, which has no subscribers.`;
}

/** What was sent went to a channel, and nobody is there to read it. */
export function warnOfNobody(tx: Writer, bot: User, recipient: Recipient): void {
  if (!("stream_id" in recipient)) return;
  const channel = tx.channels.get(recipient.stream_id)!;
  if (tx.subscriptions.one("subscribers", channel.stream_id)) return;
  warnOwner(tx, bot, inEmptyChannel(bot, channel));
}

/** The send to a channel: that it is not there, or closed to the bot, is told to the owner too. */
export async function orWarned<T>(
  realm: Realm,
  bot: User,
  named: string | number | null,
  sending: Promise<T>,
): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    const words = error instanceof Refusal ? faultOf(realm.read, bot, named) : undefined;
    if (words !== undefined) await realm.write((tx) => warnOwner(tx, bot, words));
    throw error;
  }
}

/** Why nothing that this bot says reaches that channel; undefined where something may. */
function faultOf(reader: Reader, bot: User, named: string | number | null): string | undefined {
  if (named === null) return undefined;
  const channel = passing(() => channelNamed(reader, bot, named));
  if (!channel) return inNoChannel(bot, named);
  const isOpen = passing(() => (checkMayPost(reader, bot, channel), true));
  return isOpen ? undefined : inClosedChannel(bot, named);
}

/** The channel that the request names, or the bot's own. */
export const channelAsked = (reader: Reader, bot: User, to: string | undefined) =>
  passing(() => decodeChannel(to)) ?? botOf(reader, bot.user_id).default_sending_stream;

/** What is refused is undefined. */
function passing<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
