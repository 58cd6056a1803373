// Names and icons of conversations in places where the user selects one.
import { getState } from "../../store/store.ts";
import type { Channel } from "../channels/state.ts";

export const channelIcon = ({ is_web_public, invite_only }: Channel) =>
  is_web_public ? "globe" : invite_only ? "lock" : "hash";

export const channelOf = (stream_id: number): Channel | undefined =>
  getState().channels.channels.get(stream_id)?.row;
