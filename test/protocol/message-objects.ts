// Messages as they are told and fetched, field by field, as the protocol describes them.
import { either, list, oneOf } from "../clients/shapes.ts";
import { EMOJI_TYPE, type Fields, optional } from "./objects.ts";

export const LINK: Fields = { text: "str", url: "str" };
const REACTION: Fields = {
  emoji_name: "str",
  emoji_code: "str",
  reaction_type: EMOJI_TYPE,
  user_id: "int",
};
const SUBMESSAGE: Fields = {
  msg_type: "str",
  content: "str",
  message_id: "int",
  sender_id: "int",
  id: "int",
};
const EDIT: Fields = {
  user_id: "int?",
  timestamp: "secs",
  ...optional({
    prev_content: "str",
    prev_rendered_content: "str",
    prev_stream: "int",
    stream: "int",
    prev_topic: "str",
    topic: "str",
  }),
};

/** What both kinds of messages have in an event. */
const MESSAGE_ALIKE: Fields = {
  id: "int",
  sender_id: "int",
  sender_email: "str",
  sender_full_name: "str",
  sender_realm_str: "str",
  recipient_id: "int",
  avatar_url: "str?",
  client: "str",
  subject: "str",
  topic_links: list(LINK),
  content: "str",
  content_type: oneOf("text/html", "text/x-markdown"),
  timestamp: "secs",
  is_me_message: "bool",
  reactions: list(REACTION),
  submessages: list(SUBMESSAGE),
  "last_edit_timestamp?": "secs",
  "last_moved_timestamp?": "secs",
  "edit_history?": list(EDIT),
};
const RECEIVER: Fields = { id: "int", email: "str", full_name: "str", is_mirror_dummy: "bool" };

const inEitherPlace = (more: Fields) =>
  either(
    {
      ...MESSAGE_ALIKE,
      ...more,
      type: oneOf("stream"),
      display_recipient: "str",
      stream_id: "int",
    },
    { ...MESSAGE_ALIKE, ...more, type: oneOf("private"), display_recipient: list(RECEIVER) },
  );
export const FLAGS = list(
  oneOf(
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
export const TOLD_MESSAGE = inEitherPlace({});
export const FETCHED_MESSAGE = inEitherPlace({ flags: FLAGS });
export const FOUND_MESSAGE = inEitherPlace({
  flags: FLAGS,
  ...optional({ match_content: "str", match_subject: "str" }),
});
