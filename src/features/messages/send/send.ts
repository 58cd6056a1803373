// Sends a message: the checks in order, then its few records, independent of the number of
// receivers.
import type { MessageEvent } from "../../../contract/events.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, Topic, User } from "../../../schema/records.ts";
import { markAlerts } from "../../alert-words/alerts.ts";
import { isSubscribed } from "../../channels/access.ts";
import { channelChanged } from "../../channels/wire.ts";
import { claimFiles } from "../../files/claim.ts";
import { newlyVisiblePairs, emitVisibleUser } from "../../people/guest-visibility.ts";
import { unfurlLinks } from "../../previews/actions.ts";
import { indexMessage } from "../../search/index.ts";
import { indexTopic } from "../../search/topics.ts";
import { callWebhooks } from "../../webhooks/actions.ts";
import { type ComposedMessage, compose } from "../content/compose.ts";
import { addParticipant, isMentionedBot, markMentions } from "../mentions.ts";
import { FLAG_UNREAD_HERE, FLAG_READ } from "../rules.ts";
import { withSpelling, spellingIn } from "../spelling-wire.ts";
import { putTopic } from "../topic.ts";
import { followAfterMention, followAfterSend } from "./follow.ts";
import { validatedForChannel, validatedForPeople } from "./can-send.ts";
import { type MessageOptions, newMessage, cacheSentMessage } from "./new-message.ts";
import type { ChannelRecipient, DirectRecipient, Recipient } from "./recipients.ts";

export interface SendOptions extends MessageOptions {
  read_by_sender?: boolean;
  /** Users for whom the message is read from the start. */
  read_by?: readonly number[];
  /** The message is read from the start for everyone except these users. */
  notifiedUserIds?: readonly number[];
  /** The sender's queue whose event gets `local_id`. */
  queue_id?: string | undefined;
  local_id?: string | undefined;
}

export interface SentMessage {
  id: number;
  /** Set only if the send changed it for the sender. */
  automatic_new_visibility_policy?: number;
}

/** Sends a message that was composed before, or composes it from its content. */
export function sendMessage(
  tx: Writer,
  sender: User,
  recipient: Recipient,
  content: string | ComposedMessage,
  options: SendOptions = {},
): SentMessage {
  const composed = typeof content === "string" ? compose(tx, sender, content) : content;
  return "stream_id" in recipient
    ? sendToChannel(tx, sender, recipient, composed, options)
    : sendToPeople(tx, sender, recipient, composed, options);
}

/** Returns the message of an earlier send with the same token, whatever its content. */
export function sentBefore(
  reader: Reader,
  { user_id }: User,
  token: string | undefined,
): SentMessage | undefined {
  const send = token === undefined ? undefined : reader.sends.get(user_id, token);
  return send && { id: send.message_id };
}

export function rememberToken(
  tx: Writer,
  { user_id }: User,
  token: string | undefined,
  message_id: number,
): void {
  if (token !== undefined) tx.sends.put({ user_id, token, message_id, timestamp: tx.now });
}

function sendToChannel(
  tx: Writer,
  sender: User,
  recipient: ChannelRecipient,
  { content, rendered: input }: ComposedMessage,
  options: SendOptions,
): SentMessage {
  const {
    channel,
    name,
    topic: existing,
    rendered,
  } = validatedForChannel(tx, sender, recipient, input);

  const { stream_id, recipient_id } = channel;
  const id = tx.next("messages");
  const topic = updatedTopic(tx, stream_id, name, existing, id);
  const spelling = spellingIn(topic, name);
  const conversation = { stream_id, topic_id: topic.topic_id, recipient_id, spelling };
  const message = newMessage(tx, id, sender, conversation, content, rendered, options);
  tx.messages.put(message);
  claimFiles(tx, sender, id, rendered.upload_path_ids);
  indexMessage(tx, message);
  unfurlLinks(tx, sender, id, rendered);
  putTopic(tx, existing, topic);
  indexTopic(tx, existing, topic);
  tx.channel_messages.add([stream_id], id);
  tx.topic_messages.add([topic.topic_id], id);
  tx.sender_messages.add([sender.user_id], id);
  addParticipant(tx, topic.topic_id, sender.user_id);

  const isActiveSubscriber = (user: User) =>
    user.is_active && isSubscribed(tx, user.user_id, stream_id);
  const isUnsubscribedBot = (user: User) =>
    !isActiveSubscriber(user) && isMentionedBot(tx, user, channel);
  const receives = (user: User) => isActiveSubscriber(user) || isUnsubscribedBot(user);
  const mentioned = markMentions(tx, message, receives);
  callWebhooks(tx, sender, message, message.mentioned_user_ids ?? []);
  const is_alerting = markAlerts(tx, message, receives);
  const policy = followAfterSend(tx, sender, channel, name, existing);
  for (const user of mentioned) followAfterMention(tx, user, channel, name);
  markChannelActive(tx, channel, id);
  const read_by = markReadAtSend(tx, sender, id, options, isActiveSubscriber);
  const event = sentEvent(id, read_by, is_alerting, options);
  cacheSentMessage(event, message, name);
  const also = mentioned.filter(isUnsubscribedBot).map((user) => user.user_id);
  tx.emit(event, { to: "subscribers", stream_id, ...(also.length > 0 && { also }) });
  return policy === undefined ? { id } : { id, automatic_new_visibility_policy: policy };
}

