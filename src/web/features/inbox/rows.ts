// What the inbox shows, in order: unread conversations under their channel, as one filters them.
import { finds } from "../../matching.ts";
import type { State } from "../../state.ts";
import { personOf } from "../people/state.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import type { UnreadPlace } from "../unread/places.ts";

export const INBOX_FILTERS = ["unmuted", "followed", "all"] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

export interface InboxHead {
  key: string;
  isHead: true;
  /** null: direct messages. */
  stream_id: number | null;
  isFolded: boolean;
  /** Of what is shown below it. */
  count: number;
  mentions: number;
  places: UnreadPlace[];
}

export interface InboxRow {
  key: string;
  isHead?: false;
  /** As it was when it was read, if it has been since. */
  place: UnreadPlace;
}

export type InboxItem = InboxHead | InboxRow;

interface Wanted {
  filter: InboxFilter;
  words: string;
  folded: ReadonlySet<string>;
  /** The row that one is at stays, also when it is read. */
  held: UnreadPlace | undefined;
}

export function inboxItems(state: State, { filter, words, folded, held }: Wanted): InboxItem[] {
  const groups = new Map<number | null, UnreadPlace[]>();
  const places = [...state.unread.places.values()];
  if (held && !state.unread.places.has(held.key)) places.push(held);
  for (const place of places) {
    if (!passes(state, place, filter) || !isFound(state, place, words)) continue;
    const group = groups.get(place.stream_id);
    if (group) group.push(place);
    else groups.set(place.stream_id, [place]);
  }
  const sorted = [...groups].sort((a, b) => orderOf(state, a) - orderOf(state, b));
  return sorted.flatMap(([stream_id, group]) => {
    const head = headOf(stream_id, group, folded);
    if (head.isFolded) return [head];
    return [head, ...group.sort(byCallThenNewest).map((place) => ({ key: place.key, place }))];
  });
}

const byCallThenNewest = (a: UnreadPlace, b: UnreadPlace) =>
  Number(b.mentions > 0) - Number(a.mentions > 0) || newestOf(b) - newestOf(a);

export const newestOf = ({ ids }: UnreadPlace): number => ids.at(-1) ?? 0;

function headOf(
  stream_id: number | null,
  places: UnreadPlace[],
  folded: ReadonlySet<string>,
): InboxHead {
  const key = stream_id === null ? "directs" : `channel/${stream_id}`;
  const sum = (of: (place: UnreadPlace) => number) => places.reduce((all, one) => all + of(one), 0);
  return {
    key,
    isHead: true,
    stream_id,
    isFolded: folded.has(key),
    count: sum(({ ids }) => ids.length),
    mentions: sum(({ mentions }) => mentions),
    places,
  };
}

/** Direct messages, then pinned channels, then the others, each the newest first. */
function orderOf({ channels }: State, [stream_id, places]: [number | null, UnreadPlace[]]): number {
  if (stream_id === null) return -Infinity;
  const newest = Math.max(...places.map(newestOf));
  const isPinned = channels.channels.get(stream_id)?.row.pin_to_top === true;
  return (isPinned ? -Number.MAX_SAFE_INTEGER / 2 : 0) - newest;
}

function passes({ topics }: State, place: UnreadPlace, filter: InboxFilter): boolean {
  const { stream_id, topic, isMuted } = place;
  if (filter === "all") return true;
  if (filter === "unmuted") return !isMuted;
  return stream_id !== null && policyOf(topics, stream_id, topic) === VISIBILITY.followed;
}

function isFound({ channels, people }: State, place: UnreadPlace, words: string): boolean {
  if (words.trim() === "") return true;
  const { stream_id, topic, user_ids } = place;
  if (stream_id !== null) {
    return finds(words, `${topic} ${channels.channels.get(stream_id)?.row.name ?? ""}`);
  }
  const ids = user_ids.length === 0 ? [people.me] : user_ids;
  return finds(words, ids.map((id) => personOf(people, id)?.full_name ?? "").join(" "));
}
