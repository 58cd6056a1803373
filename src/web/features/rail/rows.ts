// Which places the rail shows, and in which order.
import { finds } from "../../matching.ts";
import type { State } from "../../state.ts";
import type { KnownChannel } from "../channels/state.ts";
import { conversationKey, recentConversations } from "../conversations/state.ts";
import { foldTopic, type KnownTopic, policyOf, topicKey, VISIBILITY } from "../topics/state.ts";

const CONVERSATIONS_MAX = 8;
const CONVERSATIONS_MAX_UNREAD = 12;
const TOPICS_MAX = 10;
const TOPICS_READ_MAX = 6;
/** Unread ones that may be of any age, besides those that are followed. */
const TOPICS_UNREAD_MAX = 5;
const FOUND_TOPICS_MAX = 8;

/** The newest, and more of those with something unread. */
export function railConversations({ conversations, unread }: State): number[][] {
  const recent = recentConversations(conversations);
  const isUnread = ({ user_ids }: { user_ids: number[] }) =>
    unread.places.has(conversationKey(user_ids));
  const shown = recent.filter((one, at) => at < CONVERSATIONS_MAX || isUnread(one));
  return shown.slice(0, CONVERSATIONS_MAX_UNREAD).map(({ user_ids }) => user_ids);
}

export interface Section {
  /** `pinned`, `folder/3`, or `channels` for those in none. */
  key: string;
  /** The name of a folder. */
  name?: string;
  channels: KnownChannel[];
}

const DEMOTING = { automatic: 1, always: 2 } as const;
/** With more channels, inactive ones move to the bottom. */
const MANY_CHANNELS = 30;

/** Pinned channels, then folders in their order, where one wants them, then the rest. */
export function railSections({ channels, settings }: State): Section[] {
  const pinned: Section = { key: "pinned", channels: [] };
  const rest: Section = { key: "channels", channels: [] };
  const isFoldered = settings.settings["web_left_sidebar_show_channel_folders"] !== false;
  const folders = [...channels.folders.values()]
    .filter(({ is_archived }) => isFoldered && !is_archived)
    .sort((a, b) => a.order - b.order);
  const byFolder = new Map<number, Section>(
    folders.map(({ id, name }) => [id, { key: `folder/${id}`, name, channels: [] }]),
  );
  for (const channel of channels.channels.values()) {
    const { standing, row } = channel;
    if (standing !== "subscribed" || row.is_archived) continue;
    const folder = row.folder_id === null ? undefined : byFolder.get(row.folder_id);
    (row.pin_to_top ? pinned : (folder ?? rest)).channels.push(channel);
  }
  const sections = [pinned, ...byFolder.values(), rest];
  const demoting = settings.settings["demote_inactive_streams"];
  const isMany = sections.flatMap((section) => section.channels).length >= MANY_CHANNELS;
  const isByLife = demoting === DEMOTING.always || (demoting === DEMOTING.automatic && isMany);
  for (const section of sections) {
    // Pinned channels keep their place.
    section.channels.sort(inOrder(isByLife && section !== pinned));
  }
  return sections.filter((section) => section.channels.length > 0 || section === rest);
}

/** By name, with inactive channels below the others and muted ones last. */
function inOrder(isByLife: boolean) {
  const rank = ({ row }: KnownChannel) =>
    (row.is_muted ? 2 : 0) + (isByLife && !row.is_recently_active ? 1 : 0);
  return (a: KnownChannel, b: KnownChannel) =>
    rank(a) - rank(b) || a.row.name.localeCompare(b.row.name);
}

/** In the order of the sidebar, for the keys that move between channels. */
export const railChannels = (state: State): KnownChannel[] =>
  railSections(state).flatMap((section) => section.channels);

/** The current topic, unread topics and the newest ones, up to a limit. The newest first. */
export function railTopics(state: State, stream_id: number, current?: string): string[] {
  const { topics, unread } = state;
  const newest = newestTopics(state, stream_id);
  const shown = new Set<string>();
  const isUnread = (name: string) => unread.places.has(topicKey(stream_id, name));
  const policy = (name: string) => policyOf(topics, stream_id, name);
  let [seen, waiting] = [0, 0];
  for (const { name } of newest) {
    if (current !== undefined && foldTopic(name) === foldTopic(current)) shown.add(name);
    else if (!isUnread(name) || policy(name) === VISIBILITY.muted) continue;
    else if (policy(name) === VISIBILITY.followed) shown.add(name);
    else if (++waiting <= TOPICS_UNREAD_MAX) shown.add(name);
  }
  for (const { name } of newest) {
    if (shown.size >= TOPICS_MAX || seen >= TOPICS_READ_MAX) break;
    if (shown.has(name) || isUnread(name) || policy(name) === VISIBILITY.muted) continue;
    shown.add(name);
    seen++;
  }
  const names = newest.flatMap(({ name }) => (shown.has(name) ? [name] : []));
  // The topic has no messages yet.
  if (current === undefined || names.some((name) => foldTopic(name) === foldTopic(current))) {
    return names;
  }
  return [current, ...names];
}

/** All that are known of a channel: by lists, by messages, or by what is unread in them. */
export function newestTopics({ topics, unread }: State, stream_id: number): KnownTopic[] {
  const known = new Map(topics.known.get(stream_id));
  for (const { topic, ids } of unread.channels.get(stream_id)?.places ?? []) {
    const key = foldTopic(topic);
    if (!known.has(key)) known.set(key, { name: topic, max_id: ids.at(-1) ?? 0 });
  }
  return [...known.values()].sort((a, b) => b.max_id - a.max_id);
}

/** Matches of the filter: channels by name, with their matching topics. */
export function foundInRail(
  state: State,
  words: string,
): { channel: KnownChannel; topics: string[] }[] {
  return railChannels(state).flatMap((channel) => {
    const { stream_id, name } = channel.row;
    const found = newestTopics(state, stream_id).filter((topic) => finds(words, topic.name));
    const topics = found.slice(0, FOUND_TOPICS_MAX).map((topic) => topic.name);
    return topics.length > 0 || finds(words, name) ? [{ channel, topics }] : [];
  });
}
