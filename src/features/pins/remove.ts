// Removes pins whose message is deleted or leaves its topic.
import type { Writer } from "../../realm.ts";
import { pinsChanged } from "./wire.ts";

export function dropPin(tx: Writer, message_id: number): void {
  const pin = tx.message_pins.get(message_id);
  if (!pin) return;
  tx.message_pins.delete(message_id);
  const { stream_id } = pin;
  tx.emit(pinsChanged(stream_id), { to: "subscribers", stream_id });
}
