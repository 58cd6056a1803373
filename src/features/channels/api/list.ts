// Endpoints that read channels: the list, a single channel, and its subscribers.
import Type from "typebox";
import { channelShape } from "../../../contract/shapes/channels.ts";
import { list } from "../../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, int, JsonText, openEndpoint, text } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { Channel } from "../../../schema/records.ts";
import { accessUser } from "../../people/access.ts";
import { isGuest, SPECTATOR, type Viewer } from "../../rights/rules.ts";
import {
  accessAsViewer,
  accessChannel,
  accessContentByName,
  canReadChannel,
  canSeeChannel,
  isSubscribed,
} from "../access.ts";
import { channelsByName } from "../snapshot.ts";
import { answerOf, channelTexts } from "../json-cache.ts";
import { channelObject, subscriberIds } from "../wire.ts";

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

type ListOptions = { [name in keyof typeof listParams]: boolean };

export const getChannels = openEndpoint({
  summary: "List channels",
  tag: "Channels",
  params: listParams,
  answer: Type.Object({
    streams: list(
      Type.Object({ ...channelShape.properties, is_default: Type.Optional(Type.Boolean()) }),
    ),
  }),
  run: ({ realm: { read }, user }, options) => {
    const viewer = accessAsViewer(read, user);
    const channels = channelsByName(read).filter((channel) => {
      if (channel.is_archived && options.exclude_archived) return false;
      if (options.include_owner_subscribed && isOwnerSubscribed(read, viewer, channel)) return true;
      return matchesOptions(read, viewer, channel, options) && canSeeChannel(read, viewer, channel);
    });
    const texts = channelTexts(read, viewer, channels);
    const included = options.include_default
      ? texts.map(
          (text, index) => `${text.slice(0, -1)},"is_default":${channels[index]!.is_default}}`,
        )
      : texts;
    return new JsonText(answerOf("streams", included));
  },
});

export const getChannel = endpoint({
  summary: "Fetch a channel",
  tag: "Channels",
  params: { stream_id: int },
  answer: Type.Object({ stream: channelShape }),
  run: ({ realm: { read }, user }, { stream_id }) => ({
    stream: channelObject(read, accessChannel(read, user, stream_id)),
  }),
});

export const getChannelId = endpoint({
  summary: "Get a channel's ID by its name",
  tag: "Channels",
  params: { stream: text },
  answer: Type.Object({ stream_id: Type.Integer() }),
  run: ({ realm: { read }, user }, { stream }) => ({
    stream_id: accessContentByName(read, user, stream).stream_id,
  }),
});

export const getSubscribers = endpoint({
  summary: "List the subscribers of a channel",
  tag: "Subscriptions",
  params: { stream_id: int },
  answer: Type.Object({ subscribers: list(Type.Integer()) }),
  run: ({ realm: { read }, user }, { stream_id }) => {
    accessChannel(read, user, stream_id);
    return { subscribers: subscriberIds(read, stream_id) };
  },
});

export const getIsSubscribed = endpoint({
  summary: "Get whether a user is subscribed to a channel",
  tag: "Subscriptions",
  params: { user_id: int, stream_id: int },
  answer: Type.Object({ is_subscribed: Type.Boolean() }),
  run: ({ realm: { read }, user }, { user_id, stream_id }) => {
    const person = accessUser(read, user, user_id);
    accessChannel(read, user, stream_id);
    return { is_subscribed: isSubscribed(read, person.user_id, stream_id) };
  },
});

/** Channels that both users may see. */
export const getChannelsOfUser = endpoint({
  summary: "List the channels that a user is subscribed to",
  tag: "Subscriptions",
  params: { user_id: int },
  answer: Type.Object({ subscribed_channel_ids: list(Type.Integer()) }),
  run: ({ realm: { read }, user }, { user_id }) => {
    accessUser(read, user, user_id);
    const subs = read.subscriptions.listBy("user", user_id).filter((sub) => sub.active);
    const ids = subs
      .map((sub) => sub.stream_id)
      .filter((stream_id) => {
        const channel = read.channels.get(stream_id)!;
        return !channel.is_archived && canSeeChannel(read, user, channel);
      });
    return { subscribed_channel_ids: ids.sort((a, b) => a - b) };
  },
});

function matchesOptions(
  reader: Reader,
  viewer: Viewer,
  channel: Channel,
  options: ListOptions,
): boolean {
  const { stream_id } = channel;
  if (options.include_all || options.include_all_active) return true;
  if (options.include_web_public && channel.is_web_public) return true;
  if (options.include_can_access_content && canReadChannel(reader, viewer, channel)) return true;
  if (viewer === SPECTATOR) return options.include_public;
  if (options.include_public && !channel.invite_only && !isGuest(viewer)) return true;
  return options.include_subscribed && isSubscribed(reader, viewer.user_id, stream_id);
}

/** A bot may see the channels to which its owner is subscribed. */
function isOwnerSubscribed(reader: Reader, viewer: Viewer, { stream_id }: Channel): boolean {
  if (viewer === SPECTATOR || viewer.bot_owner_id === null) return false;
  return isSubscribed(reader, viewer.bot_owner_id, stream_id);
}
