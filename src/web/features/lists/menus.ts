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
export async function opened<T>(find: Promise<T>, open: (found: T) => void): Promise<void> {
  const here = view.peek();
  const found = await find;
  if (view.peek() === here) open(found);
}

export function topicMenu(at: Element | MouseEvent, stream_id: number, topic: string) {
  const box = boxFor(at);
  return opened(import("../topics/menu.ts"), (menu) => menu.openTopicMenu(box, stream_id, topic));
}

export function pinnedMenu(at: MouseEvent, pinned: NavigationView) {
  const box = boxFor(at);
  return opened(import("../pinned/menu.ts"), (menu) => menu.openPinnedMenu(box, pinned));
}

export function policyMenu(at: Element, stream_id: number, topic: string) {
  const box = boxFor(at);
  return opened(import("../topics/menu.ts"), (menu) => menu.openPolicyMenu(box, stream_id, topic));
}

export function channelMenu(at: Element | MouseEvent, stream_id: number) {
  const box = boxFor(at);
  return opened(import("../channels/menu.ts"), (menu) => menu.openChannelMenu(box, stream_id));
}
