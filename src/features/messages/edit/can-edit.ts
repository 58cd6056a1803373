// Permission and time limit for editing content.
import { expectationMismatch } from "../../../contract/errors/channels.ts";
import {
  editNotAllowed,
  editTooLate,
  editingDisabled,
  messageUnrenderable,
  widgetsNotEditable,
} from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Seconds, User } from "../../../schema/records.ts";
import type { Rendered } from "../../../text/markdown/render.ts";
import type { ComposedMessage } from "../content/compose.ts";
import { checkCanMention } from "../mentions.ts";
import { whyNotEdit } from "../permission-rules.ts";
import { checkNewMembersLinks } from "../send/new-member-limits.ts";

const REFUSALS = { disabled: editingDisabled, "not-own": editNotAllowed, late: editTooLate };

export function checkCanEdit(
  { settings: limits, now }: Reader,
  { user_id }: User,
  message: Message,
  buffer_seconds?: Seconds,
): void {
  const refusal = whyNotEdit({ user_id, now, limits }, message, buffer_seconds);
  if (refusal) throw REFUSALS[refusal]();
}

/** `prev_content_sha256`: hash of the content that the editor started from. */
export function checkEditable(message: Message, prev_content_sha256: string | undefined): void {
  if (message.submessages !== null) throw widgetsNotEditable();
  if (prev_content_sha256 === undefined) return;
  const hash = new Bun.CryptoHasher("sha256").update(message.content).digest("hex");
  if (hash !== prev_content_sha256) throw expectationMismatch("prev_content_sha256");
}

/** Renders the new content. @throws if the editor may not use its mentions */
export function checkedContent(
  reader: Reader,
  user: User,
  message: Message,
  { rendered }: ComposedMessage,
): Rendered {
  if (!rendered) throw messageUnrenderable();
  checkNewMembersLinks(reader, user, rendered.html);
  const channel = reader.channels.get(message.stream_id);
  const mentions = channel ? rendered : { ...rendered, topic_wildcard: false };
  checkCanMention(reader, user, mentions, channel, reader.topics.get(message.topic_id));
  return mentions;
}
