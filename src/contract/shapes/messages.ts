// Schemas of messages in events and responses.
import Type, { type TProperties } from "typebox";
import { unionOf, list, nullable, choice, partial, seconds } from "./value-types.ts";

export const EMOJI_TYPES = [
  "unicode_emoji",
  "realm_emoji",
  "zulip_extra_emoji",
  "service_extra_emoji",
] as const;
export const emojiTypeShape = choice(...EMOJI_TYPES);

export const linkShape = Type.Object({ text: Type.String(), url: Type.String() });

const reactionShape = Type.Object({
  emoji_name: Type.String(),
  emoji_code: Type.String(),
  reaction_type: emojiTypeShape,
  user_id: Type.Integer(),
});

const submessageShape = Type.Object({
  msg_type: Type.String(),
  content: Type.String(),
  message_id: Type.Integer(),
  sender_id: Type.Integer(),
  id: Type.Integer(),
});

const editShape = Type.Object({
  user_id: nullable(Type.Integer()),
  timestamp: seconds,
  ...partial({
    prev_content: Type.String(),
    prev_rendered_content: Type.String(),
    prev_stream: Type.Integer(),
    stream: Type.Integer(),
    prev_topic: Type.String(),
    topic: Type.String(),
  }),
});

/** Fields that channel and direct messages share in events. */
const messageAlikeShape = Type.Object({
  id: Type.Integer(),
  sender_id: Type.Integer(),
  sender_email: Type.String(),
  sender_full_name: Type.String(),
  sender_realm_str: Type.String(),
  recipient_id: Type.Integer(),
  avatar_url: nullable(Type.String()),
  client: Type.String(),
  subject: Type.String(),
  topic_links: list(linkShape),
  content: Type.String(),
  content_type: choice("text/html", "text/x-markdown"),
  timestamp: seconds,
  is_me_message: Type.Boolean(),
  reactions: list(reactionShape),
  submessages: list(submessageShape),
  last_edit_timestamp: Type.Optional(seconds),
  last_moved_timestamp: Type.Optional(seconds),
  edit_history: Type.Optional(list(editShape)),
});

const receiverShape = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  is_mirror_dummy: Type.Boolean(),
});

const inEitherPlace = <F extends TProperties>(more: F) =>
  unionOf(
    Type.Object({
      ...messageAlikeShape.properties,
      ...more,
      type: Type.Literal("stream"),
      display_recipient: Type.String(),
      stream_id: Type.Integer(),
    }),
    Type.Object({
      ...messageAlikeShape.properties,
      ...more,
      type: Type.Literal("private"),
      display_recipient: list(receiverShape),
    }),
  );

export const flagsShape = list(
  choice(
    "read",
    "starred",
    "collapsed",
    "mentioned",
    "stream_wildcard_mentioned",
    "topic_wildcard_mentioned",
    "wildcard_mentioned",
    "has_alert_word",
    "historical",
  ),
);

export const sentMessageShape = inEitherPlace({});

export const fetchedMessageShape = inEitherPlace({ flags: flagsShape });

export const foundMessageShape = inEitherPlace({
  flags: flagsShape,
  ...partial({ match_content: Type.String(), match_subject: Type.String() }),
});
