// Which messages may be kept on the disk.
import { now } from "../../live.ts";
import type { Message } from "./state.ts";

/**
 * In channels that the user has left, no events arrive that would remove the message from the
 * cache.
 */
export function mayKeep({ stream_id }: Message): boolean {
  if (stream_id === undefined) return true;
  return now().channels.channels.get(stream_id)?.standing === "subscribed";
}
