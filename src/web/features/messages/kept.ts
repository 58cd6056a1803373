// Messages as the disk had them: what the state knows better of them is as the state has it.
import type { State } from "../../state.ts";
import type { Message } from "./state.ts";

/** Adds messages that are not known yet. */
export function takeKept({ messages, unread }: State, kept: readonly Message[]): void {
  for (const message of kept) {
    const { id, flags } = message;
    if (messages.byId.has(id)) continue;
    const others = flags.filter((flag) => flag !== "read" && flag !== "starred");
    const read = unread.placeOf.has(id) ? [] : ["read"];
    const starred = messages.starred.has(id) ? ["starred"] : [];
    messages.byId.set(id, { ...message, flags: [...read, ...starred, ...others] });
  }
}
