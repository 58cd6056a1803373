// The acting user, as the permission rules that clients share expect it.
import type { Reader } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { mayAdminister } from "../../channels/access.ts";
import { may, mayInChannel } from "../../rights/access.ts";
import type { Actor } from "../permission-rules.ts";
import { mayWithOwner } from "./may-send.ts";

export function actorOf(reader: Reader, user: User): Actor<Channel> {
  return {
    user_id: user.user_id,
    role: user.role,
    now: reader.now,
    limits: reader.settings,
    may: (name) => may(reader, user, name),
    mayIn: (channel, name) => mayInChannel(reader, user, channel, name),
    mayAdminister: (channel) => mayAdminister(reader, user, channel),
    mayPostIn: (channel) => mayWithOwner(reader, user, channel, "can_send_message_group"),
  };
}
