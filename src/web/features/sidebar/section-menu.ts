// The menu of a section of the sidebar: reading, and the user's own order.
import { go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { t } from "../../words/words.ts";
import { isAdministrator } from "../channels/permissions.ts";
import { foldersView, listView } from "../channels/route-rules.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import { moveItems } from "./move-actions.ts";
import { isOrdered, restoreOrder, sectionPosition } from "./order-actions.ts";
import { sidebarSections, sectionName } from "./selectors.ts";

const isFolder = (key: string) => key.startsWith("folder/");

export function openSectionMenu(anchor: Element | Box, key: string): void {
  const state = getState();
  const section = sidebarSections(state).find((candidate) => candidate.key === key);
  if (!section) return;
  const name = sectionName(section);
  const conversations = section.channels.flatMap(({ row }) => [
    ...(state.unread.channels.get(row.stream_id)?.conversations ?? []),
  ]);
  const items: (MenuItem | undefined)[] = [
    ...(conversations.length > 0
      ? [
          {
            label: t("mark-as-read"),
            icon: "check" as const,
            run: () => markConversationsAsRead(conversations),
          },
        ]
      : []),
    ...moveItems(sectionPosition(key), name),
    ...(isOrdered(section)
      ? [
          {
            label: t("restore-order"),
            icon: "retry" as const,
            run: () => restoreOrder(section),
          },
        ]
      : []),
    ...(isFolder(key) && isAdministrator(state)
      ? [
          {
            label: t("edit-folders"),
            icon: "folder" as const,
            run: () => go(foldersView),
          },
        ]
      : []),
  ];
  const browse = { label: t("browse-channels"), icon: "list" as const, run: () => go(listView()) };
  openMenu(anchor, name, [...items, browse]);
}
