// Pins and unpins messages for everybody in the channel.
import { pin, unpin } from "../../api/channel-extras-calls.ts";
import { sync } from "../../sync/session.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { loadPins } from "./pins-sync.ts";

interface PinTarget {
  id: number;
  stream_id?: number | undefined;
}

export async function pinMessage({ id: message_id, stream_id }: PinTarget): Promise<void> {
  if (stream_id === undefined) return;
  if (!(await runWithToast(() => pin(sync, { message_id })))) return;
  const undo = () => void unpinMessage({ id: message_id, stream_id });
  showToast({ text: t("message-pinned"), undo });
  await loadPins(stream_id);
}

export async function unpinMessage({ id: message_id, stream_id }: PinTarget): Promise<void> {
  if (stream_id === undefined) return;
  if (!(await runWithToast(() => unpin(sync, { message_id })))) return;
  const undo = () => void pinMessage({ id: message_id, stream_id });
  showToast({ text: t("message-unpinned"), undo });
  await loadPins(stream_id);
}
