// Schemas of channels, subscriptions and topics.
import Type from "typebox";
import { list, nullable, choice, seconds } from "./value-types.ts";
import { granted } from "./rights.ts";

export const topicPolicyShape = choice(0, 1, 2, 3);

export const channelShape = Type.Object({
  stream_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  rendered_description: Type.String(),
  date_created: seconds,
  creator_id: nullable(Type.Integer()),
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  is_archived: Type.Boolean(),
  folder_id: nullable(Type.Integer()),
  topics_policy: choice("inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"),
  message_retention_days: nullable(Type.Integer()),
  first_message_id: nullable(Type.Integer()),
  is_recently_active: Type.Boolean(),
  subscriber_count: Type.Integer(),
  stream_weekly_traffic: nullable(Type.Integer()),
  stream_post_policy: choice(1, 2, 3, 4),
  is_announcement_only: Type.Boolean(),
  ...granted(
    "can_add_subscribers",
    "can_administer_channel",
    "can_create_topic",
    "can_delete_any_message",
    "can_delete_own_message",
    "can_move_messages_out_of_channel",
    "can_move_messages_within_channel",
    "can_remove_subscribers",
    "can_resolve_topics",
    "can_send_message",
    "can_subscribe",
  ),
});

export const membershipShape = Type.Object({
  ...channelShape.properties,
  color: Type.String(),
  is_muted: Type.Boolean(),
  in_home_view: Type.Boolean(),
  pin_to_top: Type.Boolean(),
  desktop_notifications: nullable(Type.Boolean()),
  audible_notifications: nullable(Type.Boolean()),
  push_notifications: nullable(Type.Boolean()),
  email_notifications: nullable(Type.Boolean()),
  wildcard_mentions_notify: nullable(Type.Boolean()),
  subscribers: Type.Optional(list(Type.Integer())),
  partial_subscribers: Type.Optional(list(Type.Integer())),
});

export const folderShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  rendered_description: Type.String(),
  date_created: nullable(seconds),
  creator_id: nullable(Type.Integer()),
  is_archived: Type.Boolean(),
  order: Type.Integer(),
});

export const defaultGroupShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  streams: list(Type.Integer()),
});
