// The sync law's reducer for channels and subscriptions.
import type { Event, State } from "./reduce.ts";

/** true: the event was one of these. */
export function reduceChannels(state: State, event: Event): boolean {
  if (event["type"] === "stream") streamChanged(state, event);
  else if (event["type"] === "subscription") subscriptionChanged(state, event);
  else return false;
  return true;
}

function streamChanged(state: State, event: Event): void {
  if (event["op"] === "create") {
    for (const stream of event["streams"]) {
      forgetStream(state, stream["stream_id"]);
      state["streams"]?.push(stream);
      state["never_subscribed"].push({ ...stream, subscribers: [] });
    }
  } else if (event["op"] === "delete") {
    for (const id of event["stream_ids"]) forgetStream(state, id);
  } else if (event["op"] === "update") {
    const { property, value, stream_id } = event;
    const extra = pick(event, [
      "rendered_description",
      "history_public_to_subscribers",
      "is_web_public",
    ]);
    for (const row of rowsOf(state, stream_id)) Object.assign(row, { [property]: value, ...extra });
  }
}

const LISTS = ["streams", "subscriptions", "unsubscribed", "never_subscribed"];

function rowsOf(state: State, stream_id: number): Event[] {
  return LISTS.flatMap((list) =>
    (state[list] ?? []).filter((row: Event) => row["stream_id"] === stream_id),
  );
}

function forgetStream(state: State, stream_id: number): void {
  for (const list of LISTS) {
    if (!state[list]) continue;
    state[list] = state[list].filter((row: Event) => row["stream_id"] !== stream_id);
  }
}

function subscriptionChanged(state: State, event: Event): void {
  switch (event["op"]) {
    case "add":
      for (const sub of event["subscriptions"]) {
        takeRow(state, sub["stream_id"]);
        state["subscriptions"].push(sub);
      }
      return;
    case "remove":
      for (const { stream_id } of event["subscriptions"]) {
        const row = takeRow(state, stream_id);
        if (!row) continue;
        row["subscribers"] = without(row["subscribers"], [state["user_id"]]);
        state["unsubscribed"].push(row);
        const { streams } = state["unread_msgs"];
        const gone = streams.filter((bucket: Event) => bucket["stream_id"] === stream_id);
        const ids: number[] = gone.flatMap((bucket: Event) => bucket["unread_message_ids"]);
        state["unread_msgs"].streams = streams.filter((bucket: Event) => !gone.includes(bucket));
        state["unread_msgs"].mentions = without(state["unread_msgs"].mentions, ids);
      }
      return;
    case "update": {
      const row = state["subscriptions"].find(
        (sub: Event) => sub["stream_id"] === event["stream_id"],
      );
      // A client that knows of no archive has no row of what is in it.
      if (row) row[event["property"]] = event["value"];
      return;
    }
    default:
      peersChanged(state, event);
  }
}

function peersChanged(state: State, { op, stream_ids, user_ids }: Event): void {
  for (const id of stream_ids) {
    for (const row of rowsOf(state, id)) {
      if (!row["subscribers"]) continue;
      const rest = without(row["subscribers"], user_ids);
      row["subscribers"] = op === "peer_add" ? [...rest, ...user_ids] : rest;
    }
  }
}

function takeRow(state: State, stream_id: number): Event | undefined {
  for (const list of ["subscriptions", "unsubscribed", "never_subscribed"]) {
    const row = state[list].find((candidate: Event) => candidate["stream_id"] === stream_id);
    if (!row) continue;
    state[list] = state[list].filter((candidate: Event) => candidate !== row);
    return row;
  }
  return undefined;
}

const without = (ids: number[], gone: number[]) => ids.filter((id) => !gone.includes(id));

function pick(event: Event, names: string[]): Event {
  return Object.fromEntries(names.filter((n) => n in event).map((n) => [n, event[n]]));
}
