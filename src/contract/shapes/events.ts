// Schemas of all events, by type and op.
import Type from "typebox";
import { exportShape } from "./exports.ts";
import {
  channelShape,
  defaultGroupShape,
  folderShape,
  membershipShape,
  topicPolicyShape,
} from "./channels.ts";
import {
  attachmentShape,
  draftShape,
  reminderShape,
  scheduledShape,
  snippetShape,
} from "./personal.ts";
import {
  changeOf,
  dict,
  unionOf,
  list,
  nothing,
  nullable,
  choice,
  partial,
  seconds,
} from "./value-types.ts";
import { emojiTypeShape, flagsShape, linkShape, sentMessageShape } from "./messages.ts";
import {
  customEmojiShape,
  domainShape,
  linkifierShape,
  navigationViewShape,
  onboardingStepShape,
  playgroundShape,
  profileFieldShape,
  sidebarOrderShape,
} from "./organization.ts";
import {
  accountShape,
  botDefaultsShape,
  botServicesShape,
  groupGrantsShape,
  groupShape,
  modernPresenceShape,
  roleShape,
  userStatusShape,
  websitePresenceShape,
} from "./people.ts";
import { realmUpdatedShape, realmUpdatedTogetherShape } from "./realm-settings.ts";

const reactionShape = Type.Object({
  user_id: Type.Integer(),
  message_id: Type.Integer(),
  emoji_name: Type.String(),
  emoji_code: Type.String(),
  reaction_type: emojiTypeShape,
  user: Type.Object({
    user_id: Type.Integer(),
    email: Type.String(),
    full_name: Type.String(),
  }),
});

const addressedShape = Type.Object({ user_id: Type.Integer(), email: Type.String() });

const typingShape = unionOf(
  Type.Object({
    message_type: Type.Literal("direct"),
    sender: addressedShape,
    recipients: list(addressedShape),
  }),
  Type.Object({
    message_type: Type.Literal("stream"),
    sender: addressedShape,
    stream_id: Type.Integer(),
    topic: Type.String(),
  }),
);

const typingOnEditShape = Type.Object({
  sender_id: Type.Integer(),
  message_id: Type.Integer(),
  recipient: unionOf(
    Type.Object({
      type: Type.Literal("channel"),
      channel_id: Type.Integer(),
      topic: Type.String(),
    }),
    Type.Object({ type: Type.Literal("direct"), user_ids: list(Type.Integer()) }),
  ),
});

const fileShape = Type.Object({ attachment: attachmentShape, upload_space_used: Type.Integer() });

const placeShape = Type.Object({ stream_id: Type.Integer(), topic: Type.String() });

const messageIds = { message_ids: list(Type.Integer()) };
const deletedMessage = { message_id: Type.Integer() };
const inChannel = { ...placeShape.properties, message_type: Type.Literal("stream") };
const direct = { message_type: Type.Literal("private") };
const deletedShape = unionOf(
  Type.Object({ ...messageIds, ...inChannel }),
  Type.Object({ ...messageIds, ...direct }),
  Type.Object({ ...deletedMessage, ...inChannel }),
  Type.Object({ ...deletedMessage, ...direct }),
);

const flaggedShape = Type.Object({ flag: Type.String(), messages: list(Type.Integer()) });

const unreadShape = Type.Object({
  ...partial({ mentioned: Type.Literal(true), unmuted_stream_msg: Type.Boolean() }),
});

const changedShape = Type.Object({
  edit_timestamp: seconds,
  message_id: Type.Integer(),
  message_ids: list(Type.Integer()),
  flags: flagsShape,
});

const editedShape = Type.Object({
  ...changedShape.properties,
  user_id: Type.Integer(),
  rendering_only: Type.Literal(false),
});

const wasInShape = Type.Object({ stream_name: Type.String(), stream_id: Type.Integer() });

const newlyShape = Type.Object({
  content: Type.String(),
  rendered_content: Type.String(),
  is_me_message: Type.Boolean(),
});

const rewordedShape = Type.Object({
  ...newlyShape.properties,
  orig_content: Type.String(),
  orig_rendered_content: Type.String(),
});

const movedShape = Type.Object({
  ...editedShape.properties,
  ...wasInShape.properties,
  // For users who can see only the destination channel, `stream_name` is absent, `stream_id` is 0
  // and `orig_subject` is the new topic.
  stream_name: Type.Optional(Type.String()),
  propagate_mode: choice("change_one", "change_later", "change_all"),
  orig_subject: Type.String(),
});

