// Posts the message of a webhook as its bot: in the channel that the URL names, or to the owner.
import { Refusal } from "../../../contract/errors/general.ts";
import { channelMissing } from "../../../contract/errors/messages.ts";
import type { Context } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { BotCall } from "../../../schema/records-people.ts";
import type { User } from "../../../schema/records.ts";
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import { replaceUnprintable } from "../../channels/rules.ts";
import { compose } from "../../messages/content/compose.ts";
import {
  channelMissingText,
  warnOwnerOnFailure,
  warnOfNoReceivers,
  warnOwner,
} from "../../messages/send/bot-warnings.ts";
import { tokenOf } from "../../messages/send/post.ts";
import { channelNamed, type Recipient } from "../../messages/send/recipients.ts";
import { rememberToken, sendMessage, sentBefore } from "../../messages/send/send.ts";
import { cutTopic } from "../../messages/topic.ts";
import { accessActiveUser } from "../../people/access.ts";
import { usersNotifiedByHook } from "../access.ts";
import { recordCall } from "../recent-calls.ts";
import type { Integration } from "../rules.ts";

interface HookPlace {
  stream: string | undefined;
  topic: string | undefined;
}

export type CallResult = Pick<BotCall, "message_id" | "outcome" | "why">;

/**
 * Reports a missing channel only to the owner, so that the caller does not retry. For a closed
 * channel or one without subscribers, the owner is warned too.
 */
export async function postAsHook(
  { realm, user, request }: Context,
  hookPlace: HookPlace,
  topic: string,
  content: string,
  { display_name }: Integration,
): Promise<void> {
  const token = tokenOf(request, undefined, undefined);
  const composed = compose(realm.read, user, content, usersNotifiedByHook(realm.read, user));
  const options = { client: `${display_name.split(/[\s-]/, 1)[0]}Webhook` };
  const channel = hookPlace.stream === undefined ? null : channelIn(hookPlace.stream);
  const sending = realm.write((tx) => {
    accessActiveUser(tx, user);
    // In the transaction of the message, since the caller would send it again after an error.
    const record = (posted: CallResult) =>
      recordCall(tx, user.user_id, resultWithStatus(posted, OK));
    if (sentBefore(tx, user, token)) return record(NOTHING_POSTED);
    const recipient = recipientOf(tx, user, hookPlace, topic);
    if (recipient === undefined) {
      warnOwner(tx, user, channelMissingText(user, hookPlace.stream!));
      return record(NO_CHANNEL);
    }
    const { id } = sendMessage(tx, user, recipient, composed, options);
    rememberToken(tx, user, token, id);
    warnOfNoReceivers(tx, user, recipient);
    record({ message_id: id, outcome: "said", why: null });
  });
  await warnOwnerOnFailure(realm, user, channel, sending);
}

export const OK = 200;
/** The message was posted before, or the owner has disabled it. */
export const NOTHING_POSTED: CallResult = { message_id: null, outcome: "quiet", why: null };
const NO_CHANNEL: CallResult = {
  message_id: null,
  outcome: "failed",
  why: "There is no such channel, or the bot cannot access it",
};

export const resultWithStatus = (posted: CallResult, status: number) =>
  ({ way: "in", status, duration_ms: null, ...posted }) as const;

/** undefined if there is no such channel. */
function recipientOf(
  reader: Reader,
  user: User,
  { stream, topic: chosen }: HookPlace,
  otherwise: string,
): Recipient | undefined {
  if (stream === undefined) {
    if (user.bot_owner_id === null) throw channelMissing();
    return { user_ids: [user.bot_owner_id] };
  }
  const topic =
    chosen === undefined ? cutTopic(replaceUnprintable(otherwise).trim()) : decodeUrlPart(chosen);
  try {
    return { stream_id: channelNamed(reader, user, channelIn(stream)).stream_id, topic };
  } catch (error) {
    if (error instanceof Refusal && error.errCode === "STREAM_DOES_NOT_EXIST") return undefined;
    throw error;
  }
}

/** Some programs escape a URL that is already escaped, as for topics. */
const channelIn = (stream: string) =>
  /^\d{1,15}$/.test(stream) ? Number(stream) : decodeUrlPart(stream);
