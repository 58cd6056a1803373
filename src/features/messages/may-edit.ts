// Who may change what a message says, and for how long.
import { expectationMismatch } from "../../errors-channels.ts";
import {
  editNotAllowed,
  editTooLate,
  editingDisabled,
  messageUnrenderable,
  widgetsNotEditable,
} from "../../errors-messages.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../records-messages.ts";
import type { Seconds, User } from "../../records.ts";
import type { Rendered } from "../../text/markdown/render.ts";
import type { Composed } from "./compose.ts";
import { checkMayMention } from "./mentions.ts";

/** Whoever began in time may finish. */
const EDIT_BUFFER_SECONDS = 20;

/** Nobody but the sender, whatever the role. */
export function checkMayEdit(
  reader: Reader,
  user: User,
  message: Message,
  buffer_seconds = EDIT_BUFFER_SECONDS,
): void {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = reader.settings;
  if (!allow_message_editing) throw editingDisabled();
  if (message.sender_id !== user.user_id) throw editNotAllowed();
  if (isOlder(reader, message.timestamp, limit, buffer_seconds)) throw editTooLate();
}

/** null: there is no limit. */
export function isOlder(
  reader: Reader,
  timestamp: Seconds,
  limit: Seconds | null,
  buffer_seconds = EDIT_BUFFER_SECONDS,
): boolean {
  return limit !== null && reader.now - timestamp > limit + buffer_seconds;
}

/** `prev_content_sha256`: what the editor believes to change. */
export function checkEditable(message: Message, prev_content_sha256: string | undefined): void {
  if (message.submessages !== null) throw widgetsNotEditable();
  if (prev_content_sha256 === undefined) return;
  const hash = new Bun.CryptoHasher("sha256").update(message.content).digest("hex");
  if (hash !== prev_content_sha256) throw expectationMismatch("prev_content_sha256");
}

/** What the new content is rendered as, where the editor may mention those whom it calls. */
export function checkedContent(
  reader: Reader,
  user: User,
  message: Message,
  { rendered }: Composed,
): Rendered {
  if (!rendered) throw messageUnrenderable();
  const channel = reader.channels.get(message.stream_id);
  const found = channel ? rendered : { ...rendered, topic_wildcard: false };
  checkMayMention(reader, user, found, channel, reader.topics.get(message.topic_id));
  return found;
}
