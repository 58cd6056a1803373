// Why a message cannot be changed any more.
import { getState } from "../../store/store.ts";
import { t } from "../../words/words.ts";

/** Says that the channel is archived, or that the message is gone. */
export function missingMessageText(message_id: number): string {
  const { messages, channels } = getState();
  const row = channels.channels.get(messages.byId.get(message_id)?.stream_id ?? 0)?.row;
  return row?.is_archived ? t("channel-archived", { channel: row.name }) : t("message-gone");
}
