// The menu of a channel, wherever its name is displayed.
import { addressOf, go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { type MenuItems, openMenu } from "../../ui/menu.tsx";
import { channelView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { showFiles } from "../files/address.ts";
import { copyLink, openInNewTab } from "../lists/open-view.ts";
import { searchItems } from "../search/start-search.ts";
import { moveItems } from "../sidebar/move-actions.ts";
import { channelPosition } from "../sidebar/order-actions.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import { joinChannel, leaveChannel, setProperty } from "./actions.ts";
import { canJoin } from "./permissions.ts";
import { channelHome } from "./home-selectors.ts";
import { folderItems } from "./folder-menu.ts";
import { openPanel } from "./panel.tsx";
import { channelPageView } from "./route-rules.ts";
import type { KnownChannel } from "./state.ts";

export function openChannelMenu(box: Box, stream_id: number): void {
  const { channels } = getState();
  const channel = channels.channels.get(stream_id);
  if (!channel) return;
  const { row } = channel;
  const settings = () => openPanel(box, stream_id);
  openMenu(box, row.name, [
    { label: t("topics"), icon: "list", run: () => go({ kind: "topics", stream_id }) },
    { label: t("all-messages"), icon: "layers", run: () => go(channelView(stream_id)) },
    ...searchItems(channelView(stream_id)),
    { label: t("files"), icon: "clip", run: () => showFiles(channelView(stream_id)) },
    { label: t("open-in-tab"), icon: "forward", run: () => openInNewTab(channelHome(stream_id)) },
    {
      label: t("copy-link"),
      icon: "link",
      run: () => copyLink(addressOf(channelView(stream_id))),
    },
    {
      label: t("channel-all"),
      icon: "settings",
      run: () => go(channelPageView(stream_id, row.name, "general")),
    },
    undefined,
    ...ownItems(channel, box, settings),
  ]);
}

/** The user's own settings of the channel. */
function ownItems(channel: KnownChannel, box: Box, settings: () => void): MenuItems {
  const { row, membership } = channel;
  const { stream_id } = row;
  const conversations = [...(getState().unread.channels.get(stream_id)?.conversations ?? [])];
  const isIn = membership === "subscribed";
  return [
    ...(isIn
      ? [
          ...(conversations.length > 0
            ? [
                {
                  label: t("mark-as-read"),
                  icon: "check" as const,
                  run: () => markConversationsAsRead(conversations),
                },
              ]
            : []),
          {
            label: row.pin_to_top ? t("unpin-channel") : t("pin-channel"),
            icon: "pin" as const,
            run: () => setProperty(stream_id, "pin_to_top", !row.pin_to_top),
          },
          {
            label: row.is_muted ? t("unmute-channel") : t("mute-channel"),
            icon: "bell-off" as const,
            run: () => setProperty(stream_id, "is_muted", !row.is_muted),
          },
          ...moveItems(channelPosition(stream_id), row.name),
          ...folderItems(channel, box),
          { label: t("channel-settings"), icon: "sliders" as const, run: settings },
          undefined,
          {
            label: t("leave-channel"),
            icon: "logout" as const,
            kind: "danger" as const,
            run: () => void leaveChannel(stream_id),
          },
        ]
      : canJoin(getState(), channel)
        ? [
            {
              label: t("join-channel"),
              icon: "plus" as const,
              run: () => void joinChannel(stream_id),
            },
          ]
        : []),
  ];
}
