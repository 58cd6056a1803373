// The message object for clients, in the forms that they may request.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import { EXTRA_EMOJI, EXTRA_EMOJI_OTHER } from "../../contract/names.ts";
import type { sentMessageShape } from "../../contract/shapes/messages.ts";
import type { Reader } from "../../realm.ts";
import type {
  EditHistoryEntry,
  Message,
  Reaction,
  Submessage,
} from "../../schema/records-messages.ts";
import type { Topic, User } from "../../schema/records.ts";
import { escapeText } from "../../text/markdown/serialize.ts";
import { topicLinks } from "../../text/topic-links.ts";
import { linkifiersInOrder } from "../linkifiers/wire.ts";
import { avatarUrl, emailOf, placeholder } from "../people/wire.ts";
import type { Viewer } from "../rights/rules.ts";
import {
  type ChannelAccess,
  type EditHistory,
  editHistoryOf,
  visibleEntries,
} from "./edit-history-wire.ts";
import { shownHtml } from "./foreign-media-wire.ts";
import { EMPTY_TOPIC_NAME, IS_ME } from "./rules.ts";
import { subjectOf } from "./spelling-wire.ts";

/** The form in which a client requests messages. */
export interface MessageForm {
  apply_markdown: boolean;
  client_gravatar: boolean;
  allow_empty_topic_name: boolean;
  /** The client's spelling of fields that have two names; defaults to the first. */
  spelling?: "zulip" | "service";
  /** The user who receives the message. If absent, any user. */
  viewer?: Viewer;
  /** The users whom the viewer can see. If absent, all users. */
  canSee?: (user: User) => boolean;
  /** If absent, the edit history omits all channels from which the message was moved. */
  channelAccess?: ChannelAccess;
}

type PresentOptions = Static<typeof sentMessageShape>;
type MessageObject = Record<string, unknown>;

/** A message in the form that clients receive, without the reader's flags. */
export function messageObject(reader: Reader, message: Message, form: MessageForm): PresentOptions {
  return messagePresenter(reader, form)(message);
}

/** Serializes many messages and looks up their common data once. */
export function messagePresenter(
  reader: Reader,
  form: MessageForm,
): (message: Message, subject?: string) => PresentOptions {
  const senderOf = memoized((id: number) => senderFields(reader, id, form));
  const topicOf = memoized((id: number) => reader.topics.get(id));
  const peopleOf = memoized((id: number) => participants(reader, id, form));
  const linksOf = memoized((topic: string) => topicLinks(topic, linkifiersInOrder(reader)));
  const editHistory = editHistoryOf(reader);
  return (message, subject) => {
    const object: MessageObject = {
      id: message.id,
      sender_id: message.sender_id,
      content: form.apply_markdown ? renderedOf(reader, message) : message.content,
      recipient_id: message.recipient_id,
      timestamp: message.timestamp,
      client: message.client,
      is_me_message: (message.bits & IS_ME) !== 0,
      reactions: message.reactions?.map((reaction) => reactionObject(reaction, form)) ?? [],
      submessages: message.submessages?.map(submessageObject) ?? [],
      ...senderOf(message.sender_id),
      content_type: form.apply_markdown ? "text/html" : "text/x-markdown",
    };
    if (message.stream_id === 0) {
      object["type"] = "private";
      object["display_recipient"] = peopleOf(message.recipient_id);
      object["subject"] = "";
      object["topic_links"] = [];
    } else {
      const topic = subject ?? subjectOf(reader, message, topicOf(message.topic_id));
      object["type"] = "stream";
      object["stream_id"] = message.stream_id;
      object["display_recipient"] = reader.channels.get(message.stream_id)?.name ?? "";
      object["subject"] = shownTopic(topic, form.allow_empty_topic_name);
      object["topic_links"] = topic === "" ? [] : linksOf(topic);
    }
    addHistory(object, reader, editHistory(message), form);
    return object as PresentOptions;
  };
}

type RenderedMessage = Pick<Message, "content" | "rendered_content">;

/** The HTML of a message as clients receive it. */
export function renderedOf(reader: Reader, message: RenderedMessage): string {
  const { rendered_content, content } = message;
  return rendered_content === null ? plainParagraph(content) : shownHtml(reader, rendered_content);
}

/** The HTML as it is stored, with the original addresses of images and videos. */
export function storedHtml({ content, rendered_content }: RenderedMessage): string {
  return rendered_content ?? plainParagraph(content);
}

/** Renders a plain paragraph, like most messages. */
export function plainParagraph(content: string): string {
  return `<p>${escapeText(content)}</p>`;
}

