// Changes a channel's permission settings.
import {
  channelContentRequired,
  channelTopicsMustBeOpen,
  insufficientPermission,
} from "../../../contract/errors/channels.ts";
import type { Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { systemGroupId } from "../../rights/access.ts";
import {
  ABOUT_DELETING,
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
} from "../../rights/permission-rules.ts";
import { shownSetting } from "../../rights/setting-wire.ts";
import { type RequestedSetting, decodeSettingChange } from "../../rights/setting.ts";
import { accessToAdminister, canReadChannel, canSetDeletePolicy } from "../access.ts";
import { postPolicyChange, permittedUsersText } from "../bot-messages.ts";
import { isProtected } from "../rules.ts";
import { channelChanged, legacyPostPolicy } from "../wire.ts";
import { changeVisibility, postChannelNotice } from "./change.ts";

const GRANT_CONTENT: readonly ChannelPermission[] = [
  "can_add_subscribers_group",
  "can_subscribe_group",
];

export function setChannelPermission(
  tx: Writer,
  user: User,
  stream_id: number,
  name: ChannelPermission,
  setting: RequestedSetting,
): void {
  const channel = accessToAdminister(tx, user, stream_id);
  const value = decodeSettingChange(tx, name, CHANNEL_PERMISSIONS[name], channel[name], setting);
  if (value === undefined) return;
  if (GRANT_CONTENT.includes(name) && !canReadChannel(tx, user, channel)) {
    throw channelContentRequired();
  }
  if (ABOUT_DELETING.includes(name) && !canSetDeletePolicy(tx, user)) {
    throw insufficientPermission();
  }
  const isOpen = name !== "can_create_topic_group" || value === systemGroupId(tx, "role:everyone");
  if (isProtected(channel) && !isOpen) throw channelTopicsMustBeOpen();

  changeVisibility(tx, channel, { ...channel, [name]: value }, (gainedIds) => {
    const audience = {
      to: "viewers",
      stream_id,
      ...(gainedIds.length > 0 && { except: gainedIds }),
    } as const;
    tx.emit(channelChanged(channel, name, shownSetting(tx, value)), audience);
    if (name !== "can_send_message_group") return;
    const before = legacyPostPolicy(tx, channel[name]);
    const after = legacyPostPolicy(tx, value);
    for (const property of ["stream_post_policy", "is_announcement_only"] as const) {
      if (before[property] === after[property]) continue;
      tx.emit(channelChanged(channel, property, after[property]), audience);
    }
  });
  if (name !== "can_send_message_group") return;
  const posters = [permittedUsersText(tx, channel[name]), permittedUsersText(tx, value)] as const;
  postChannelNotice(tx, stream_id, postPolicyChange(user, ...posters));
}
