// Looking channels up: the list of them, one of them, and who is subscribed.
import { bool, defaulted, endpoint, int, JsonText, openEndpoint, text } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../records.ts";
import { accessUser } from "../users/access.ts";
import { isGuest, SPECTATOR, type Viewer } from "../users/rules.ts";
import {
  accessAsViewer,
  accessChannel,
  accessContentByName,
  canReadChannel,
  canSeeChannel,
  isSubscribed,
} from "./access.ts";
import { channelsByName } from "./snapshot.ts";
import { answerOf, channelTexts } from "./text.ts";
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

export const getChannels = openEndpoint({
  params: listParams,
  run: ({ realm: { read }, user }, wanted) => {
    const viewer = accessAsViewer(read, user);
    const channels = channelsByName(read).filter((channel) => {
      if (channel.is_archived && wanted.exclude_archived) return false;
      return isWanted(read, viewer, channel, wanted) && canSeeChannel(read, viewer, channel);
    });
    const texts = channelTexts(read, viewer, channels);
    const told = wanted.include_default
      ? texts.map((text, at) => `${text.slice(0, -1)},"is_default":${channels[at]!.is_default}}`)
      : texts;
    return new JsonText(answerOf("streams", told));
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

function isWanted(reader: Reader, viewer: Viewer, channel: Channel, wanted: Wanted): boolean {
  const { stream_id } = channel;
  if (wanted.include_all || wanted.include_all_active) return true;
  if (wanted.include_web_public && channel.is_web_public) return true;
  if (wanted.include_can_access_content && canReadChannel(reader, viewer, channel)) return true;
  if (viewer === SPECTATOR) return wanted.include_public;
  if (wanted.include_public && !channel.invite_only && !isGuest(viewer)) return true;
  if (wanted.include_subscribed && isSubscribed(reader, viewer.user_id, stream_id)) return true;
  if (!wanted.include_owner_subscribed || viewer.bot_owner_id === null) return false;
  return isSubscribed(reader, viewer.bot_owner_id, stream_id);
}
