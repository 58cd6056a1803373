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

/** Who has gone elsewhere meanwhile wants no menu. */
export async function opened<T>(
  at: Element | MouseEvent,
  find: Promise<T>,
  open: (found: T, box: Box) => void,
): Promise<void> {
  const [box, here] = [boxFor(at), view.peek()];
  const found = await find;
  if (view.peek() === here) open(found, box);
}

export const topicMenu = (at: Element | MouseEvent, stream_id: number, topic: string) =>
  opened(at, import("../topics/menu.ts"), (menu, box) => menu.openTopicMenu(box, stream_id, topic));

export const pinnedMenu = (at: MouseEvent, pinned: NavigationView) =>
  opened(at, import("../pinned/menu.ts"), (menu, box) => menu.openPinnedMenu(box, pinned));

export const policyMenu = (at: Element, stream_id: number, topic: string) =>
  opened(at, import("../topics/menu.ts"), (menu, box) =>
    menu.openPolicyMenu(box, stream_id, topic),
  );

export const channelMenu = (at: Element | MouseEvent, stream_id: number) =>
  opened(at, import("../channels/menu.ts"), (menu, box) => menu.openChannelMenu(box, stream_id));
