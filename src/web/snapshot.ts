/** What a client is told at its start, and the events after it, as far as the slices read them. */
import type { EventType } from "../contract/events.ts";

// oxlint-disable-next-line no-explicit-any -- each slice says what it reads of an event
type Fields = Record<string, any>;

/** The answer of register: every field by its wire name. A slice says which of them are its own. */
export type Snapshot = Fields & { user_id: number };

/** An event as the wire has it. */
export type Event = Fields & { type: EventType; id: number };

/** The keys of what changed: views that read one of them are drawn anew. */
export type Changed = Set<string>;

/** These fields of the snapshot, where it has them. */
export function pick(snapshot: Snapshot, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (name in snapshot ? [[name, snapshot[name]]] : [])),
  );
}
