// Whether all readers of one channel have access to another.
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../schema/records.ts";
import { isGuest } from "../rights/rules.ts";
import { canReadChannel, canSeeChannel } from "./access.ts";

type HasAccess = typeof canReadChannel;

/** Whether all readers of `channel` can see the name of `other`. */
export const allReadersSee = (reader: Reader, channel: Channel, other: Channel): boolean =>
  allHaveAccess(reader, channel, other, canSeeChannel);

/** Whether all readers of `channel` can read `other`, and so see its topics. */
export const allReadersRead = (reader: Reader, channel: Channel, other: Channel): boolean =>
  allHaveAccess(reader, channel, other, canReadChannel);

/** Guests and visitors without an account can read web-public channels. */
function allHaveAccess(
  reader: Reader,
  channel: Channel,
  other: Channel,
  hasAccess: HasAccess,
): boolean {
  if (channel.stream_id === other.stream_id || other.is_web_public) return true;
  if (channel.is_web_public) return false;
  if (!other.invite_only) return guestsHaveAccess(reader, channel, other, hasAccess);
  for (const user of reader.users.range()) {
    if (!user.is_active || user.is_system_bot || !canReadChannel(reader, user, channel)) continue;
    if (!hasAccess(reader, user, other)) return false;
  }
  return true;
}

/** A public channel is hidden only from guests who are not subscribed. */
function guestsHaveAccess(
  reader: Reader,
  channel: Channel,
  other: Channel,
  hasAccess: HasAccess,
): boolean {
  return reader.subscriptions.listBy("subscribers", channel.stream_id).every(({ user_id }) => {
    const user = reader.users.get(user_id);
    return !user || !isGuest(user) || hasAccess(reader, user, other);
  });
}
