// Actions of a channel, from wherever it is named.
import { addressOf, go } from "../../address.ts";
import { known } from "../../live.ts";
import type { Box } from "../../ui/box.ts";
import { type MenuItems, openMenu } from "../../ui/menu.tsx";
import { channelView } from "../../views.ts";
import { say } from "../../words/words.ts";
import { showFiles } from "../files/address.ts";
import { copyLink, openAside } from "../lists/open.ts";
import { searchItems } from "../search/begin.ts";
import { readPlaces } from "../unread/actions.ts";
import { join, leave, setProperty } from "./actions.ts";
import { mayAdministerChannel, mayJoin } from "./asker.ts";
import { channelHome } from "./home.ts";
import { openPanel } from "./panel.tsx";
import { channelPageView } from "./route.ts";
import type { KnownChannel } from "./state.ts";

export function openChannelMenu(box: Box, stream_id: number): void {
  const { channels } = known()!;
  const channel = channels.channels.get(stream_id);
  if (!channel) return;
  const { row } = channel;
  const settings = () => openPanel(box, stream_id);
  openMenu(box, row.name, [
    { label: say("topics"), icon: "list", run: () => go({ kind: "topics", stream_id }) },
    { label: say("all-messages"), icon: "layers", run: () => go(channelView(stream_id)) },
    ...searchItems(channelView(stream_id)),
    { label: say("files"), icon: "clip", run: () => showFiles(channelView(stream_id)) },
    { label: say("open-in-tab"), icon: "forward", run: () => openAside(channelHome(stream_id)) },
    {
      label: say("copy-link"),
      icon: "link",
      run: () => copyLink(addressOf(channelView(stream_id))),
    },
    {
      label: say(mayAdministerChannel(known()!, channel) ? "edit-channel" : "channel-all"),
      icon: "pencil",
      run: () => go(channelPageView(stream_id, row.name, "general")),
    },
    undefined,
    ...ownItems(channel, settings),
  ]);
}

/** The user's own settings of the channel. */
function ownItems(channel: KnownChannel, settings: () => void): MenuItems {
  const { row, standing } = channel;
  const { stream_id } = row;
  const places = [...(known()!.unread.channels.get(stream_id)?.places ?? [])];
  const isIn = standing === "subscribed";
  return [
    ...(isIn
      ? [
          ...(places.length > 0
            ? [
                {
                  label: say("mark-as-read"),
                  icon: "check" as const,
                  run: () => readPlaces(places),
                },
              ]
            : []),
          {
            label: row.pin_to_top ? say("unpin-channel") : say("pin-channel"),
            icon: "pin" as const,
            run: () => setProperty(stream_id, "pin_to_top", !row.pin_to_top),
          },
          {
            label: row.is_muted ? say("unmute-channel") : say("mute-channel"),
            icon: "bell-off" as const,
            run: () => setProperty(stream_id, "is_muted", !row.is_muted),
          },
          { label: say("channel-settings"), icon: "sliders" as const, run: settings },
          undefined,
          {
            label: say("leave-channel"),
            icon: "logout" as const,
            kind: "danger" as const,
            run: () => void leave(stream_id),
          },
        ]
      : mayJoin(known()!, channel)
        ? [
            {
              label: say("join-channel"),
              icon: "plus" as const,
              run: () => void join(stream_id),
            },
          ]
        : []),
  ];
}
