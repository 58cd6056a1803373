// Permission to pin messages: the same as to resolve the topics of the channel.
import { getState } from "../../store/store.ts";
import { canResolve } from "../topics/permissions.ts";

export const canPin = (stream_id: number, state = getState()): boolean =>
  canResolve(stream_id, state);
