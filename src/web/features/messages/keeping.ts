// Which messages may be kept on the disk.
import { now } from "../../live.ts";
import type { Message } from "./state.ts";

/** Of channels that one is not in no event comes that would take something from the disk. */
export function mayKeep({ stream_id }: Message): boolean {
  if (stream_id === undefined) return true;
  return now().channels.channels.get(stream_id)?.standing === "subscribed";
}
