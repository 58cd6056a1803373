// Opens the menus of topics and channels, whose scripts are fetched when they are first wanted.
import { type Box, boxAt, boxOf } from "../../ui/box.ts";
import type { NavigationView } from "../personal/state.ts";

/** Beside what was pressed, or where the pointer was. */
function boxFor(at: Element | MouseEvent): Box {
  if (at instanceof Element) return boxOf(at);
  at.preventDefault();
  return boxAt(at);
}

export async function topicMenu(
  at: Element | MouseEvent,
  stream_id: number,
  topic: string,
): Promise<void> {
  const box = boxFor(at);
  const { openTopicMenu } = await import("../topics/menu.ts");
  openTopicMenu(box, stream_id, topic);
}

export async function pinnedMenu(at: MouseEvent, view: NavigationView): Promise<void> {
  const box = boxFor(at);
  const { openPinnedMenu } = await import("../pinned/menu.ts");
  openPinnedMenu(box, view);
}

export async function policyMenu(at: Element, stream_id: number, topic: string): Promise<void> {
  const box = boxFor(at);
  const { openPolicyMenu } = await import("../topics/menu.ts");
  openPolicyMenu(box, stream_id, topic);
}

export async function channelMenu(at: Element | MouseEvent, stream_id: number): Promise<void> {
  const box = boxFor(at);
  const { openChannelMenu } = await import("../channels/menu.ts");
  openChannelMenu(box, stream_id);
}
