/** Types of the register response and of all events. */
import type { Static } from "typebox";
import type { eventShapes } from "../contract/shapes/told.ts";

// oxlint-disable-next-line no-explicit-any -- each slice says what it reads of the snapshot
type Fields = Record<string, any>;

/** The answer of register: every field by its wire name. A slice says which of them are its own. */
export type Snapshot = Fields & { user_id: number };

type Keys<U> = U extends unknown ? keyof U : never;
/** One of several forms, in which fields of other forms are undefined. */
export type Whole<U, All = U> = U extends unknown
  ? U & { [K in Exclude<Keys<All>, keyof U>]?: undefined }
  : never;

type Shapes = typeof eventShapes;
type Named<K> = K extends `${infer T}/${infer O}` ? { type: T; op: O } : { type: K };
type Told = { [K in keyof Shapes]: Named<K> & Static<Shapes[K]> & { id: number } }[keyof Shapes];
type Events = { [T in Told["type"]]: Whole<Extract<Told, { type: T }>> };

/** An event as the contract has it: any, or those of some types. */
export type Event<T extends Told["type"] = Told["type"]> = Events[T];

/** Doubles of other fields, which no reducer reads. */
type Doubles = "operation" | "user";
type Untold<E> = E extends Event ? Omit<E, "id" | Doubles> : never;
/** An event as the server will tell it: the reducers take it once, and its echo changes nothing. */
export type Deed = Untold<Event>;
/** The places of messages that are unread again, by message id. */
export type Details = NonNullable<Event<"update_message_flags">["message_details"]>;

/** The keys of what changed: views that read one of them are drawn anew. */
export type Changed = Set<string>;

/** These fields of the snapshot, where it has them. */
export function pick(snapshot: Snapshot, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (name in snapshot ? [[name, snapshot[name]]] : [])),
  );
}
