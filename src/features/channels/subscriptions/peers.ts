// Tells others about a user's subscriptions to many channels with few events.
import type { Audience } from "../../../contract/events.ts";
import type { Writer } from "../../../realm.ts";
import type { Channel } from "../../../schema/records.ts";
import { canSeeChannel } from "../access.ts";
import type { peersAdded } from "../wire.ts";

/**
 * Emits that a user subscribed to these channels or unsubscribed from them: one event for all
 * public channels instead of one each. Returns a function that maps a channel to the number of its
 * event.
 */
export function emitPeerEvents(
  tx: Writer,
  makeEvent: typeof peersAdded,
  stream_ids: readonly number[],
  user_id: number,
): (stream_id: number) => number {
  const except = [user_id];
  const numbers = new Map<number, number>();
  const emit = (channels: readonly Channel[], audience: Audience) => {
    if (channels.length === 0) return;
    const ids = channels.map(({ stream_id }) => stream_id);
    const seq = tx.emit(makeEvent(ids, [user_id]), audience);
    for (const id of ids) numbers.set(id, seq);
  };
  const channels = stream_ids.map((id) => tx.channels.get(id)!);
  const { web = [], members = [], hidden = [] } = Object.groupBy(channels, privacyOf);
  emit(web, { to: "realm", except });
  const guests = members.length > 0 ? tx.users.listBy("guests", 1) : [];
  // The guests of this moment: a role that changes in the same commit must not hide the event.
  const guestIds = guests.map((guest) => guest.user_id);
  const others = [...new Set([user_id, ...guestIds])].sort((a, b) => a - b);
  emit(members, { to: "realm", except: others });
  for (const channel of hidden) {
    emit([channel], { to: "peers", stream_id: channel.stream_id, except });
  }
  const openToMembers = new Set(members);
  for (const guest of guests) {
    if (guest.user_id === user_id || !guest.is_active) continue;
    const visible = tx.subscriptions
      .listBy("user", guest.user_id)
      .map(({ stream_id }) => tx.channels.get(stream_id)!)
      .filter((channel) => openToMembers.has(channel) && canSeeChannel(tx, guest, channel))
      .map(({ stream_id }) => stream_id);
    if (visible.length === 0) continue;
    tx.emit(makeEvent(visible, [user_id]), { to: "people", user_ids: [guest.user_id] });
  }
  return (stream_id) => numbers.get(stream_id)!;
}

function privacyOf({ is_web_public, invite_only }: Channel): "web" | "members" | "hidden" {
  if (is_web_public) return "web";
  return invite_only ? "hidden" : "members";
}
