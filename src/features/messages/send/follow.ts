// Follows or unmutes topics automatically after participation or mentions.
import { FOLLOWED, INHERITED, MUTED, UNMUTED } from "../../../contract/policies.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, Topic, User } from "../../../schema/records.ts";
import { chunkOf, eachOffset, idOf } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../../store/bitmap/encodings.ts";
import { isSubscribed } from "../../channels/access.ts";
import { isProtected } from "../../channels/rules.ts";
import { isBot } from "../../rights/rules.ts";
import { userSetting } from "../../settings/rules.ts";
import { canAddPolicy, setTopicPolicy } from "../../topics/actions.ts";
import { isInIntervals } from "../access.ts";

/** Values of the user settings that trigger following or unmuting. */
const ON_PARTICIPATION = 1;
const ON_SEND = 2;
const ON_INITIATION = 3;
const UNMUTE_SETTING = "automatically_unmute_topics_in_muted_streams_policy";
type FollowTrigger = typeof ON_PARTICIPATION | typeof ON_SEND;

/**
 * Follows or unmutes the topic after a send, if the sender's settings say so. `topic` is the topic
 * before the send. Returns the new policy if it changed.
 */
export function followAfterSend(
  tx: Writer,
  sender: User,
  channel: Channel,
  name: string,
  topic: Topic | undefined,
): number | undefined {
  if (isBot(sender)) return undefined;
  const isFirst = () => !topic || !hasSeenTopic(tx, sender, channel, topic);
  return raisePolicy(tx, sender, channel, name, ON_SEND, isFirst);
}

/** Follows the topic after a subscriber's reaction or vote, if the user's settings say so. */
export function followAfterParticipation(
  tx: Writer,
  user: User,
  { stream_id, topic_id }: Pick<Message, "stream_id" | "topic_id">,
): void {
  const channel = tx.channels.get(stream_id);
  if (!channel || isBot(user) || !isSubscribed(tx, user.user_id, stream_id)) return;
  const name = tx.topics.get(topic_id)?.name ?? "";
  raisePolicy(tx, user, channel, name, ON_PARTICIPATION, () => false);
}

/** An explicit choice for this topic (muted or followed) is kept. */
export function followAfterMention(tx: Writer, user: User, channel: Channel, name: string): void {
  if (isBot(user) || !userSetting(user, "automatically_follow_topics_where_mentioned")) return;
  const policy = policyOf(tx, user, channel, name);
  if (policy === MUTED || policy === FOLLOWED) return;
  setTopicPolicy(tx, user, channel, name, FOLLOWED);
}

/** Never lowers the policy: followed is above unmuted. */
function raisePolicy(
  tx: Writer,
  user: User,
  channel: Channel,
  name: string,
  trigger: FollowTrigger,
  isFirst: () => boolean,
): number | undefined {
  const isDue = (setting: unknown) =>
    setting === ON_PARTICIPATION || setting === trigger || (setting === ON_INITIATION && isFirst());
  const isMuted = () => tx.subscriptions.get(user.user_id, channel.stream_id)?.is_muted === true;
  let raised = INHERITED;
  if (isDue(userSetting(user, "automatically_follow_topics_policy"))) raised = FOLLOWED;
  else if (isDue(userSetting(user, UNMUTE_SETTING)) && isMuted()) raised = UNMUTED;
  if (raised === INHERITED) return undefined;
  const policy = policyOf(tx, user, channel, name);
  if (policy === FOLLOWED || raised === policy) return undefined;
  if (policy === INHERITED && !canAddPolicy(tx, user)) return undefined;
  setTopicPolicy(tx, user, channel, name, raised);
  return raised;
}

function policyOf(reader: Reader, user: User, channel: Channel, name: string): number {
  const row = reader.user_topics.get(user.user_id, channel.stream_id, name.toLowerCase());
  return row?.visibility_policy ?? INHERITED;
}

/** Whether the user can read an earlier message of the topic. */
function hasSeenTopic(reader: Reader, user: User, channel: Channel, topic: Topic): boolean {
  if (!isProtected(channel)) return true;
  const intervals = reader.subscriptions.get(user.user_id, channel.stream_id)?.intervals ?? [];
  if (isInIntervals(intervals, topic.last_id)) return true;
  const range = { from: chunkOf(intervals[0] ?? topic.last_id), to: chunkOf(topic.last_id) };
  for (const chunk of reader.topic_messages.chunks([topic.topic_id], range)) {
    let isSeen = false;
    eachOffset(decodeChunk(reader.topic_messages.chunk([topic.topic_id], chunk)), (offset) => {
      isSeen ||= isInIntervals(intervals, idOf(chunk, offset));
    });
    if (isSeen) return true;
  }
  return false;
}
