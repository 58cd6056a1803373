// Why nothing is changed of a message any more: its channel is archived, or it is out of reach.
import { now } from "../../live.ts";
import { say } from "../../words/words.ts";

export function goneWords(message_id: number): string {
  const { messages, channels } = now();
  const row = channels.channels.get(messages.byId.get(message_id)?.stream_id ?? 0)?.row;
  return row?.is_archived ? say("channel-archived", { channel: row.name }) : say("message-gone");
}
