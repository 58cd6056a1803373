// Checks that a client's initial state plus its events equals a snapshot of the current state.
import { expect } from "bun:test";
import type { Name } from "./users.ts";
import { CAN } from "../src/contract/events.ts";
import { dehydrate, hydrate, isKnownEvent, reduce } from "../src/web/store/state.ts";
import type { Event, Snapshot } from "../src/web/contract/snapshot.ts";
import type { TestServer } from "./test-server.ts";

/** Queue timeout, since a test may advance the clock by days before a client polls again. */
const IDLE_SECONDS = 604_800;

/** Capabilities of a client that supports everything. */
export const CAPABLE = Object.fromEntries(Object.keys(CAN).map((name) => [name, true]));

/** Register parameters of two clients: the browser, and one without capabilities. */
export const CLIENTS: Record<string, unknown>[] = [
  {
    apply_markdown: true,
    idle_queue_timeout: IDLE_SECONDS,
    client_gravatar: false,
    slim_presence: true,
    include_subscribers: true,
    client_capabilities: CAPABLE,
  },
  { include_subscribers: true, idle_queue_timeout: IDLE_SECONDS },
];

/** Fields that change with time alone, or that belong to the queue. */
const VOLATILE = [
  "queue_id",
  "last_event_id",
  "server_timestamp",
  "presence_last_update_id",
  "server_generation",
];
/** Fields for which the protocol has no events. */
const UNSENT_EVENTS = [
  "subscriber_count",
  "stream_weekly_traffic",
  "first_message_id",
  "can_create_streams",
  "can_create_public_streams",
  "can_create_private_streams",
  "can_create_web_public_streams",
  "can_subscribe_other_users",
  "can_invite_others_to_realm",
  "realm_allow_edit_history",
  "jitsi_server_url",
];

/**
 * Runs `act` while clients of these users listen, one for each form. Then compares each client's
 * state with a fresh snapshot. Returns the events that each user's first client received.
 */
export async function staysInSync<T>(
  testServer: TestServer,
  user: readonly Name[],
  action: () => Promise<T>,
): Promise<{ result: T; events: Partial<Record<Name, Record<string, any>[]>> }> {
  const clients = [];
  for (const name of user) {
    for (const form of CLIENTS) {
      const snapshot: Snapshot = await testServer.request(name, "POST /register", form);
      const { queue_id, last_event_id } = snapshot;
      if (typeof queue_id !== "string" || last_event_id === undefined) throw new Error("no queue");
      clients.push({ name, form, queue_id, last_event_id, state: hydrate(snapshot) });
    }
  }
  const result = await action();
  const eventsByUser: Partial<Record<Name, Record<string, any>[]>> = {};
  const received = [];
  for (const client of clients) {
    const events = await drain(testServer, client);
    eventsByUser[client.name] ??= events;
    received.push({ ...client, events });
  }
  const unsent = unreportedBy(received.flatMap(({ events }) => events));
  for (const { name, form, queue_id, state, events } of received) {
    const expectedState = stateAfterEvents(state, events);
    const fresh: Snapshot = await testServer.request(name, "POST /register", form);
    await testServer.request(name, "DELETE /events", { queue_id: fresh.queue_id });
    await testServer.request(name, "DELETE /events", { queue_id });
    for (const field of unsent) {
      Reflect.deleteProperty(expectedState, field);
      Reflect.deleteProperty(fresh, field);
    }
    expect({ who: name, ...normalizeSnapshot(expectedState) }).toEqual({
      who: name,
      ...normalizeSnapshot(fresh),
    });
  }
  return { result, events: eventsByUser };
}

/** Returns the browser's state after these events; an unknown event fails the test. */
export function stateAfterEvents(
  state: ReturnType<typeof hydrate>,
  events: readonly object[],
): Snapshot {
  const received = structuredClone(events) as Event[];
  expect(received.filter(({ type }) => !isKnownEvent(type))).toEqual([]);
  reduce(state, received);
  return dehydrate(state);
}

/**
 * Some clients do not receive the event of a deleted message, and no client learns from it which
 * message is the newest.
 */
function unreportedBy(events: readonly Record<string, any>[]): string[] {
  const removal = events.filter((event) => event["type"] === "delete_message");
  if (removal.length === 0) return [];
  const isDirect = removal.some((event) => event["message_type"] === "private");
  return ["max_message_id", ...(isDirect ? ["recent_private_conversations"] : [])];
}

/** Returns all pending events of the queue. */
async function drain(
  testServer: TestServer,
  { name, queue_id, last_event_id }: { name: Name; queue_id: string; last_event_id: number },
): Promise<Record<string, any>[]> {
  await testServer.untilIdle();
  const response = await testServer.request(name, "GET /events", {
    queue_id,
    last_event_id,
    dont_block: true,
  });
  const ids = response.events.map((event: { id: number }) => event.id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => Number(a) - Number(b)));
  return response.events;
}

/** Removes the fields that may differ, and sorts lists. */
export function normalizeSnapshot(snapshot: Record<string, any>): Record<string, any> {
  const copy = { ...snapshot };
  for (const name of VOLATILE) delete copy[name];
  return sortDeep(copy) as Record<string, any>;
}

/** Returns a sorted copy. */
function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length < 2) return value.map(sortDeep);
    const items = value.map(sortDeep).map((item) => ({ item, text: JSON.stringify(item) }));
    return items.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ item }) => item);
  }
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([name]) => !UNSENT_EVENTS.includes(name));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sortDeep(item)]));
}
