// Schemas of a user's own objects: files, drafts, snippets, scheduled messages, reminders.
import Type from "typebox";
import { unionOf, list, choice, seconds } from "./value-types.ts";

export const attachmentShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path_id: Type.String(),
  size: Type.Integer(),
  create_time: seconds,
  message_ids: list(Type.Integer()),
});

export const draftShape = Type.Object({
  id: Type.Integer(),
  type: choice("", "stream", "private"),
  to: list(Type.Integer()),
  topic: Type.String(),
  content: Type.String(),
  timestamp: seconds,
});

export const snippetShape = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  content: Type.String(),
  date_created: seconds,
});

const laterShape = Type.Object({
  scheduled_message_id: Type.Integer(),
  content: Type.String(),
  rendered_content: Type.String(),
  scheduled_delivery_timestamp: Type.Integer(),
  failed: Type.Boolean(),
});

export const scheduledShape = unionOf(
  Type.Object({
    ...laterShape.properties,
    type: Type.Literal("stream"),
    to: Type.Integer(),
    topic: Type.String(),
  }),
  Type.Object({
    ...laterShape.properties,
    type: Type.Literal("private"),
    to: list(Type.Integer()),
  }),
);

/** A message that is pinned in its channel for everyone. */
export const pinShape = Type.Object({
  message_id: Type.Integer(),
  stream_id: Type.Integer(),
  topic: Type.String(),
  sender_id: Type.Integer(),
  /** The beginning of its text. */
  excerpt: Type.String(),
  pinned_by: Type.Integer(),
  pinned_at: seconds,
});

export const noteVersionShape = Type.Object({
  content: Type.String(),
  version: Type.Integer(),
  updated_by: Type.Integer(),
  updated_at: seconds,
});

export const noteShape = Type.Object({
  ...noteVersionShape.properties,
  rendered_content: Type.String(),
});

export const reminderShape = Type.Object({
  reminder_id: Type.Integer(),
  type: Type.Literal("private"),
  to: list(Type.Integer()),
  content: Type.String(),
  rendered_content: Type.String(),
  scheduled_delivery_timestamp: Type.Integer(),
  failed: Type.Boolean(),
  reminder_target_message_id: Type.Integer(),
});
