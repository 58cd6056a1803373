// Looking channels up: the list of them, one of them, and who is subscribed.
import { bool, defaulted, endpoint, int, text } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, User } from "../../records.ts";
import { accessUser } from "../users/access.ts";
import { isGuest } from "../users/rules.ts";
import {
  accessChannel,
  accessContentByName,
  canReadChannel,
  canSeeChannel,
  isSubscribed,
} from "./access.ts";
import { byName } from "./snapshot.ts";
import { channelObject, subscriberIds } from "./wire.ts";

const listParams = {
  include_public: defaulted(bool, true),
  include_web_public: defaulted(bool, false),
  include_subscribed: defaulted(bool, true),
  exclude_archived: defaulted(bool, true),
  include_all: defaulted(bool, false),
  include_all_active: defaulted(bool, false),
  include_default: defaulted(bool, false),
  include_owner_subscribed: defaulted(bool, false),
  include_can_access_content: defaulted(bool, false),
};

type Wanted = { [name in keyof typeof listParams]: boolean };

export const getChannels = endpoint({
  params: listParams,
  run: ({ realm: { read }, user }, wanted) => {
    const channels = [...read.channels.range()].filter((channel) => {
      if (channel.is_archived && wanted.exclude_archived) return false;
      return isWanted(read, user, channel, wanted) && canSeeChannel(read, user, channel);
    });
    return {
      streams: byName(channels).map((channel) => ({
        ...channelObject(read, channel),
        ...(wanted.include_default && { is_default: channel.is_default }),
      })),
    };
  },
});

export const getChannel = endpoint({
  params: { stream_id: int },
  run: ({ realm: { read }, user }, { stream_id }) => ({
    stream: channelObject(read, accessChannel(read, user, stream_id)),
  }),
});

export const getChannelId = endpoint({
  params: { stream: text },
  run: ({ realm: { read }, user }, { stream }) => ({
    stream_id: accessContentByName(read, user, stream).stream_id,
  }),
});

export const getSubscribers = endpoint({
  params: { stream_id: int },
  run: ({ realm: { read }, user }, { stream_id }) => {
    accessChannel(read, user, stream_id);
    return { subscribers: subscriberIds(read, stream_id) };
  },
});

export const getIsSubscribed = endpoint({
  params: { user_id: int, stream_id: int },
  run: ({ realm: { read }, user }, { user_id, stream_id }) => {
    const person = accessUser(read, user, user_id);
    accessChannel(read, user, stream_id);
    return { is_subscribed: isSubscribed(read, person.user_id, stream_id) };
  },
});

/** The channels that both may know of. */
export const getChannelsOfUser = endpoint({
  params: { user_id: int },
  run: ({ realm: { read }, user }, { user_id }) => {
    accessUser(read, user, user_id);
    const subs = read.subscriptions.by("user", user_id).filter((sub) => sub.active);
    const ids = subs
      .map((sub) => sub.stream_id)
      .filter((stream_id) => {
        const channel = read.channels.get(stream_id)!;
        return !channel.is_archived && canSeeChannel(read, user, channel);
      });
    return { subscribed_channel_ids: ids.sort((a, b) => a - b) };
  },
});

function isWanted(reader: Reader, user: User, channel: Channel, wanted: Wanted): boolean {
  const { stream_id } = channel;
  if (wanted.include_all || wanted.include_all_active) return true;
  if (wanted.include_public && !channel.invite_only && !isGuest(user)) return true;
  if (wanted.include_web_public && channel.is_web_public) return true;
  if (wanted.include_subscribed && isSubscribed(reader, user.user_id, stream_id)) return true;
  if (wanted.include_can_access_content && canReadChannel(reader, user, channel)) return true;
  if (!wanted.include_owner_subscribed || user.bot_owner_id === null) return false;
  return isSubscribed(reader, user.bot_owner_id, stream_id);
}
