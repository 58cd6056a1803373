// Changes the user's own order of channels and folders: at once here, then on the server.
import { putOrder } from "../../api/sidebar-calls.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { getState } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import { sidebarSections, type SidebarSection } from "./selectors.ts";

interface SidebarPositions {
  folders: readonly number[];
  channels: readonly number[];
}

const currentOrder = (): SidebarPositions =>
  getState().channels.order ?? { folders: [], channels: [] };

function setOrder({ folders, channels }: SidebarPositions): void {
  const eventOf = (order: SidebarPositions): LocalEvent => ({
    type: "skein_sidebar_order",
    folders: [...order.folders],
    channels: [...order.channels],
  });
  const request = putOrder.toRequest({ folders: [...folders], channels: [...channels] });
  void optimistic(request, [eventOf({ folders, channels })], [eventOf(currentOrder())]);
}

/** The list with the item at another position. */
function moveInList<T>(list: readonly T[], from: number, to: number): T[] {
  const moved = [...list];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

const idsIn = ({ channels }: SidebarSection) => channels.map(({ row }) => row.stream_id);

/** Sets the order of the channels of one section. All others keep theirs. */
function orderChannels(ids: readonly number[]): void {
  const { folders, channels } = currentOrder();
  const others = channels.filter((id) => !ids.includes(id));
  setOrder({ folders, channels: [...others, ...ids] });
}

function orderFolders(folders: readonly number[]): void {
  setOrder({ folders, channels: currentOrder().channels });
}

/** Whether the user has put channels of the section in order. */
export const isOrdered = (section: SidebarSection): boolean =>
  idsIn(section).some((id) => currentOrder().channels.includes(id));

/** Restores the usual order of a section. */
export function restoreOrder(section: SidebarSection): void {
  const { folders, channels } = currentOrder();
  const ids = idsIn(section);
  setOrder({ folders, channels: channels.filter((id) => !ids.includes(id)) });
}

/** A position among the siblings in the sidebar, and how to take another one. */
export interface SortPosition {
  at: number;
  count: number;
  moveTo(index: number): void;
}

/** Undefined for a channel that the sidebar does not list. */
export function channelPosition(stream_id: number): SortPosition | undefined {
  for (const section of sidebarSections(getState())) {
    const ids = idsIn(section);
    const index = ids.indexOf(stream_id);
    if (index === -1) continue;
    return {
      at: index,
      count: ids.length,
      moveTo: (to) => orderChannels(moveInList(ids, index, to)),
    };
  }
  return undefined;
}

const FOLDER = "folder/";

/** Undefined for a section that is not a folder, since its place is fixed. */
export function sectionPosition(key: string): SortPosition | undefined {
  const folders = sidebarSections(getState()).filter((section) => section.key.startsWith(FOLDER));
  const ids = folders.map((section) => Number(section.key.slice(FOLDER.length)));
  const index = folders.findIndex((section) => section.key === key);
  if (index === -1) return undefined;
  return { at: index, count: ids.length, moveTo: (to) => orderFolders(moveInList(ids, index, to)) };
}
