// The menus of list rows, which are loaded together.
import { openChannelMenu } from "../channels/menu.ts";
import { openPinnedMenu } from "../pinned/menu.ts";
import { openPolicyMenu, openTopicMenu } from "../topics/menu.ts";
import { openDirectMenu, openViewMenu } from "./view-menus.ts";

export const rowMenus = {
  openChannelMenu,
  openDirectMenu,
  openPinnedMenu,
  openPolicyMenu,
  openTopicMenu,
  openViewMenu,
};
