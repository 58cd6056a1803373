// Sends data that refers to channels by name when channels become visible or invisible to users.
import type { Writer } from "../../../realm.ts";
import { emitDefaultsOfVisibleChannels } from "../../bots/events.ts";
import { emitMutedOfVisible } from "../../topics/actions.ts";

export function emitDataNamingChannels(
  tx: Writer,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): void {
  emitMutedOfVisible(tx, user_ids, stream_ids);
  emitDefaultsOfVisibleChannels(tx, user_ids, stream_ids);
}
