// Opens the menus of topics and channels; their scripts are loaded on first use.
import { openMenuBeside } from "../lists/menu-opener.ts";
import type { View } from "../../views.ts";
import type { NavigationView } from "../personal/state.ts";

/** Opens the menu of a row, beside its button or where the pointer is. */
export type RowMenu = (target: Element | MouseEvent) => void;

const rowMenus = async () => (await import("./row-menus.ts")).rowMenus;

export const topicMenu = (target: Element | MouseEvent, stream_id: number, topic: string) =>
  openMenuBeside(target, rowMenus(), (menus, box) => menus.openTopicMenu(box, stream_id, topic));

export const pinnedMenu = (target: Element | MouseEvent, pinned: NavigationView) =>
  openMenuBeside(target, rowMenus(), (menus, box) => menus.openPinnedMenu(box, pinned));

export const policyMenu = (target: Element, stream_id: number, topic: string) =>
  openMenuBeside(target, rowMenus(), (menus, box) => menus.openPolicyMenu(box, stream_id, topic));

export const channelMenu = (target: Element | MouseEvent, stream_id: number) =>
  openMenuBeside(target, rowMenus(), (menus, box) => menus.openChannelMenu(box, stream_id));

export const directMenu = (target: Element | MouseEvent, user_ids: readonly number[]) =>
  openMenuBeside(target, rowMenus(), (menus, box) => menus.openDirectMenu(box, user_ids));

export const viewMenu = (target: Element | MouseEvent, to: View, name: string) =>
  openMenuBeside(target, rowMenus(), (menus, box) => menus.openViewMenu(box, to, name));
