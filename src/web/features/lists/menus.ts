// Opens the menus of topics and channels, whose scripts are fetched when they are first wanted.
import { view } from "../../address.ts";
import { type Box, boxAt, boxOf } from "../../ui/box.ts";
import type { NavigationView } from "../personal/state.ts";

/** Beside what was pressed, or where the pointer was. */
function boxFor(at: Element | MouseEvent): Box {
  if (at instanceof Element) return boxOf(at);
  at.preventDefault();
  return boxAt(at);
}

/** If the user has moved on, no menu opens. */
export async function opened<T>(
  at: Element | MouseEvent,
  find: Promise<T>,
  open: (found: T, box: Box) => void,
): Promise<void> {
  const [box, here] = [boxFor(at), view.peek()];
  const found = await find;
  if (view.peek() === here) open(found, box);
}

const rowMenus = async () => (await import("./row-menus.ts")).rowMenus;

export const topicMenu = (at: Element | MouseEvent, stream_id: number, topic: string) =>
  opened(at, rowMenus(), (menus, box) => menus.openTopicMenu(box, stream_id, topic));

export const pinnedMenu = (at: MouseEvent, pinned: NavigationView) =>
  opened(at, rowMenus(), (menus, box) => menus.openPinnedMenu(box, pinned));

export const policyMenu = (at: Element, stream_id: number, topic: string) =>
  opened(at, rowMenus(), (menus, box) => menus.openPolicyMenu(box, stream_id, topic));

export const channelMenu = (at: Element | MouseEvent, stream_id: number) =>
  opened(at, rowMenus(), (menus, box) => menus.openChannelMenu(box, stream_id));
