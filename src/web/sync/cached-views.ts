// Cached views on disk: limited in size, updated by events, and deleted when access is lost.
import type { IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import { DAY_MS } from "../../contract/units.ts";
import { reduceMessages } from "../features/messages/state.ts";
import type { Message } from "../contract/message.ts";
import type { Event, Snapshot } from "../contract/snapshot.ts";
import type { CachedViewRow, CacheLayout, Cursor, CachedViewSize } from "./layout.ts";

export const CACHED_MESSAGES_MAX = 20_000;
const WINDOWS_BYTES_MAX = 50_000_000;
export const CACHED_AGE_MS_MAX = 30 * DAY_MS;
/** Estimated size of a message besides its text. */
const MESSAGE_BYTES = 600;

type WriteTransaction = IDBPTransaction<CacheLayout, StoreNames<CacheLayout>[], "readwrite">;
export const CACHED_VIEW_STORES = ["windows", "shelf"] as const;

export class CachedViews {
  constructor(
    private readonly db: IDBPDatabase<CacheLayout>,
    private readonly now: () => number,
  ) {}

  /** Returns a cached view, and marks it as opened now. */
  async open(key: string): Promise<CachedViewRow | undefined> {
    const tx = this.db.transaction(CACHED_VIEW_STORES, "readwrite", { durability: "relaxed" });
    const shelf = tx.objectStore("shelf");
    const [row, shelved] = await Promise.all([tx.objectStore("windows").get(key), shelf.get(key)]);
    if (shelved) void shelf.put({ ...shelved, opened: this.now() });
    await tx.done;
    return row;
  }

  /**
   * Caches a view at a position in the events, and evicts the least recently opened ones. Returns
   * false if the cache is at another position.
   */
  async put(
    row: CachedViewRow,
    { last_event_id }: Pick<Cursor, "last_event_id">,
  ): Promise<boolean> {
    const stores = ["start", ...CACHED_VIEW_STORES] as const;
    const tx = this.db.transaction(stores, "readwrite", { durability: "relaxed" });
    const cursor: Cursor | undefined = await tx.objectStore("start").get("place");
    const isUnchanged = cursor?.queue_id === row.queue_id && cursor.last_event_id === last_event_id;
    if (isUnchanged) {
      const shelf = tx.objectStore("shelf");
      void tx.objectStore("windows").put(row);
      void shelf.put(sizeRowOf(row, this.now()));
      for (const key of excess(await shelf.getAll(), this.now()))
        forget(tx as WriteTransaction, key);
    }
    await tx.done;
    return isUnchanged;
  }
}

/** Applies events to cached messages. */
export async function applyEventsToCache(
  tx: WriteTransaction,
  events: readonly Event[],
): Promise<void> {
  const ids = new Set(events.flatMap(changedMessages));
  const moved = new Set(events.flatMap(movedMessageIds));
  const channels = new Set(events.flatMap(lostChannelIds));
  await updateCached(
    tx,
    (shelved) => canHoldOf(shelved, channels) || shelved.ids.some((id) => ids.has(id)),
    ({ messages }) => {
      const byId = new Map(messages.map((message) => [message.id, message]));
      const [starred, crossed] = [new Set<number>(), new Set<number>()];
      const slice = { byId, starred, newest: 0, moves: 0, crossed };
      for (const event of events) {
        if (changedMessages(event).length > 0) reduceMessages(slice, event, new Set());
      }
      const isLost = ({ stream_id }: Message) => stream_id !== undefined && channels.has(stream_id);
      return [...byId.values()].filter((message) => !moved.has(message.id) && !isLost(message));
    },
  );
}

/** Whether the events change cached messages. Most do not, so that no view must be read. */
export const affectsCachedViews = (events: readonly Event[]): boolean =>
  events.some((event) => changedMessages(event).length + lostChannelIds(event).length > 0);

/** After events were lost, keeps only conversations to which the user still has access. */
export async function deleteInaccessible(tx: WriteTransaction, snapshot: Snapshot): Promise<void> {
  const subscriptions: readonly { stream_id: number }[] = snapshot["subscriptions"] ?? [];
  const channels = new Set(subscriptions.map(({ stream_id }) => stream_id));
  const isIncluded = ({ stream_id }: Message) => stream_id === undefined || channels.has(stream_id);
  await updateCached(
    tx,
    ({ stream_id }) => stream_id === null || !channels.has(stream_id),
    ({ messages }) => messages.filter(isIncluded),
  );
}

/** `keep` returns the remaining messages of a view; a view without messages is deleted. */
async function updateCached(
  tx: WriteTransaction,
  concerns: (shelved: CachedViewSize) => boolean,
  keep: (row: CachedViewRow) => readonly Message[],
): Promise<void> {
  const windows = tx.objectStore("windows");
  const shelf = tx.objectStore("shelf");
  for (const shelved of (await shelf.getAll()).filter(concerns)) {
    const row = await windows.get(shelved.key);
    const messages = row ? keep(row) : [];
    if (!row || messages.length === 0) {
      forget(tx, shelved.key);
      continue;
    }
    const updated = { ...row, messages };
    void windows.put(updated);
    void shelf.put(sizeRowOf(updated, shelved.opened));
  }
}

function forget(tx: WriteTransaction, key: string): void {
  void tx.objectStore("windows").delete(key);
  void tx.objectStore("shelf").delete(key);
}

const canHoldOf = ({ stream_id }: CachedViewSize, channels: ReadonlySet<number>): boolean =>
  channels.size > 0 && (stream_id === null || channels.has(stream_id));

function changedMessages(event: Event): readonly number[] {
  switch (event.type) {
    case "delete_message":
      return event.message_ids ?? [event.message_id];
    case "update_message":
      return [event.message_id, ...event.message_ids];
    case "reaction":
    case "submessage":
      return [event.message_id];
    default:
      return [];
  }
}

/** They may belong to other views now, which request them. */
function movedMessageIds(event: Event): readonly number[] {
  if (event.type !== "update_message") return [];
  const { subject, new_stream_id, message_ids } = event;
  return subject === undefined && new_stream_id === undefined ? [] : message_ids;
}

/** Messages of channels that the user left. Requested again if they are still accessible. */
function lostChannelIds(event: Event): readonly number[] {
  if (event.type === "stream" && event.op === "delete") return event.stream_ids;
  if (event.type !== "subscription" || event.op !== "remove") return [];
  return event.subscriptions.map(({ stream_id }) => stream_id);
}

function sizeRowOf(
  { key, stream_id, isDear, messages }: CachedViewRow,
  openedAt: number,
): CachedViewSize {
  const ids = messages.map(({ id }) => id);
  // JavaScript strings take one or two bytes per UTF-16 unit.
  const bytes = messages.reduce((sum, { content }) => sum + 2 * content.length + MESSAGE_BYTES, 0);
  return { key, stream_id, isDear, opened: openedAt, bytes, ids };
}

/** The keys to evict. */
function excess(all: readonly CachedViewSize[], now: number): string[] {
  const old = all.filter(({ opened }) => now - opened > CACHED_AGE_MS_MAX);
  const rest = all.filter((item) => !old.includes(item));
  rest.sort((a, b) => Number(b.isDear) - Number(a.isDear) || b.opened - a.opened);
  let [count, bytes] = [0, 0];
  const expendable = rest.filter((item) => {
    count += item.ids.length;
    bytes += item.bytes;
    return count > CACHED_MESSAGES_MAX || bytes > WINDOWS_BYTES_MAX;
  });
  return [...old, ...expendable].map(({ key }) => key);
}
