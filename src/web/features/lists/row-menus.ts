// The menus of rows in lists, which come together.
import { openChannelMenu } from "../channels/menu.ts";
import { openPinnedMenu } from "../pinned/menu.ts";
import { openPolicyMenu, openTopicMenu } from "../topics/menu.ts";

export const rowMenus = { openChannelMenu, openPinnedMenu, openPolicyMenu, openTopicMenu };
