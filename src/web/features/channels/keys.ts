// Keys of the pages of channels: a new one, being in one or not, its messages.
import { useLayoutEffect } from "preact/hooks";
import { go } from "../../address.ts";
import { type Command, offer } from "../../commands.ts";
import { known } from "../../live.ts";
import { isLayered } from "../../ui/layers.ts";
import { join, leave } from "./actions.ts";
import { mayJoin, mayMakeChannels } from "./asker.ts";
import { channelHome } from "./home.ts";
import { newChannelView } from "./route.ts";
import type { KnownChannel } from "./state.ts";

/** Keys for creating a channel on any page, and for the actions of one channel. */
export function useChannelKeys(stream_id?: number): void {
  // Active as soon as the page is rendered.
  useLayoutEffect(
    () => offer(NEW, ...(stream_id === undefined ? [] : ofChannel(stream_id))),
    [stream_id],
  );
}

const NEW: Command = {
  id: "list-new-channel",
  words: "new-channel",
  keys: ["n"],
  when: () => !isLayered() && mayMakeChannels(known()!),
  run: () => go(newChannelView),
};

function ofChannel(stream_id: number): Command[] {
  const channel = () => known()?.channels.channels.get(stream_id);
  const when = () => !isLayered() && channel() !== undefined;
  const run = () => toggleMembership(channel()!);
  return [
    { id: "list-key-S", words: "join-or-leave", keys: ["S"], when, run },
    {
      id: "list-key-V",
      words: "open-channel",
      keys: ["V"],
      when,
      run: () => go(channelHome(stream_id)),
    },
  ];
}

/** Says whether one could join, or leave. */
export function toggleMembership(channel: KnownChannel): boolean {
  const { stream_id } = channel.row;
  if (channel.standing === "subscribed") void leave(stream_id);
  else if (mayJoin(known()!, channel)) void join(stream_id);
  else return false;
  return true;
}
