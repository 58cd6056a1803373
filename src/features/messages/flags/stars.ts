// Removes stars from messages whose deletion or move their users do not receive.
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { isSubscribed } from "../../channels/access.ts";
import { isGuest } from "../../rights/rules.ts";
import { FLAG_STARRED } from "../rules.ts";
import { readersOf } from "../sets/audience.ts";
import { flagsUpdated } from "../unread/flags-wire.ts";

/** Message ids by user, ascending. */
export type Stars = ReadonlyMap<number, readonly number[]>;

/** Stars on messages of one channel by users who are not in the audience of the change. */
export function starsOutsideAudience(
  reader: Reader,
  messages: readonly Message[],
  actingUser: User | null,
): Stars {
  const { stream_id } = messages[0]!;
  const isOpen = !reader.channels.get(stream_id)!.invite_only;
  const formerSubscriptions = reader.subscriptions
    .listBy("channel", stream_id)
    .filter(({ active }) => !active);
  const ids = messages.map(({ id }) => id).sort((a, b) => a - b);
  const stars = new Map<number, number[]>();
  for (const user_id of readersOf(reader, messages, formerSubscriptions)) {
    const user = reader.users.get(user_id);
    if (!user?.is_active || isSubscribed(reader, user_id, stream_id)) continue;
    if (user_id === actingUser?.user_id || (isOpen && !isGuest(user))) continue;
    const starred = ids.filter((id) => reader.flags.has([user_id, FLAG_STARRED], id));
    if (starred.length > 0) stars.set(user_id, starred);
  }
  return stars;
}

/** Reveals only messages that the user starred, and not where they are. */
export function emitStarsRemoved(tx: Writer, user_id: number, ids: readonly number[]): void {
  if (ids.length === 0 || !tx.users.get(user_id)?.is_active) return;
  tx.emit(flagsUpdated("remove", "starred", ids), { to: "people", user_ids: [user_id] });
}