/** Ids are ascending; all belong to one topic or direct conversation. */
export function messagesDeleted(
  message_ids: readonly number[],
  topic: Topic | undefined,
): PlainEvent {
  if (!topic) return { type: "delete_message", message_type: "private", message_ids };
  const { stream_id, name } = topic;
  return { type: "delete_message", message_type: "stream", stream_id, topic: name, message_ids };
}

/** Clients that do not support an empty topic name receive a display name for it. */
export function shownTopic(name: string, allow_empty_topic_name: boolean): string {
  return name === "" && !allow_empty_topic_name ? EMPTY_TOPIC_NAME : name;
}

/** The type of custom emoji depends on the client's spelling. */
function reactionObject(
  { emoji_name, emoji_code, reaction_type, user_id }: Reaction,
  { spelling }: Pick<MessageForm, "spelling">,
): Reaction {
  const isOther = reaction_type === EXTRA_EMOJI && spelling === "service";
  const type = isOther ? EXTRA_EMOJI_OTHER : reaction_type;
  return { emoji_name, emoji_code, reaction_type: type, user_id };
}

function submessageObject({ id, message_id, sender_id, msg_type, content }: Submessage) {
  return { msg_type, content, message_id, sender_id, id };
}

function senderFields(reader: Reader, user_id: number, form: MessageForm): MessageObject {
  const { email, full_name, avatar_url } = personOf(reader, user_id, form);
  return {
    sender_full_name: full_name,
    sender_email: email,
    sender_realm_str: reader.config.subdomain ?? "",
    avatar_url,
  };
}

function participants(reader: Reader, recipient_id: number, form: MessageForm) {
  const user_ids = reader.conversations.get(recipient_id)?.user_ids ?? [];
  const people = user_ids.map((id) => {
    const { email, full_name } = personOf(reader, id, form);
    return { id, email, full_name, is_mirror_dummy: false };
  });
  if (people.length === 2) people.sort((a, b) => (a.email < b.email ? -1 : 1));
  return people;
}

function personOf(reader: Reader, user_id: number, form: MessageForm) {
  const { viewer, canSee, client_gravatar } = form;
  const user = reader.users.get(user_id);
  if (!user || (canSee && !canSee(user))) {
    const { email, full_name, avatar_url } = placeholder(reader, user_id);
    return { email: email as string, full_name: full_name as string, avatar_url };
  }
  const avatar_url = avatarUrl(user, client_gravatar, viewer);
  return { email: emailOf(reader, user, viewer), full_name: user.full_name, avatar_url };
}

function addHistory(
  object: MessageObject,
  reader: Reader,
  editHistory: EditHistory,
  form: MessageForm,
) {
  const { last_edit_timestamp, last_moved_timestamp, edit_history } = editHistory;
  if (last_edit_timestamp !== null) object["last_edit_timestamp"] = last_edit_timestamp;
  if (last_moved_timestamp !== null) object["last_moved_timestamp"] = last_moved_timestamp;
  if (edit_history === null) return;
  const policy = reader.settings.message_edit_history_visibility_policy;
  if (policy === "none") return;
  const entries = policy === "all" ? edit_history : edit_history.flatMap(movesOnly);
  const sentItems = visibleEntries(entries, form.channelAccess ?? NO_OTHER_CHANNEL);
  object["edit_history"] = sentItems.map((entry) => shownEntry(reader, entry, form));
}

const NO_OTHER_CHANNEL: ChannelAccess = { canSee: () => false, canRead: () => false };

/** The part of an entry about a move. Empty if only the content changed. */
export function movesOnly(entry: EditHistoryEntry): EditHistoryEntry[] {
  const { prev_content: _content, prev_rendered_content: _html, ...move } = entry;
  return move.prev_topic === undefined && move.prev_stream === undefined ? [] : [move];
}

function shownEntry(reader: Reader, entry: EditHistoryEntry, form: MessageForm) {
  const html = entry.prev_rendered_content;
  const entryObject = withShownTopics(entry, form);
  return html === undefined
    ? entryObject
    : { ...entryObject, prev_rendered_content: shownHtml(reader, html) };
}

function withShownTopics(entry: EditHistoryEntry, form: MessageForm): EditHistoryEntry {
  if (form.allow_empty_topic_name) return entry;
  const { topic, prev_topic } = entry;
  return {
    ...entry,
    ...(topic !== undefined && { topic: shownTopic(topic, false) }),
    ...(prev_topic !== undefined && { prev_topic: shownTopic(prev_topic, false) }),
  };
}

function memoized<K, V>(find: (key: K) => V): (key: K) => V {
  const cache = new Map<K, V>();
  return (key) => {
    let value = cache.get(key);
    if (value === undefined) cache.set(key, (value = find(key)));
    return value;
  };
}
