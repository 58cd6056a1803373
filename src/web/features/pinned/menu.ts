// Actions for pinning, renaming and unpinning a view.
import type { Box } from "../../ui/anchor-box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { type MessagesView, viewOf } from "../../views.ts";
import { t } from "../../words/words.ts";
import { copyLink, openInNewTab } from "../lists/open-view.ts";
import type { NavigationView } from "../personal/state.ts";
import { pin, findPinnedView, rename, unpin } from "./actions.ts";

export function openPinnedMenu(beside: Box, view: NavigationView): void {
  const { fragment, name } = view;
  openMenu(beside, name ?? "", [
    { label: t("rename-view"), icon: "pencil", asks: true, run: () => rename(view) },
    { label: t("copy-link"), icon: "link", run: () => copyLink(`#${fragment}`) },
    { label: t("open-in-tab"), icon: "forward", run: () => openInNewTab(viewOf(fragment)) },
    undefined,
    { label: t("unpin-view"), icon: "pin", run: () => void unpin(view) },
  ]);
}

/** An item in the menus of topics and channels. */
export function pinItem(view: MessagesView): MenuItem {
  const pinned = findPinnedView(view);
  return pinned
    ? { label: t("unpin-view"), icon: "pin", run: () => void unpin(pinned) }
    : { label: t("pin-view"), icon: "pin", asks: true, run: () => pin(view) };
}
