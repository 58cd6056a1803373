// Messages by id.
import type { Message } from "../../contract/message.ts";
import { maybeState } from "../../store/store.ts";

/** Undefined if the message or the state is not loaded. */
export const messageOf = (id: number): Message | undefined => maybeState()?.messages.byId.get(id);
