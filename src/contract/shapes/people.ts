// Schemas of users, bots and groups.
import Type from "typebox";
import { dict, unionOf, list, nullable, choice, partial, seconds } from "./value-types.ts";
import { EMOJI_TYPES } from "./messages.ts";
import { granted, grantedShape } from "./rights.ts";

export const roleShape = choice(100, 200, 300, 400, 600);

const profileShape = dict(
  Type.Object({ value: Type.String(), rendered_value: Type.Optional(Type.String()) }),
);

/** A user or bot. Whether it is active follows from the list of the snapshot that contains it. */
export const accountShape = Type.Object({
  user_id: Type.Integer(),
  email: Type.String(),
  delivery_email: nullable(Type.String()),
  full_name: Type.String(),
  date_joined: Type.String(),
  is_active: Type.Optional(Type.Boolean()),
  is_owner: Type.Boolean(),
  is_admin: Type.Boolean(),
  is_guest: Type.Boolean(),
  is_bot: Type.Boolean(),
  role: roleShape,
  // Spectators do not receive this field.
  timezone: Type.Optional(Type.String()),
  avatar_url: Type.Optional(nullable(Type.String())),
  avatar_version: Type.Integer(),
  is_imported_stub: Type.Boolean(),
  is_deleted: Type.Optional(Type.Literal(true)),
  profile_data: Type.Optional(profileShape),
  bot_type: Type.Optional(nullable(Type.Integer())),
  bot_owner_id: Type.Optional(nullable(Type.Integer())),
  is_system_bot: Type.Optional(Type.Literal(true)),
});

export const memberShape = Type.Object({ ...accountShape.properties, is_active: Type.Boolean() });

export const groupGrantsShape = Type.Object(
  granted(
    "can_add_members",
    "can_join",
    "can_leave",
    "can_manage",
    "can_mention",
    "can_remove_members",
  ),
);

export const groupShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  is_system_group: Type.Boolean(),
  members: list(Type.Integer()),
  direct_subgroup_ids: list(Type.Integer()),
  deactivated: Type.Boolean(),
  date_created: nullable(seconds),
  creator_id: nullable(Type.Integer()),
  ...groupGrantsShape.properties,
});

export const botDefaultsShape = Type.Object({
  default_sending_stream: nullable(Type.String()),
  default_events_register_stream: nullable(Type.String()),
  default_all_public_streams: Type.Boolean(),
  can_notify: unionOf(grantedShape, Type.Literal("everyone")),
});

export const botServicesShape = list(
  unionOf(
    Type.Object({ base_url: Type.String(), interface: choice(1, 2), token: Type.String() }),
    Type.Object({ service_name: Type.String(), config_data: dict(Type.String()) }),
  ),
);

export const userStatusShape = Type.Object(
  partial({
    away: Type.Boolean(),
    status_text: Type.String(),
    emoji_name: Type.String(),
    emoji_code: Type.String(),
    reaction_type: choice("", ...EMOJI_TYPES),
  }),
);

const clientPresenceShape = Type.Object({
  client: Type.String(),
  status: choice("active", "idle"),
  timestamp: seconds,
});

export const websitePresenceShape = Type.Object({
  website: Type.Object({ ...clientPresenceShape.properties, pushable: Type.Literal(false) }),
});

export const legacyPresenceShape = Type.Object({
  ...websitePresenceShape.properties,
  aggregated: clientPresenceShape,
});

export const modernPresenceShape = Type.Object({
  active_timestamp: seconds,
  idle_timestamp: seconds,
});

const invitedShape = Type.Object({
  id: Type.Integer(),
  invited_by_user_id: Type.Integer(),
  invited: seconds,
  expiry_date: nullable(seconds),
  invited_as: roleShape,
});

/** An invitation by email, or a link that many users can use. */
export const invitationShape = unionOf(
  Type.Object({
    ...invitedShape.properties,
    is_multiuse: Type.Literal(false),
    email: Type.String(),
    notify_referrer_on_join: Type.Boolean(),
    link_url: Type.Optional(nullable(Type.String())),
  }),
  Type.Object({
    ...invitedShape.properties,
    is_multiuse: Type.Literal(true),
    link_url: nullable(Type.String()),
  }),
);