const retitledShape = Type.Object({
  ...movedShape.properties,
  subject: Type.String(),
  topic_links: list(linkShape),
});

const rerenderedShape = Type.Object({
  ...changedShape.properties,
  ...newlyShape.properties,
  user_id: Type.Null(),
  rendering_only: Type.Literal(true),
});

const changedMessageShape = unionOf(
  Type.Object({ ...editedShape.properties, ...rewordedShape.properties }),
  Type.Object({ ...editedShape.properties, ...wasInShape.properties, ...rewordedShape.properties }),
  Type.Object({ ...retitledShape.properties, new_stream_id: Type.Optional(Type.Integer()) }),
  Type.Object({ ...retitledShape.properties, ...rewordedShape.properties }),
  Type.Object({ ...movedShape.properties, new_stream_id: Type.Integer() }),
  rerenderedShape,
  Type.Object({ ...rerenderedShape.properties, ...wasInShape.properties }),
);

const fieldValueShape = Type.Object({
  id: Type.Integer(),
  value: nullable(Type.String()),
  rendered_value: Type.Optional(Type.String()),
});

const personChangeShape = unionOf(
  Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
  Type.Object({
    user_id: Type.Integer(),
    avatar_url: nullable(Type.String()),
    avatar_source: choice("G", "J", "U"),
    avatar_url_medium: nullable(Type.String()),
    avatar_version: Type.Integer(),
  }),
  Type.Object({ user_id: Type.Integer(), email: Type.String(), timezone: Type.String() }),
  Type.Object({ user_id: Type.Integer(), bot_owner_id: nullable(Type.Integer()) }),
  Type.Object({ user_id: Type.Integer(), role: roleShape }),
  Type.Object({ user_id: Type.Integer(), delivery_email: nullable(Type.String()) }),
  Type.Object({ user_id: Type.Integer(), custom_profile_field: fieldValueShape }),
  Type.Object({ user_id: Type.Integer(), new_email: Type.String() }),
  Type.Object({ user_id: Type.Integer(), is_active: Type.Boolean() }),
  Type.Object({ user_id: Type.Integer(), is_imported_stub: Type.Literal(false) }),
  Type.Object({ user_id: Type.Integer(), is_deleted: Type.Literal(true) }),
  Type.Object({ user_id: Type.Integer(), date_joined: Type.String() }),
);

const channelChangeShape = Type.Object({ stream_id: Type.Integer(), name: Type.String() });

const groupMembersShape = Type.Object({ group_id: Type.Integer(), user_ids: list(Type.Integer()) });

const subgroupsShape = Type.Object({
  group_id: Type.Integer(),
  direct_subgroup_ids: list(Type.Integer()),
});

const peersShape = Type.Object({
  stream_ids: list(Type.Integer()),
  user_ids: list(Type.Integer()),
});

const settingShape = unionOf(Type.Boolean(), Type.Integer(), Type.String());

const { description: _, invite_only: __, ...plainFields } = channelShape.properties;

