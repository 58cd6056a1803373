// Chooses the folder of a channel, which everyone sees, from the channel's menu.
import { editChannel } from "../../api/manage-calls.ts";
import { getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { sync } from "../../sync/session.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { canAdministerChannel } from "./permissions.ts";
import type { Channel, KnownChannel } from "./state.ts";

/** The list is empty for users who may not change the channel, and if there are no folders. */
export function folderItems(channel: KnownChannel, box: Box): MenuItem[] {
  const folders = [...getState().channels.folders.values()].filter(
    ({ is_archived }) => !is_archived,
  );
  if (folders.length === 0 || !canAdministerChannel(getState(), channel)) return [];
  const { row } = channel;
  const item = (folder_id: number | null, label: string): MenuItem => ({
    label,
    icon: folder_id === null ? "list" : "folder",
    isChecked: row.folder_id === folder_id,
    run: () => void moveToFolder(row, folder_id),
  });
  const choose = () =>
    openMenu(box, t("move-to-folder"), [
      ...folders.sort((a, b) => a.order - b.order).map(({ id, name }) => item(id, name)),
      undefined,
      item(null, t("in-no-folder")),
    ]);
  const note = t("for-everyone");
  return [{ label: t("move-to-folder"), icon: "folder", asks: true, note, run: choose }];
}

async function moveToFolder(
  { stream_id, name, folder_id: before }: Channel,
  folder_id: number | null,
): Promise<void> {
  if (folder_id === before) return;
  const set = (to: number | null) => editChannel(sync, { stream_id, folder_id: to });
  try {
    await set(folder_id);
    const folder = folder_id === null ? undefined : getState().channels.folders.get(folder_id);
    const text = t("moved-to-folder", { name, folder: folder?.name ?? t("in-no-folder") });
    showToast({ text, undo: () => void set(before).catch(showRefusal) });
  } catch (error) {
    showRefusal(error);
  }
}
