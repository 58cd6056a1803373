// The record of a message that is new: what its content makes of it.
import type { Reader, Writer } from "../../realm.ts";
import type { Message, Submessage } from "../../records-messages.ts";
import type { Seconds, User } from "../../records.ts";
import { isMeMessage, type Rendered } from "../../text/markdown/render.ts";
import { widgetOf } from "../../text/widget.ts";
import { filesNamed } from "../files/access.ts";
import {
  HAS_ATTACHMENT,
  HAS_IMAGE,
  HAS_LINK,
  IS_ME,
  STREAM_WILDCARD,
  TOPIC_WILDCARD,
} from "./rules.ts";
import { noteStated } from "./stated.ts";
import { plainParagraph } from "./wire.ts";

/** What of a message its sender says besides the content. */
export interface MessageOptions {
  /** The name of the sending program. */
  client?: string;
  /** In the place of the widget that the content asks for. */
  widget?: object | undefined;
  /** Besides those that the content asks for. */
  bits?: number;
  /** In the place of now. */
  timestamp?: Seconds | undefined;
}

/** The name under which the server itself sends. */
const OWN_CLIENT = "Internal";

type Place = Pick<Message, "stream_id" | "topic_id" | "recipient_id">;

export function newMessage(
  tx: Writer,
  id: number,
  sender: User,
  place: Place,
  content: string,
  rendered: Rendered,
  { client = OWN_CLIENT, widget = widgetOf(content), bits = 0, timestamp }: MessageOptions,
): Message {
  const { html, mentioned_user_ids, mentioned_group_ids } = rendered;
  if (timestamp !== undefined) noteStated(tx, id, timestamp);
  return {
    id,
    sender_id: sender.user_id,
    timestamp: timestamp ?? tx.now,
    stream_id: place.stream_id,
    topic_id: place.topic_id,
    recipient_id: place.recipient_id,
    content,
    rendered_content: html === plainParagraph(content) ? null : html,
    client,
    bits: bitsOf(tx, sender, content, rendered) | bits,
    mentioned_user_ids: mentioned_user_ids.length > 0 ? mentioned_user_ids : null,
    mentioned_group_ids: mentioned_group_ids.length > 0 ? mentioned_group_ids : null,
    reactions: null,
    submessages: widget ? [widgetSeed(tx, id, sender, widget)] : null,
    edit_history: null,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    renames_seen: 0,
  };
}

/** The bits that `bitsOf` sets. */
export const RENDERED_BITS =
  IS_ME | STREAM_WILDCARD | TOPIC_WILDCARD | HAS_LINK | HAS_IMAGE | HAS_ATTACHMENT;

/** What the rendering found, as bits; an edit renders anew. */
export function bitsOf(reader: Reader, author: User, content: string, rendered: Rendered): number {
  const hasFile = filesNamed(reader, author, rendered.upload_path_ids).length > 0;
  return (
    (hasFile ? HAS_ATTACHMENT : 0) |
    (isMeMessage(content) ? IS_ME : 0) |
    (rendered.stream_wildcard ? STREAM_WILDCARD : 0) |
    (rendered.topic_wildcard ? TOPIC_WILDCARD : 0) |
    (rendered.has_link ? HAS_LINK : 0) |
    (rendered.has_image ? HAS_IMAGE : 0)
  );
}

function widgetSeed(tx: Writer, message_id: number, sender: User, widget: object): Submessage {
  const id = tx.next("submessages");
  const content = JSON.stringify(widget);
  return { id, message_id, sender_id: sender.user_id, msg_type: "widget", content };
}
