// Keyboard shortcuts of channel pages: create, join or leave, and open messages.
import { useLayoutEffect } from "preact/hooks";
import { go } from "../../store/address.ts";
import { type Command, registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { maybeState, getState } from "../../store/store.ts";
import { isLayered } from "../../ui/layers.ts";
import { joinChannel, leaveChannel } from "./actions.ts";
import { canJoin, canCreateChannels } from "./permissions.ts";
import { channelHome } from "./home-selectors.ts";
import { newChannelView } from "./route-rules.ts";
import type { KnownChannel } from "./state.ts";

/** Shortcuts for creating a channel on any page, and for the actions of one channel. */
export function useChannelKeys(stream_id?: number): void {
  // Active as soon as the page is rendered.
  useLayoutEffect(
    () => registerCommands(NEW, ...(stream_id === undefined ? [] : channelCommands(stream_id))),
    [stream_id],
  );
}

const NEW: Command = {
  id: "list-new-channel",
  textKey: "new-channel",
  keys: ["n"],
  when: () => !isLayered() && canCreateChannels(getState()),
  run: () => go(newChannelView),
};

function channelCommands(stream_id: number): Command[] {
  const channel = () => maybeState()?.channels.channels.get(stream_id);
  const channelIfFree = () => (isLayered() ? undefined : channel());
  const when = () => channelIfFree() !== undefined;
  return [
    {
      id: "list-key-S",
      textKey: "join-or-leave",
      keys: ["S"],
      ...onTarget(channelIfFree, toggleMembership),
    },
    {
      id: "list-key-V",
      textKey: "open-channel",
      keys: ["V"],
      when,
      run: () => go(channelHome(stream_id)),
    },
  ];
}

/** Returns whether the user could join or leave. */
export function toggleMembership(channel: KnownChannel): boolean {
  const { stream_id } = channel.row;
  if (channel.membership === "subscribed") void leaveChannel(stream_id);
  else if (canJoin(getState(), channel)) void joinChannel(stream_id);
  else return false;
  return true;
}
