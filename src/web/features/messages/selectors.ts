// Messages by id.
import type { Message } from "../../contract/message.ts";
import { known } from "../../store/store.ts";

/** Undefined if the message or the state is not loaded. */
export const messageOf = (id: number): Message | undefined => known()?.messages.byId.get(id);
