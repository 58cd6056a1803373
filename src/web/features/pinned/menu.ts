// Actions for pinning, renaming and unpinning a view.
import type { Box } from "../../ui/box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { type MessagesView, viewOf } from "../../views.ts";
import { say } from "../../words/words.ts";
import { copyLink, openAside } from "../lists/open.ts";
import type { NavigationView } from "../personal/state.ts";
import { pin, pinnedAs, rename, unpin } from "./actions.ts";

export function openPinnedMenu(beside: Box, view: NavigationView): void {
  const { fragment, name } = view;
  openMenu(beside, name ?? "", [
    { label: say("rename-view"), icon: "pencil", run: () => rename(view) },
    { label: say("copy-link"), icon: "link", run: () => copyLink(`#${fragment}`) },
    { label: say("open-in-tab"), icon: "forward", run: () => openAside(viewOf(fragment)) },
    undefined,
    { label: say("unpin-view"), icon: "pin", run: () => void unpin(view) },
  ]);
}

/** In the menus of topics and channels. */
export function pinItem(view: MessagesView): MenuItem {
  const pinned = pinnedAs(view);
  return pinned
    ? { label: say("unpin-view"), icon: "pin", run: () => void unpin(pinned) }
    : { label: say("pin-view"), icon: "pin", run: () => pin(view) };
}
