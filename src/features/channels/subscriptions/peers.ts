// Tells others about a user's subscriptions to many channels with few events.
import type { Audience } from "../../../contract/events.ts";
import type { Writer } from "../../../realm.ts";
import type { Channel } from "../../../schema/records.ts";
import { canSeeChannel } from "../access.ts";
import type { peersAdded } from "../wire.ts";

/**
 * Emits that a user subscribed to these channels or unsubscribed from them: one event for all
 * public channels, instead of one each. Returns a function for the number of a channel's event.
 */
export function emitPeer(
  tx: Writer,
  event: typeof peersAdded,
  stream_ids: readonly number[],
  user_id: number,
): (stream_id: number) => number {
  const except = [user_id];
  const numbers = new Map<number, number>();
  const emit = (channels: readonly Channel[], audience: Audience) => {
    if (channels.length === 0) return;
    const ids = channels.map(({ stream_id }) => stream_id);
    const seq = tx.emit(event(ids, [user_id]), audience);
    for (const id of ids) numbers.set(id, seq);
  };
  const channels = stream_ids.map((id) => tx.channels.get(id)!);
  const kinds = Object.groupBy(channels, kindOf);
  emit(kinds.web ?? [], { to: "realm", except });
  emit(kinds.members ?? [], { to: "members", except });
  for (const channel of kinds.private ?? []) {
    emit([channel], { to: "peers", stream_id: channel.stream_id, except });
  }
  const forGuests = new Set(kinds.members?.map(({ stream_id }) => stream_id));
  for (const guest of forGuests.size > 0 ? tx.users.listBy("guests", 1) : []) {
    if (guest.user_id === user_id || !guest.is_active) continue;
    const visible = tx.subscriptions
      .listBy("user", guest.user_id)
      .filter(({ stream_id }) => forGuests.has(stream_id))
      .map(({ stream_id }) => stream_id)
      .filter((id) => canSeeChannel(tx, guest, tx.channels.get(id)!));
    if (visible.length === 0) continue;
    tx.emit(event(visible, [user_id]), { to: "people", user_ids: [guest.user_id] });
  }
  return (stream_id) => numbers.get(stream_id)!;
}

/** Who can see the channel and its subscribers. */
function kindOf({ is_web_public, invite_only }: Channel): "web" | "members" | "private" {
  if (is_web_public) return "web";
  return invite_only ? "private" : "members";
}
