/** Types of the register response and of all events. */
import type { Static } from "typebox";
import type { ChangeKey } from "./change-keys.ts";
import type { channelShape, membershipShape } from "../../contract/shapes/channels.ts";
import type { accountShape } from "../../contract/shapes/people.ts";
import type { registeredShape } from "../../contract/shapes/snapshot.ts";
import type { eventShapes } from "../../contract/shapes/events.ts";
import type {
  defaultSettingsShape,
  personalSettingsShape,
} from "../../contract/shapes/user-settings.ts";

type RegisterResponse = Static<typeof registeredShape>;
type Recent = NonNullable<RegisterResponse["recent_private_conversations"]>[number];
type SnapshotAccount = Static<typeof accountShape>;

/** A channel in any list of the snapshot. Only subscriptions have personal settings. */
export type ListedChannel = Static<typeof channelShape> & Partial<Static<typeof membershipShape>>;

/** Fields of which the state may hold less than the server sent. */
interface SnapshotOverrides {
  queue_id?: RegisterResponse["queue_id"];
  subscriptions?: readonly ListedChannel[];
  unsubscribed?: readonly ListedChannel[];
  never_subscribed?: readonly ListedChannel[];
  realm_users?: readonly SnapshotAccount[];
  realm_non_active_users?: readonly SnapshotAccount[];
  cross_realm_bots?: readonly SnapshotAccount[];
  user_settings?: Partial<Static<typeof personalSettingsShape>>;
  realm_user_settings_defaults?: Partial<Static<typeof defaultSettingsShape>>;
  /** `is_doubted` is set only by this client: the newest message was removed. */
  recent_private_conversations?: readonly (Recent & { is_doubted?: boolean })[];
}

/** The response to a registration. Spectators receive fewer fields. */
export type Snapshot = Omit<RegisterResponse, keyof SnapshotOverrides> & SnapshotOverrides;

type KeysOfUnion<U> = U extends unknown ? keyof U : never;
/** A union of forms in which the fields of other forms are undefined. */
export type ExclusiveUnion<U, All = U> = U extends unknown
  ? U & { [K in Exclude<KeysOfUnion<All>, keyof U>]?: undefined }
  : never;

type EventShapes = typeof eventShapes;
type EventTypeOf<K> = K extends `${infer T}/${infer O}` ? { type: T; op: O } : { type: K };
type ServerEvent = {
  [K in keyof EventShapes]: EventTypeOf<K> & Static<EventShapes[K]> & { id: number };
}[keyof EventShapes];
type Events = { [T in ServerEvent["type"]]: ExclusiveUnion<Extract<ServerEvent, { type: T }>> };

/** An event as the contract has it: any, or those of some types. */
export type Event<T extends ServerEvent["type"] = ServerEvent["type"]> = Events[T];

/** Fields that duplicate others and that no reducer reads. */
type DuplicateField = "operation" | "user";
type LocalPart<E> = E extends Event ? Omit<E, "id" | DuplicateField> : never;
/** A local event of these types has only the fields that reducers read. */
type ReducedEvent = "update_message" | "delete_message" | "subscription";
export interface LocalUpdate extends Partial<Omit<Event<"update_message">, "id" | "flags">> {
  type: "update_message";
  message_id: number;
  message_ids: readonly number[];
  flags: readonly string[];
}
interface LocalDeletion {
  type: "delete_message";
  message_ids: readonly number[];
}
interface LocalSubscription {
  type: "subscription";
  op: "update";
  stream_id: number;
  property: string;
  /** null: the setting for all channels applies. */
  value: string | boolean | null;
}

/**
 * An event as the server is expected to send it: reducers apply it once, and the server's own event
 * then changes nothing.
 */
export type LocalEvent =
  | LocalPart<Exclude<Event, { type: ReducedEvent }>>
  | LocalUpdate
  | LocalDeletion
  | LocalSubscription;
/** The places of messages that are unread again, by message id. */
export type MessageDetails = NonNullable<Event<"update_message_flags">["message_details"]>;

/** The keys of changed parts; views subscribed to one of them are rendered again. */
export type Changed = Set<ChangeKey>;

/** The fields of the snapshot without some of them. */
export function omit<N extends keyof Snapshot>(
  snapshot: Snapshot,
  names: readonly N[],
): Omit<Snapshot, N> {
  const rest = { ...snapshot };
  for (const name of names) Reflect.deleteProperty(rest, name);
  return rest;
}
