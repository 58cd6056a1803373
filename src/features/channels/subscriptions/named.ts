// Sends data that refers to channels by name when channels become visible or invisible to users.
import type { Writer } from "../../../realm.ts";
import { tellOfDefaultsInSight } from "../../bots/telling.ts";
import { tellMutedInSight } from "../../topics/actions.ts";

export function tellNamesInSight(
  tx: Writer,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): void {
  tellMutedInSight(tx, user_ids, stream_ids);
  tellOfDefaultsInSight(tx, user_ids, stream_ids);
}
