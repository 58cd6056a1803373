// The list of playgrounds, which clients always receive as a whole.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Playground } from "../../schema/records.ts";

export function playgroundsSnapshot(reader: Reader) {
  return { realm_playgrounds: playgrounds(reader) };
}

export const playgroundsChanged = (reader: Reader): PlainEvent => ({
  type: "realm_playgrounds",
  realm_playgrounds: playgrounds(reader),
});

function playgrounds(reader: Reader): Playground[] {
  return [...reader.playgrounds.range()].sort((a, b) => a.id - b.id);
}
