// Whether everyone who reads one channel may know of another.
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../schema/records.ts";
import { isGuest } from "../rights/rules.ts";
import { canReadChannel, canSeeChannel } from "./access.ts";

/** Guests and people without an account may read a channel that is on the web. */
export function allReadersSee(reader: Reader, read: Channel, seen: Channel): boolean {
  if (read.stream_id === seen.stream_id || seen.is_web_public) return true;
  if (read.is_web_public) return false;
  return seen.invite_only ? everyReaderSees(reader, read, seen) : guestsSee(reader, read, seen);
}

function everyReaderSees(reader: Reader, read: Channel, seen: Channel): boolean {
  for (const user of reader.users.range()) {
    if (!user.is_active || user.is_system_bot || !canReadChannel(reader, user, read)) continue;
    if (!canSeeChannel(reader, user, seen)) return false;
  }
  return true;
}

/** A public channel is hidden from guests who are not subscribed, and from them alone. */
function guestsSee(reader: Reader, read: Channel, seen: Channel): boolean {
  return reader.subscriptions.by("subscribers", read.stream_id).every(({ user_id }) => {
    const user = reader.users.get(user_id);
    return !user || !isGuest(user) || canSeeChannel(reader, user, seen);
  });
}
