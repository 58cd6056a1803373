// Menus of direct conversations and of the fixed views in the sidebar.
import { addressOf, go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { conversationKey } from "../../conversation-keys.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { directView, type View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { conversationName } from "../conversation/selectors.ts";
import { showFiles } from "../files/address.ts";
import { copyLink, openInNewTab } from "../lists/open-view.ts";
import { openNewDirect } from "../people/new-direct.tsx";
import { pinItem } from "../pinned/menu.ts";
import { searchItems } from "../search/start-search.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import type { UnreadConversation } from "../unread/by-conversation-state.ts";

export function openDirectMenu(anchor: Box, user_ids: readonly number[]): void {
  const { people, unread } = getState();
  const to = directView(user_ids, people.me);
  const conversation = unread.conversations.get(conversationKey(user_ids));
  const others = user_ids.filter((id) => id !== people.me);
  const [other] = others;
  openMenu(anchor, conversationName(user_ids), [
    ...readItems(conversation ? [conversation] : [], "mark-as-read"),
    ...(others.length === 1
      ? [
          {
            label: t("profile"),
            icon: "person" as const,
            run: () => go({ kind: "page", page: "user", path: [`${other}`] }),
          },
        ]
      : []),
    { label: t("add-to-direct"), icon: "people", asks: true, run: () => openNewDirect(others) },
    ...searchItems(to),
    { label: t("files"), icon: "clip", run: () => showFiles(to) },
    pinItem(to),
    ...linkItems(to),
  ]);
}

export function openViewMenu(anchor: Box, to: View, name: string): void {
  const unread = [...getState().unread.conversations.values()].filter(({ isMuted }) => !isMuted);
  openMenu(anchor, name, [
    ...(to.kind === "inbox" ? readItems(unread, "mark-all-read") : []),
    ...linkItems(to),
  ]);
}

const readItems = (
  conversations: readonly UnreadConversation[],
  textKey: "mark-as-read" | "mark-all-read",
): MenuItem[] =>
  conversations.length > 0
    ? [{ label: t(textKey), icon: "check", run: () => markConversationsAsRead(conversations) }]
    : [];

const linkItems = (to: View): MenuItem[] => [
  { label: t("copy-link"), icon: "link", run: () => copyLink(addressOf(to)) },
  { label: t("open-in-tab"), icon: "forward", run: () => openInNewTab(to) },
];
