// Members of a channel, loaded completely only when they are displayed.
import { dropSubscribers, addSubscribers, fetchSubscribers } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { withConcurrentEvents, getState, invalidate } from "../../store/store.ts";
import { compareNames } from "../../matching.ts";
import type { Event } from "../../contract/snapshot.ts";
import { valueOf } from "../../content/item-at.ts";
import { membersOf } from "../groups/member-selectors.ts";
import { personOf } from "../people/state.ts";
import type { Picked } from "../picker/selectors.ts";
import { presenceOf } from "../presence/selectors.ts";

const requests = new Map<number, Promise<void>>();

/** Loads all members if only some are known. Events keep the list current afterwards. */
export function loadSubscribers(stream_id: number): Promise<void> {
  const channel = getState().channels.channels.get(stream_id);
  if (!channel?.isPartial) return Promise.resolve();
  let loading = requests.get(stream_id);
  if (!loading) {
    loading = withConcurrentEvents(() => fetchSubscribers(sync, { stream_id }))
      .then(([{ subscribers }, concurrent]) => {
        const channel = getState().channels.channels.get(stream_id);
        if (!channel) return;
        channel.subscribers = new Set(subscribers);
        channel.isPartial = false;
        for (const event of concurrent) repeat(event, stream_id, channel.subscribers);
        invalidate([`subscribers:${stream_id}`]);
      })
      .finally(() => requests.delete(stream_id));
    requests.set(stream_id, loading);
  }
  return loading;
}

/** The event was counted before the response arrived. */
function repeat(event: Event, stream_id: number, subscribers: Set<number>): void {
  if (event.type !== "subscription" || event.op === "update") return;
  const { me } = getState().people;
  if (event.op === "peer_add" || event.op === "peer_remove") {
    if (!event.stream_ids.includes(stream_id)) return;
    for (const id of event.user_ids)
      if (event.op === "peer_add") subscribers.add(id);
      else subscribers.delete(id);
  } else if (event.subscriptions.some((subscription) => subscription.stream_id === stream_id)) {
    if (event.op === "add") subscribers.add(me);
    else subscribers.delete(me);
  }
}

/** Active users come first, bots last. */
export function firstSubscribers(ids: Iterable<number>, count: number): number[] {
  const state = getState();
  const seconds = Date.now() / 1000;
  const rank = (id: number): number => {
    const presence = presenceOf(state, id, seconds);
    return presence === undefined ? 3 : ["active", "idle", "away"].indexOf(presence);
  };
  return [...ids]
    .flatMap((id) => {
      const person = state.people.active.get(id);
      return person ? [{ id, name: person.full_name, rank: rank(id) }] : [];
    })
    .sort((a, b) => a.rank - b.rank || compareNames(a.name, b.name))
    .slice(0, count)
    .map(({ id }) => id);
}

/** All selected users, including members of groups and subscribers of channels. */
export async function peopleOf(picked: readonly Picked[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const { kind, id } of picked) {
    if (kind === "person") ids.add(id);
    else if (kind === "group")
      for (const userId of membersOf(getState().groups, id)) ids.add(userId);
    else {
      await loadSubscribers(id);
      for (const userId of getState().channels.channels.get(id)?.subscribers ?? []) ids.add(userId);
    }
  }
  const { people } = getState();
  return [...ids].filter((id) => people.active.has(id));
}

export async function addToChannel(stream_id: number, ids: readonly number[], isNotified: boolean) {
  const name = valueOf(getState().channels.channels, stream_id).row.name;
  return addSubscribers(sync, {
    subscriptions: [{ name }],
    principals: [...ids],
    send_new_subscription_messages: isNotified,
  });
}

export async function unsubscribe(stream_id: number, user_id: number) {
  const name = valueOf(getState().channels.channels, stream_id).row.name;
  return dropSubscribers(sync, { subscriptions: [name], principals: [user_id] });
}

export const nameOfPerson = (id: number): string =>
  personOf(getState().people, id)?.full_name ?? "";
