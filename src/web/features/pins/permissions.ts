// Permission to pin messages: the same as to resolve the topics of the channel.
import { now } from "../../store/store.ts";
import { canResolve } from "../topics/permissions.ts";

export const canPin = (stream_id: number, state = now()): boolean => canResolve(stream_id, state);