export const eventShapes = {
  alert_words: Type.Object({ alert_words: list(Type.String()) }),
  "attachment/add": fileShape,
  "attachment/update": fileShape,
  "attachment/remove": Type.Object({
    attachment: Type.Object({ id: Type.Integer() }),
    upload_space_used: Type.Integer(),
  }),
  "channel_folder/add": Type.Object({ channel_folder: folderShape }),
  "channel_folder/update": Type.Object({
    channel_folder_id: Type.Integer(),
    data: Type.Object(
      partial({
        name: Type.String(),
        description: Type.String(),
        rendered_description: Type.String(),
        is_archived: Type.Boolean(),
      }),
    ),
  }),
  "channel_folder/reorder": Type.Object({ order: list(Type.Integer()) }),
  custom_profile_fields: Type.Object({ fields: list(profileFieldShape) }),
  default_stream_groups: Type.Object({ default_stream_groups: list(defaultGroupShape) }),
  default_streams: Type.Object({ default_streams: list(Type.Integer()) }),
  delete_message: deletedShape,
  "device/add": Type.Object({ device_id: Type.Integer() }),
  "device/remove": Type.Object({ device_id: Type.Integer() }),
  "device/update": Type.Object({
    device_id: Type.Integer(),
    ...partial({
      push_key_id: nullable(Type.Integer()),
      push_token_id: nullable(Type.String()),
      pending_push_token_id: nullable(Type.String()),
      push_token_last_updated_timestamp: nullable(seconds),
      push_registration_error_code: nullable(Type.String()),
    }),
  }),
  "drafts/add": Type.Object({ drafts: list(draftShape) }),
  "drafts/update": Type.Object({ draft: draftShape }),
  "drafts/remove": Type.Object({ draft_id: Type.Integer() }),
  heartbeat: nothing,
  invites_changed: nothing,
  message: Type.Object({
    message: sentMessageShape,
    flags: flagsShape,
    local_message_id: Type.Optional(Type.String()),
  }),
  muted_topics: Type.Object({ muted_topics: list(list(unionOf(Type.String(), Type.Integer()))) }),
  muted_users: Type.Object({
    muted_users: list(Type.Object({ id: Type.Integer(), timestamp: seconds })),
  }),
  "navigation_view/add": Type.Object({ navigation_view: navigationViewShape }),
  "navigation_view/update": Type.Object({
    fragment: Type.String(),
    data: Type.Object(partial({ is_pinned: Type.Boolean(), name: nullable(Type.String()) })),
  }),
  "navigation_view/remove": Type.Object({ fragment: Type.String() }),
  onboarding_steps: Type.Object({ onboarding_steps: list(onboardingStepShape) }),
  presence: unionOf(
    Type.Object({ presences: dict(modernPresenceShape) }),
    Type.Object({
      user_id: Type.Integer(),
      server_timestamp: Type.Number(),
      presence: websitePresenceShape,
    }),
    Type.Object({
      user_id: Type.Integer(),
      email: Type.String(),
      server_timestamp: Type.Number(),
      presence: websitePresenceShape,
    }),
  ),
  "reaction/add": reactionShape,
  "reaction/remove": reactionShape,
  "realm/update": realmUpdatedShape,
  "realm/update_dict": realmUpdatedTogetherShape,
  "realm/deactivated": Type.Object({ realm_id: Type.Integer() }),
  "realm_bot/add": Type.Object({
    bot: Type.Object({
      user_id: Type.Integer(),
      ...botDefaultsShape.properties,
      services: botServicesShape,
    }),
  }),
  "realm_bot/update": Type.Object({
    bot: Type.Object({
      user_id: Type.Integer(),
      ...partial({ ...botDefaultsShape.properties, services: botServicesShape }),
    }),
  }),
  "realm_bot/delete": Type.Object({ bot: Type.Object({ user_id: Type.Integer() }) }),
  "realm_domains/add": Type.Object({ realm_domain: domainShape }),
  "realm_domains/change": Type.Object({ realm_domain: domainShape }),
  "realm_domains/remove": Type.Object({ domain: Type.String() }),
  "realm_emoji/add": Type.Object({ emoji: customEmojiShape }),
  "realm_emoji/update_one": Type.Object({
    emoji_id: Type.String(),
    data: Type.Object({ deactivated: Type.Boolean() }),
  }),
  "realm_emoji/update": Type.Object({ realm_emoji: dict(customEmojiShape) }),
  realm_export: Type.Object({ exports: list(exportShape) }),
  realm_export_consent: Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() }),
  realm_linkifiers: Type.Object({ realm_linkifiers: list(linkifierShape) }),
  realm_playgrounds: Type.Object({ realm_playgrounds: list(playgroundShape) }),
  "realm_user/add": Type.Object({
    person: Type.Object({ ...accountShape.properties, is_active: Type.Boolean() }),
  }),
  "realm_user/remove": Type.Object({
    person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
  }),
  "realm_user/update": Type.Object({ person: personChangeShape }),
  "realm_user_settings_defaults/update": Type.Object({
    property: Type.String(),
    value: settingShape,
  }),
  "reminders/add": Type.Object({ reminders: list(reminderShape) }),
  "reminders/remove": Type.Object({ reminder_id: Type.Integer() }),
  restart: Type.Object({
    zulip_version: Type.String(),
    zulip_merge_base: Type.String(),
    zulip_feature_level: Type.Integer(),
    service_version: Type.String(),
    service_merge_base: Type.String(),
    service_feature_level: Type.Integer(),
    server_generation: seconds,
  }),
  "saved_snippets/add": Type.Object({ saved_snippet: snippetShape }),
  "saved_snippets/update": Type.Object({ saved_snippet: snippetShape }),
  "saved_snippets/remove": Type.Object({ saved_snippet_id: Type.Integer() }),
  "scheduled_messages/add": Type.Object({ scheduled_messages: list(scheduledShape) }),
  "scheduled_messages/update": Type.Object({ scheduled_message: scheduledShape }),
  "scheduled_messages/remove": Type.Object({ scheduled_message_id: Type.Integer() }),
  /** Skein's own event. Clients then request the pins of the channel again. */
  skein_pins: Type.Object({ stream_id: Type.Integer() }),
  /** Skein's own event: the user's order of channels and folders in the sidebar. */
  skein_sidebar_order: sidebarOrderShape,
  /** Skein's own event. Clients then request the notes of the channel's topics again. */
  skein_topic_notes: Type.Object({ stream_id: Type.Integer() }),
  "stream/create": Type.Object({ streams: list(channelShape) }),
  "stream/delete": Type.Object({
    stream_ids: list(Type.Integer()),
    streams: list(Type.Object({ stream_id: Type.Integer() })),
  }),
  "stream/update": unionOf(
    Type.Object({
      ...channelChangeShape.properties,
      property: Type.Literal("description"),
      value: Type.String(),
      rendered_description: Type.String(),
    }),
    Type.Object({
      ...channelChangeShape.properties,
      property: Type.Literal("invite_only"),
      value: Type.Boolean(),
      history_public_to_subscribers: Type.Boolean(),
      is_web_public: Type.Boolean(),
    }),
    changeOf(plainFields, channelChangeShape.properties),
  ),
  submessage: Type.Object({
    message_id: Type.Integer(),
    submessage_id: Type.Integer(),
    sender_id: Type.Integer(),
    msg_type: Type.String(),
    content: Type.String(),
  }),
  "subscription/add": Type.Object({
    subscriptions: list(
      Type.Object({ ...membershipShape.properties, subscribers: list(Type.Integer()) }),
    ),
  }),
  "subscription/remove": Type.Object({
    subscriptions: list(Type.Object({ stream_id: Type.Integer(), name: Type.String() })),
  }),
  "subscription/update": Type.Object({
    stream_id: Type.Integer(),
    property: Type.String(),
    value: unionOf(Type.Boolean(), Type.String()),
  }),
  "subscription/peer_add": peersShape,
  "subscription/peer_remove": peersShape,
  "typing/start": typingShape,
  "typing/stop": typingShape,
  "typing_edit_message/start": typingOnEditShape,
  "typing_edit_message/stop": typingOnEditShape,
  update_message: changedMessageShape,
  "update_message_flags/add": Type.Object({
    ...flaggedShape.properties,
    operation: Type.Literal("add"),
    all: Type.Boolean(),
  }),
  "update_message_flags/remove": Type.Object({
    ...flaggedShape.properties,
    operation: Type.Literal("remove"),
    all: Type.Literal(false),
    message_details: Type.Optional(
      dict(
        unionOf(
          Type.Object({
            ...unreadShape.properties,
            type: Type.Literal("stream"),
            ...placeShape.properties,
          }),
          Type.Object({
            ...unreadShape.properties,
            type: Type.Literal("private"),
            user_ids: list(Type.Integer()),
          }),
        ),
      ),
    ),
  }),
  "user_group/add": Type.Object({ group: groupShape }),
  "user_group/update": Type.Object({
    group_id: Type.Integer(),
    data: Type.Object(
      partial({
        name: Type.String(),
        description: Type.String(),
        deactivated: Type.Boolean(),
        ...groupGrantsShape.properties,
      }),
    ),
  }),
  "user_group/add_members": groupMembersShape,
  "user_group/remove_members": groupMembersShape,
  "user_group/add_subgroups": subgroupsShape,
  "user_group/remove_subgroups": subgroupsShape,
  "user_group/remove": Type.Object({ group_id: Type.Integer() }),
  "user_settings/update": Type.Object({
    property: Type.String(),
    value: settingShape,
    language_name: Type.Optional(Type.String()),
  }),
  user_status: Type.Object({ user_id: Type.Integer(), ...userStatusShape.properties }),
  user_topic: Type.Object({
    stream_id: Type.Integer(),
    topic_name: Type.String(),
    last_updated: seconds,
    visibility_policy: topicPolicyShape,
  }),
};
