// Warns the owner of a bot, at limited intervals, that its messages reach no one.
import { Refusal } from "../../../contract/errors/general.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { WARNING_PAUSE_SECONDS } from "../../bots/rules.ts";
import { botOf } from "../../bots/wire.ts";
import { channelLink, silentMention } from "../../channels/bot-messages.ts";
import { checkCanPost } from "./can-send.ts";
import { sendNoticeToPeople } from "./notices.ts";
import { channelNamed, decodeChannel, type Recipient } from "./recipients.ts";

export function warnOwner(tx: Writer, { user_id, bot_owner_id }: User, text: string): void {
  if (bot_owner_id === null) return;
  const last = tx.bot_warnings.get(user_id);
  if (last && tx.now - last.timestamp < WARNING_PAUSE_SECONDS) return;

  tx.bot_warnings.put({ user_id, timestamp: tx.now });
  sendNoticeToPeople(tx, [bot_owner_id], text);
}

const SHOWN_MAX = 100;

/** `channel`: the name or id that the bot sent, which may come from an untrusted source. */
export const channelMissingText = (bot: User, channel: string | number): string =>
  `${attemptText(bot, channel)}, which does not exist.`;

const channelClosedText = (bot: User, channel: string | number): string =>
  `${attemptText(bot, channel)} without permission.`;

function attemptText(bot: User, channel: string | number): string {
  const text = [...`${channel}`.replaceAll(/[`\s]+/g, " ")].slice(0, SHOWN_MAX).join("").trim();
  return `${silentMention(bot)} tried to send to the channel \`${text}\``;
}

function channelEmptyText(bot: User, channel: Channel): string {
  return `${silentMention(bot)} sent to ${channelLink(channel)}, which has no subscribers.`;
}

/** The message was sent to a channel without subscribers. */
export function warnOfNoReceivers(tx: Writer, bot: User, recipient: Recipient): void {
  if (!("stream_id" in recipient)) return;
  const channel = tx.channels.get(recipient.stream_id)!;
  if (tx.subscriptions.findBy("subscribers", channel.stream_id)) return;
  warnOwner(tx, bot, channelEmptyText(bot, channel));
}

/** Runs a send. If its channel does not exist or is closed to the bot, warns the owner too. */
export async function warnOwnerOnFailure<T>(
  realm: Realm,
  bot: User,
  recipientName: string | number | null,
  sending: Promise<T>,
): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    const text =
      error instanceof Refusal ? whyUnreachable(realm.read, bot, recipientName) : undefined;
    if (text !== undefined) await realm.write((tx) => warnOwner(tx, bot, text));
    throw error;
  }
}

/** Returns why this bot cannot reach the channel; undefined if it can. */
function whyUnreachable(
  reader: Reader,
  bot: User,
  recipientName: string | number | null,
): string | undefined {
  if (recipientName === null) return undefined;
  const channel = withoutRefusal(() => channelNamed(reader, bot, recipientName));
  if (!channel) return channelMissingText(bot, recipientName);
  const isOpen = withoutRefusal(() => (checkCanPost(reader, bot, channel), true));
  return isOpen ? undefined : channelClosedText(bot, recipientName);
}

/** The channel in the request, or the bot's default. */
export const requestedChannel = (reader: Reader, bot: User, to: string | undefined) =>
  withoutRefusal(() => decodeChannel(to)) ?? botOf(reader, bot.user_id).default_sending_stream;

/** Returns undefined if the function throws an error for clients. */
function withoutRefusal<T>(request: () => T): T | undefined {
  try {
    return request();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
