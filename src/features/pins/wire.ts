// The event about pinned messages.
import type { PlainEvent } from "../../contract/events.ts";

/** Names no message, because not every subscriber may read it. Clients fetch the list again. */
export const pinsChanged = (stream_id: number): PlainEvent => ({
  type: "skein_pins",
  needs: "skein_pins",
  stream_id,
});
