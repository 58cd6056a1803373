// The register snapshot's users: all visible ones, and the client's own account.
import { CAN } from "../../contract/events.ts";
import { JsonText } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { botObject } from "../bots/defaults.ts";
import { hasWebChannels } from "../channels/spectator-wire.ts";
import { hasPermission } from "../rights/access.ts";
import {
  isAdministrator,
  isGuest,
  isModerator,
  isOwner,
  SPECTATOR,
  type Viewer,
} from "../rights/rules.ts";
import { visibilityTo } from "./access.ts";
import { everyone } from "./everyone-wire.ts";
import { genericAvatarPath } from "../realm/picture-wire.ts";
import { userText } from "./user-texts.ts";
import { avatarUrl, avatarUrlMedium, emailOf, placeholder } from "./wire.ts";

interface Options {
  client_gravatar: boolean;
  /** Bits of events.ts. */
  capabilities: number;
}

/** `realm_user`: the three lists as text, ascending by id, and the viewer's own fields. */
export function usersSnapshot(
  reader: Reader,
  viewer: Viewer,
  { client_gravatar, capabilities }: Options,
): Record<string, unknown> {
  const withStrangers = (capabilities & CAN.user_list_incomplete) === 0;
  const isSeen = visibilityTo(reader, viewer);
  const active: string[] = [];
  const inactive: string[] = [];
  const systemBots: string[] = [];
  for (const user of everyone(reader)) {
    if (user.is_system_bot) {
      systemBots.push(userText(reader, viewer, user, client_gravatar));
    } else if (isSeen(user)) {
      const texts = user.is_active ? active : inactive;
      texts.push(userText(reader, viewer, user, client_gravatar));
    } else if (withStrangers) {
      const { is_active: _, ...listed } = placeholder(reader, user.user_id);
      active.push(JSON.stringify(listed));
    }
  }
  return {
    realm_users: JsonText.ofList(active),
    realm_non_active_users: JsonText.ofList(inactive),
    cross_realm_bots: JsonText.ofList(systemBots),
    ...(viewer === SPECTATOR ? SPECTATOR_FIELDS : ownFields(reader, viewer)),
  };
}

/** `realm_bot`: the user's own bots, or all for administrators. */
export function realmBotsSnapshot(reader: Reader, viewer: User): Record<string, unknown> {
  const bots = isAdministrator(viewer)
    ? everyone(reader).filter((user) => user.bot_type !== null && !user.is_system_bot)
    : reader.users.listBy("owner", viewer.user_id);
  const ids = bots.map((bot) => bot.user_id).toSorted((a, b) => a - b);
  return { realm_bots: ids.map((user_id) => botObject(reader, viewer, user_id)) };
}

function ownFields(reader: Reader, viewer: User): Record<string, unknown> {
  const inPublic = hasPermission(reader, viewer, "can_create_public_channel_group");
  const inPrivate = hasPermission(reader, viewer, "can_create_private_channel_group");
  const onTheWeb =
    hasWebChannels(reader) && hasPermission(reader, viewer, "can_create_web_public_channel_group");
  return {
    user_id: viewer.user_id,
    email: emailOf(reader, viewer),
    full_name: viewer.full_name,
    delivery_email: viewer.delivery_email,
    avatar_source: viewer.avatar_source,
    avatar_url: avatarUrl(viewer, false),
    avatar_url_medium: avatarUrlMedium(viewer),
    is_owner: isOwner(viewer),
    is_admin: isAdministrator(viewer),
    is_moderator: isModerator(viewer),
    is_guest: isGuest(viewer),
    can_create_streams: inPublic || inPrivate,
    can_create_public_streams: inPublic,
    can_create_private_streams: inPrivate,
    can_create_web_public_streams: onTheWeb,
    can_invite_others_to_realm: hasPermission(reader, viewer, "can_invite_users_group"),
  };
}

/** Values for spectators, who have no account. */
const SPECTATOR_FIELDS = {
  user_id: 0,
  email: "",
  full_name: "",
  delivery_email: null,
  avatar_source: "J",
  avatar_url: genericAvatarPath(),
  avatar_url_medium: genericAvatarPath(true),
  is_owner: false,
  is_admin: false,
  is_moderator: false,
  is_guest: true,
  can_create_streams: false,
  can_create_public_streams: false,
  can_create_private_streams: false,
  can_create_web_public_streams: false,
  can_invite_others_to_realm: false,
};
