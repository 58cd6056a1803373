// Opens the dialog that renames a topic, or moves it to another channel.
import { fetchMessageNow } from "../messages/fetch-sync.ts";
import { getState } from "../../store/store.ts";
import { sync } from "../../sync/session.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { t } from "../../words/words.ts";
import { canRetopic, canMoveToOtherChannel } from "../messages/permissions.ts";
import { newestOf } from "./actions.ts";

const dialog = lazyDialog(() => import("../move/move.tsx"));

export const moveItems = (stream_id: number, topic: string): MenuItem[] =>
  canMoveTopic(stream_id)
    ? [
        {
          label: t("topic-move"),
          icon: "move",
          asks: true,
          run: () => void moveTopic(stream_id, topic),
        },
      ]
    : [];

/** The server also checks the time limit, for each message. */
function canMoveTopic(stream_id: number): boolean {
  const timestamp = Date.now() / 1000;
  const movedMessage = { stream_id, timestamp };
  return (
    canRetopic(getState(), movedMessage, timestamp) ||
    canMoveToOtherChannel(getState(), movedMessage, timestamp)
  );
}

async function moveTopic(stream_id: number, topic: string): Promise<void> {
  const find = async () => {
    const message_id = await newestOf(stream_id, topic);
    if (message_id === undefined) return undefined;
    const message = getState().messages.byId.get(message_id);
    const params = { message_id, allow_empty_topic_name: true };
    return message ?? (await fetchMessageNow(sync, params)).message;
  };
  await dialog(
    "move-message",
    () => t("move-topic"),
    ({ showMoveTopic }) => showMoveTopic(find),
  );
}
