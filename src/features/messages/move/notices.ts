// Messages of the notification bot about a move, in the old and the new topic.
import { FOLLOWED } from "../../../contract/policies.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { UnfinishedMove } from "../../../schema/records-messages.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { narrowUrl } from "../../../text/channel-fragment.ts";
import { hasMarkup } from "../../../text/markdown/inline/literal.ts";
import { silentMention } from "../../channels/bot-messages.ts";
import { allReadersRead, allReadersSee } from "../../channels/readers-access.ts";
import { isBot } from "../../rights/rules.ts";
import { userSetting } from "../../settings/rules.ts";
import { compose } from "../content/compose.ts";
import { channelName, topicLinkText } from "../content/quoting.ts";
import { removeMessages } from "../delete/remove.ts";
import { isResolved } from "../resolve-rules.ts";
import { RESOLVE_NOTICE } from "../rules.ts";
import { isSameTopic } from "../topic.ts";
import { sendNoticeToChannel } from "../send/notices.ts";

/** If the change is reverted within this time, the notice is deleted. */
const NOTICE_UNDONE_SECONDS = 60;

const HIDDEN_CHANNEL = "another channel";

/** The acting user, the channels, and links to both topics if they may be named. */
interface MoveContext {
  user: User;
  from: Channel;
  to: Channel;
  old_place: string;
  new_place: string;
}

export function postMoveNotices(tx: Writer, move: UnfinishedMove): void {
  const user = tx.users.get(move.user_id)!;
  const from = tx.channels.get(move.prev_stream)!;
  const to = tx.channels.get(move.stream_id)!;
  const moveContext: MoveContext = {
    user,
    from,
    to,
    old_place: channelTextFor(tx, to, from, move.prev_topic),
    new_place: channelTextFor(tx, from, to, move.topic),
  };
  if (move.is_toggle) postResolveNotice(tx, move, moveContext);
  // Names that differ only in letter case are the same topic.
  const isSame = from === to && isSameTopic(move.prev_topic, move.topic);
  if (isSame) return;
  if (move.notify_old)
    postNotice(tx, moveContext, from, move.prev_topic, noticeInOldTopic(move, moveContext));
  if (move.notify_new && !move.is_toggle) {
    postNotice(tx, moveContext, to, move.topic, noticeInNewTopic(tx, move, moveContext));
  }
}

function noticeInOldTopic(
  { is_whole, moved }: UnfinishedMove,
  { user, new_place }: MoveContext,
): string {
  const mention = silentMention(user);
  if (is_whole) return `This topic was moved to ${new_place} by ${mention}.`;
  if (moved === 1) return `A message was moved from this topic to ${new_place} by ${mention}.`;
  return `${moved} messages were moved from this topic to ${new_place} by ${mention}.`;
}

function noticeInNewTopic(
  reader: Reader,
  move: UnfinishedMove,
  { user, to, old_place }: MoveContext,
) {
  const mention = silentMention(user);
  if (move.is_whole && move.was_empty) {
    return `This topic was moved here from ${old_place} by ${mention}.`;
  }
  if (move.moved !== 1)
    return `${move.moved} messages were moved here from ${old_place} by ${mention}.`;
  const url = reader.config.url + narrowUrl(to, move.topic, { near: move.first_moved_id });
  return `[A message](${url}) was moved here from ${old_place} by ${mention}.`;
}

/** Links are rendered as the acting user sees them, since the bot does not see private channels. */
function postNotice(
  tx: Writer,
  { user }: MoveContext,
  channel: Channel,
  topic: string,
  text: string,
): void {
  sendNoticeToChannel(tx, channel, topic, compose(tx, user, text), { read_by: [user.user_id] });
}

function postResolveNotice(tx: Writer, move: UnfinishedMove, { user, to }: MoveContext): void {
  const topic = tx.topics.get(move.to_topic_id);
  const newest = topic && tx.messages.get(topic.last_id);
  const isNotice = newest && (newest.bits & RESOLVE_NOTICE) !== 0;
  if (isNotice && tx.now - newest.timestamp <= NOTICE_UNDONE_SECONDS) {
    return removeMessages(tx, [newest], null);
  }
  const action = isResolved(move.topic) ? "resolved" : "unresolved";
  const text = `${silentMention(user)} has marked this topic as ${action}.`;
  const notified = notifiedSubscribers(tx, to, move.topic).filter(
    (user_id) => user_id !== user.user_id,
  );
  const options = { notifiedUserIds: notified, bits: RESOLVE_NOTICE };
  sendNoticeToChannel(tx, to, move.topic, compose(tx, user, text), options);
}

/** Subscribers for whom such a notice is unread at first. */
function notifiedSubscribers(reader: Reader, { stream_id }: Channel, topic: string): number[] {
  const folded = topic.toLowerCase();
  const follows = (user_id: number) =>
    reader.user_topics.get(user_id, stream_id, folded)?.visibility_policy === FOLLOWED;
  const subscribers = reader.subscriptions.listBy("subscribers", stream_id);
  return subscribers.flatMap(({ user_id }) => {
    const user = reader.users.get(user_id);
    if (!user || isBot(user)) return [];
    const policy = userSetting(user, "resolved_topic_notice_auto_read_policy");
    const notifiesUsers = policy === "never" || (policy === "except_followed" && follows(user_id));
    return notifiesUsers ? [user_id] : [];
  });
}

/**
 * Names the channel `other` and its topic for the readers of `channel`. All of them read the same
 * notice, so it names only what each of them may see.
 */
function channelTextFor(reader: Reader, channel: Channel, other: Channel, topic: string): string {
  if (allReadersRead(reader, channel, other)) return linkToTopic(reader, other, topic);
  return allReadersSee(reader, channel, other) ? linkToChannel(reader, other) : HIDDEN_CHANNEL;
}

/** Other names are linked by their address: those with markup, or that end like a message's id. */
const isPlain = (name: string) => !hasMarkup(name) && !/@\d+$/.test(name);

function linkToTopic(reader: Reader, channel: Channel, topic: string): string {
  if (isPlain(channel.name + topic)) return `#**${channel.name}>${topic}**`;
  return `[${topicLinkText(channel, topic)}](${reader.config.url}${narrowUrl(channel, topic)})`;
}

function linkToChannel(reader: Reader, channel: Channel): string {
  if (isPlain(channel.name)) return `#**${channel.name}**`;
  return `[${channelName(channel)}](${reader.config.url}${narrowUrl(channel)})`;
}
