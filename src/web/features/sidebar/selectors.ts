// The places in the sidebar, and their order.
import type { State } from "../../store/state.ts";
import type { KnownChannel } from "../channels/state.ts";
import { recentConversations } from "../conversations/state.ts";
import { type KnownTopic, policyOf, VISIBILITY } from "../topics/state.ts";
import { t } from "../../words/words.ts";
import { conversationKey, foldTopic, topicKey } from "../../conversation-keys.ts";

const CONVERSATIONS_MAX = 8;
const CONVERSATIONS_MAX_UNREAD = 12;
const TOPICS_MAX = 10;
const TOPICS_READ_MAX = 6;
/** Unread topics of any age, in addition to followed ones. */
const TOPICS_UNREAD_MAX = 5;

/** The newest conversations, and more of those with unread messages. */
export function sidebarConversations({ conversations, unread }: State): number[][] {
  const recent = recentConversations(conversations);
  const isUnread = ({ user_ids }: { user_ids: number[] }) =>
    unread.conversations.has(conversationKey(user_ids));
  const visible = recent.filter(
    (conversation, index) => index < CONVERSATIONS_MAX || isUnread(conversation),
  );
  return visible.slice(0, CONVERSATIONS_MAX_UNREAD).map(({ user_ids }) => user_ids);
}

export interface SidebarSection {
  /** `pinned`, `folder/3`, or `channels` for channels without a folder. */
  key: string;
  /** The name of a folder. */
  name?: string;
  channels: KnownChannel[];
}

export const sectionName = ({ key, name }: SidebarSection): string =>
  name ?? t(key === "pinned" ? "pinned" : "channels");

const DEMOTE_POLICY = { automatic: 1, always: 2 } as const;
/** With more channels, inactive ones move to the bottom. */
const MANY_CHANNELS = 30;

/** Pinned channels, then folders if the user wants them, then the rest. */
export function sidebarSections({ channels, settings }: State): SidebarSection[] {
  const pinned: SidebarSection = { key: "pinned", channels: [] };
  const rest: SidebarSection = { key: "channels", channels: [] };
  const isFoldered = settings.settings["web_left_sidebar_show_channel_folders"] !== false;
  const folders = [...channels.folders.values()]
    .filter(({ is_archived }) => isFoldered && !is_archived)
    .sort(
      sortByIds(
        channels.order?.folders,
        ({ id }) => id,
        (a, b) => a.order - b.order,
      ),
    );
  const byFolder = new Map<number, SidebarSection>(
    folders.map(({ id, name }) => [id, { key: `folder/${id}`, name, channels: [] }]),
  );
  for (const channel of channels.channels.values()) {
    const { membership, row } = channel;
    if (membership !== "subscribed" || row.is_archived) continue;
    const folder = row.folder_id === null ? undefined : byFolder.get(row.folder_id);
    (row.pin_to_top ? pinned : (folder ?? rest)).channels.push(channel);
  }
  const sections = [pinned, ...byFolder.values(), rest];
  const demoting = settings.settings["demote_inactive_streams"];
  const isMany = sections.flatMap((section) => section.channels).length >= MANY_CHANNELS;
  const demotesInactive =
    demoting === DEMOTE_POLICY.always || (demoting === DEMOTE_POLICY.automatic && isMany);
  for (const section of sections) {
    // Pinned channels keep their place.
    const usual = compareChannels(demotesInactive && section !== pinned);
    section.channels.sort(sortByIds(channels.order?.channels, ({ row }) => row.stream_id, usual));
  }
  return sections.filter((section) => section.channels.length > 0 || section === rest);
}

/** First those that the user has put in order, then the others in the usual order. */
function sortByIds<T>(
  ids: readonly number[] = [],
  idOf: (item: T) => number,
  usual: (a: T, b: T) => number,
) {
  const positions = new Map(ids.map((id, index) => [id, index]));
  const placeOf = (item: T) => positions.get(idOf(item)) ?? ids.length;
  return (a: T, b: T) => placeOf(a) - placeOf(b) || usual(a, b);
}

/** Sorts by name, with inactive channels below the others and muted ones last. */
function compareChannels(demotesInactive: boolean) {
  const rank = ({ row }: KnownChannel) =>
    (row.is_muted ? 2 : 0) + (demotesInactive && !row.is_recently_active ? 1 : 0);
  return (a: KnownChannel, b: KnownChannel) =>
    rank(a) - rank(b) || a.row.name.localeCompare(b.row.name);
}

/** In the order of the sidebar, for the keys that move between channels. */
export const sidebarChannels = (state: State): KnownChannel[] =>
  sidebarSections(state).flatMap((section) => section.channels);

/** The current topic, unread topics and the newest ones, up to a limit. The newest first. */
export function sidebarTopics(state: State, stream_id: number, current?: string): string[] {
  const { topics, unread } = state;
  const newest = newestTopics(state, stream_id);
  const visibleKeys = new Set<string>();
  const isUnread = (name: string) => unread.conversations.has(topicKey(stream_id, name));
  const policy = (name: string) => policyOf(topics, stream_id, name);
  let [seenCount, remaining] = [0, 0];
  for (const { name } of newest) {
    if (current !== undefined && foldTopic(name) === foldTopic(current)) visibleKeys.add(name);
    else if (!isUnread(name) || policy(name) === VISIBILITY.muted) continue;
    else if (policy(name) === VISIBILITY.followed) visibleKeys.add(name);
    else if (++remaining <= TOPICS_UNREAD_MAX) visibleKeys.add(name);
  }
  for (const { name } of newest) {
    if (visibleKeys.size >= TOPICS_MAX || seenCount >= TOPICS_READ_MAX) break;
    if (visibleKeys.has(name) || isUnread(name) || policy(name) === VISIBILITY.muted) continue;
    visibleKeys.add(name);
    seenCount++;
  }
  const names = newest.flatMap(({ name }) => (visibleKeys.has(name) ? [name] : []));
  // The topic has no messages yet.
  if (current === undefined || names.some((name) => foldTopic(name) === foldTopic(current))) {
    return names;
  }
  return [current, ...names];
}

/** All known topics of a channel: from lists, messages or unread counts. */
export function newestTopics({ topics, unread }: State, stream_id: number): KnownTopic[] {
  const topicsByKey = new Map(topics.byChannel.get(stream_id));
  for (const { topic, ids } of unread.channels.get(stream_id)?.conversations ?? []) {
    const key = foldTopic(topic);
    if (!topicsByKey.has(key)) topicsByKey.set(key, { name: topic, max_id: ids.at(-1) ?? 0 });
  }
  return [...topicsByKey.values()].sort((a, b) => b.max_id - a.max_id);
}
