// Changes a channel's privacy.
import {
  channelContentRequired,
  channelKindInvalid,
  channelTopicsMustBeOpen,
  defaultChannelPrivate,
  insufficientPermission,
  moderationChannelPublic,
  webPublicChannelsOff,
} from "../../../contract/errors/channels.ts";
import type { Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { systemGroupId } from "../../rights/access.ts";
import { accessToAdminister, canReadChannel, canCreateChannel } from "../access.ts";
import { privacyChange } from "../bot-messages.ts";
import { isInDefaultGroup } from "../default-groups/actions.ts";
import { isProtected, type Privacy, privacyOf } from "../rules.ts";
import { hasWebChannels } from "../spectator-wire.ts";
import { channelChanged } from "../wire.ts";
import { changeVisibility, postChannelNotice } from "./change.ts";

interface RequestedPrivacy {
  is_private?: boolean | undefined;
  is_web_public?: boolean | undefined;
  history_public_to_subscribers?: boolean | undefined;
}

export function setPrivacy(
  tx: Writer,
  user: User,
  stream_id: number,
  requested: RequestedPrivacy,
): void {
  const channel = accessToAdminister(tx, user, stream_id);
  const kind = requestedKind(channel, requested);
  if (!kind) throw channelKindInvalid();
  if (isSameKind(channel, kind)) return;
  const isDefault = channel.is_default || isInDefaultGroup(tx, stream_id);
  if (kind.invite_only && isDefault) throw defaultChannelPrivate();
  if (!kind.invite_only && tx.settings.moderation_request_channel_id === stream_id) {
    throw moderationChannelPublic();
  }
  if (!canReadChannel(tx, user, channel)) throw channelContentRequired();
  if (!canCreateChannel(tx, user, kind)) throw insufficientPermission();
  if (kind.is_web_public && !hasWebChannels(tx)) throw webPublicChannelsOff();
  const everyone = systemGroupId(tx, "role:everyone");
  if (isProtected(kind) && channel.can_create_topic_group !== everyone) {
    throw channelTopicsMustBeOpen();
  }

  const { invite_only, ...otherFields } = kind;
  changeVisibility(tx, channel, { ...channel, ...kind }, (gainedIds) => {
    const event = channelChanged(channel, "invite_only", invite_only, otherFields);
    tx.emit(event, {
      to: "viewers",
      stream_id,
      ...(gainedIds.length > 0 && { except: gainedIds }),
    });
  });
  postChannelNotice(tx, stream_id, privacyChange(user, channel, kind));
}

/** Properties that the request omits stay as they are, if the combination is valid. */
function requestedKind(channel: Channel, requested: RequestedPrivacy): Privacy | undefined {
  const invite_only =
    requested.is_private ?? (requested.is_web_public ? false : channel.invite_only);
  const is_web_public = requested.is_web_public ?? (channel.is_web_public && !invite_only);
  const retained =
    invite_only === channel.invite_only ? channel.history_public_to_subscribers : undefined;
  return privacyOf(invite_only, is_web_public, requested.history_public_to_subscribers ?? retained);
}

const isSameKind = (privacy: Privacy, other: Privacy) =>
  privacy.invite_only === other.invite_only &&
  privacy.is_web_public === other.is_web_public &&
  privacy.history_public_to_subscribers === other.history_public_to_subscribers;
