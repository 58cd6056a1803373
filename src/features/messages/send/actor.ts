// The acting user, as the permission rules that clients share expect it.
import type { Reader } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { canAdminister } from "../../channels/access.ts";
import { hasPermission, hasChannelPermission } from "../../rights/access.ts";
import type { Actor } from "../permission-rules.ts";
import { hasPermissionWithOwner } from "./can-send.ts";

export function actorOf(reader: Reader, user: User): Actor<Channel> {
  return {
    user_id: user.user_id,
    role: user.role,
    now: reader.now,
    limits: reader.settings,
    hasPermission: (name) => hasPermission(reader, user, name),
    hasChannelPermission: (channel, name) => hasChannelPermission(reader, user, channel, name),
    canAdminister: (channel) => canAdminister(reader, user, channel),
    canPostIn: (channel) => hasPermissionWithOwner(reader, user, channel, "can_send_message_group"),
  };
}