function sendToPeople(
  tx: Writer,
  sender: User,
  recipient: DirectRecipient,
  { content, rendered: input }: ComposedMessage,
  options: SendOptions,
): SentMessage {
  const {
    people,
    conversation: existing,
    rendered,
  } = validatedForPeople(tx, sender, recipient, input);

  const id = tx.next("messages");
  const recipient_id = existing?.recipient_id ?? tx.next("recipients");
  const conversation = { stream_id: 0, topic_id: 0, recipient_id, spelling: null };
  const message = newMessage(tx, id, sender, conversation, content, rendered, options);
  const receivers = people.filter((user) => user.is_active);
  tx.messages.put(message);
  claimFiles(tx, sender, id, rendered.upload_path_ids);
  indexMessage(tx, message);
  unfurlLinks(tx, sender, id, rendered);
  const meetings = existing ? [] : newlyVisiblePairs(tx, people);
  const user_ids = people.map((user) => user.user_id);
  tx.conversations.put({ recipient_id, user_ids, last_id: id });
  for (const { guest, person } of meetings) emitVisibleUser(tx, guest, person);
  tx.conversation_messages.add([recipient_id], id);
  tx.sender_messages.add([sender.user_id], id);
  for (const { user_id } of receivers) tx.user_directs.add([user_id], id);

  const receives = (user: User) => receivers.includes(user);
  markMentions(tx, message, receives);
  callWebhooks(tx, sender, message, user_ids);
  const is_alerting = markAlerts(tx, message, receives);
  const event = sentEvent(
    id,
    markReadAtSend(tx, sender, id, options, receives),
    is_alerting,
    options,
  );
  cacheSentMessage(event, message, "");
  tx.emit(event, { to: "people", user_ids: receivers.map((user) => user.user_id) });
  return { id };
}

function updatedTopic(
  tx: Writer,
  stream_id: number,
  name: string,
  topic: Topic | undefined,
  last_id: number,
): Topic {
  if (topic) return { ...withSpelling(topic, name), last_id, count: topic.count + 1 };
  const topic_id = tx.next("topics");
  return { topic_id, stream_id, name, first_id: last_id, last_id, count: 1, rename_id: 0 };
}

/** The first message of a channel, or the first after long inactivity, changes the channel. */
function markChannelActive(tx: Writer, channel: Channel, message_id: number): void {
  const { stream_id, is_recently_active } = channel;
  if (is_recently_active && channel.first_message_id !== null) return;
  const first_message_id = channel.first_message_id ?? message_id;
  tx.channels.put({ ...channel, first_message_id, is_recently_active: true });
  if (is_recently_active) return;
  tx.emit(channelChanged(channel, "is_recently_active", true), { to: "viewers", stream_id });
}

/** Marks the message as read for the sender and for users who muted the sender. */
function markReadAtSend(
  tx: Writer,
  { user_id }: User,
  message_id: number,
  { read_by_sender, read_by: readers = [], notifiedUserIds }: SendOptions,
  receives: (user: User) => boolean,
): number[] {
  const read_by = read_by_sender ? [user_id, ...readers] : [...readers];
  for (const mute of tx.muted_users.listBy("muted", user_id)) {
    const user = tx.users.get(mute.user_id);
    if (user && receives(user)) read_by.push(user.user_id);
  }
  for (const reader_id of read_by) tx.flags.add([reader_id, FLAG_READ], message_id);
  if (notifiedUserIds) tx.quiet.add([0], message_id);
  for (const notified_id of notifiedUserIds ?? [])
    tx.flags.add([notified_id, FLAG_UNREAD_HERE], message_id);
  return read_by;
}

function sentEvent(
  message_id: number,
  read_by: readonly number[],
  is_alerting: boolean,
  { queue_id, local_id }: SendOptions,
): MessageEvent {
  const event: MessageEvent = { type: "message", message_id, read_by };
  if (is_alerting) event.is_alerting = true;
  if (queue_id === undefined || local_id === undefined) return event;
  return { ...event, queue_id, local_id };
}
