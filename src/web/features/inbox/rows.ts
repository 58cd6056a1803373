// The rows of the inbox in order: filtered unread conversations by channel.
import { matchesWords } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { personOf } from "../people/state.ts";
import { mergeInOrder } from "../lists/stable-order.ts";
import { firstOf } from "../../content/item-at.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import type { UnreadConversation } from "../unread/by-conversation-state.ts";

export const INBOX_FILTERS = ["unmuted", "followed", "all"] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

export interface InboxHead {
  key: string;
  isHead: true;
  /** null: direct messages, or a folder. */
  stream_id: number | null;
  /** The name of a folder, whose channels follow; "" for channels without one. */
  folder?: string;
  /** The key of its folder's heading. */
  above?: string;
  /** The key of the first row below it. */
  first: string;
  isFolded: boolean;
  /** Number of unread messages below it. */
  count: number;
  mentions: number;
  conversations: UnreadConversation[];
}

interface InboxRow {
  key: string;
  isHead?: false;
  /** The conversation as it was when the user read it. */
  conversation: UnreadConversation;
}

export type InboxItem = InboxHead | InboxRow;

interface InboxQuery {
  filter: InboxFilter;
  text: string;
  folded: ReadonlySet<string>;
  /** The current row stays, even after it was read. */
  retained: UnreadConversation | undefined;
  /** Keys in the order to preserve. */
  before: readonly string[];
}

export function inboxItems(state: State, query: InboxQuery): InboxItem[] {
  const { filter, text, folded, retained, before } = query;
  const groups = new Map<number | null, UnreadConversation[]>();
  const conversations = [...state.unread.conversations.values()];
  if (retained && !state.unread.conversations.has(retained.key)) conversations.push(retained);
  for (const conversation of conversations) {
    if (!passesFilter(state, conversation, filter) || !matchesSearch(state, conversation, text))
      continue;
    const group = groups.get(conversation.stream_id);
    if (group) group.push(conversation);
    else groups.set(conversation.stream_id, [conversation]);
  }
  const newestFirst = [...groups].sort((a, b) => orderOf(state, a) - orderOf(state, b));
  const sorted = mergeInOrder(before, newestFirst, ([stream_id]) => headKey(stream_id));
  const [withoutFolder, foldered] = groupByFolder(state, sorted);
  const ofGroup = ([stream_id, places]: ChannelConversations, above?: string): InboxItem[] => {
    const group = [...mergeInOrder(before, places.sort(byCallThenNewest), ({ key }) => key)];
    const key = headKey(stream_id);
    const head = headOf(key, group, folded, { stream_id, first: firstOf(group).key });
    if (above !== undefined) head.above = above;
    return head.isFolded
      ? [head]
      : [head, ...group.map((conversation) => ({ key: conversation.key, conversation }))];
  };
  const ofFolder = ({ id, name, groups: within }: Folder): InboxItem[] => {
    const key = `folder/${id}`;
    const all = within.flatMap(([, places]) => places);
    const more = { stream_id: null, folder: name, first: headKey(firstOf(within)[0]) };
    const head = headOf(key, all, folded, more);
    return head.isFolded ? [head] : [head, ...within.flatMap((group) => ofGroup(group, key))];
  };
  const isAbove = ([stream_id]: ChannelConversations) =>
    stream_id === null || isPinned(state, stream_id);
  const above = withoutFolder.filter(isAbove).flatMap((group) => ofGroup(group));
  const rest = withoutFolder.filter((group) => !isAbove(group));
  if (foldered.length === 0) return [...above, ...rest.flatMap((group) => ofGroup(group))];
  // Channels without a folder are not part of the folder above them.
  const ungrouped = rest.length > 0 ? [{ id: 0, name: "", groups: rest }] : [];
  return [...above, ...[...foldered, ...ungrouped].flatMap(ofFolder)];
}

/** Unread conversations of a channel, or direct messages. */
type ChannelConversations = [stream_id: number | null, places: UnreadConversation[]];

interface Folder {
  id: number;
  name: string;
  groups: ChannelConversations[];
}

/** Groups by folder in order, and those without one. Pinned channels have no folder. */
function groupByFolder(
  state: State,
  groups: readonly ChannelConversations[],
): [ChannelConversations[], Folder[]] {
  const { channels, settings } = state;
  if (settings.settings["web_inbox_show_channel_folders"] === false) return [[...groups], []];
  const folders = [...channels.folders.values()]
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => a.order - b.order)
    .map(({ id, name }): Folder => ({ id, name, groups: [] }));
  const withoutFolder = groups.filter((group) => {
    const [stream_id] = group;
    if (stream_id === null || isPinned(state, stream_id)) return true;
    const folder_id = channels.channels.get(stream_id)?.row.folder_id;
    const folder = folders.find(({ id }) => id === folder_id);
    folder?.groups.push(group);
    return folder === undefined;
  });
  return [withoutFolder, folders.filter((folder) => folder.groups.length > 0)];
}

const isPinned = ({ channels }: State, stream_id: number): boolean =>
  channels.channels.get(stream_id)?.row.pin_to_top === true;

export const headKey = (stream_id: number | null): string =>
  stream_id === null ? "directs" : `channel/${stream_id}`;

const byCallThenNewest = (a: UnreadConversation, b: UnreadConversation) =>
  Number(b.mentions > 0) - Number(a.mentions > 0) || newestUnreadId(b) - newestUnreadId(a);

export const newestUnreadId = ({ ids }: UnreadConversation): number => ids.at(-1) ?? 0;

function headOf(
  key: string,
  conversations: UnreadConversation[],
  folded: ReadonlySet<string>,
  more: Pick<InboxHead, "stream_id" | "folder" | "first">,
): InboxHead {
  const total = (valueOf: (conversation: UnreadConversation) => number) =>
    conversations.reduce((all, conversation) => all + valueOf(conversation), 0);
  return {
    key,
    isHead: true,
    ...more,
    isFolded: folded.has(key),
    count: total(({ ids }) => ids.length),
    mentions: total(({ mentions }) => mentions),
    conversations,
  };
}

/** Direct messages, then pinned channels, then the others, each newest first. */
function orderOf(state: State, [stream_id, conversations]: ChannelConversations): number {
  if (stream_id === null) return -Infinity;
  const newest = Math.max(...conversations.map(newestUnreadId));
  return (isPinned(state, stream_id) ? -Number.MAX_SAFE_INTEGER / 2 : 0) - newest;
}

function passesFilter(
  { topics }: State,
  conversation: UnreadConversation,
  filter: InboxFilter,
): boolean {
  const { stream_id, topic, isMuted } = conversation;
  if (filter === "all") return true;
  if (filter === "unmuted") return !isMuted;
  return stream_id !== null && policyOf(topics, stream_id, topic) === VISIBILITY.followed;
}

function matchesSearch(
  { channels, people }: State,
  conversation: UnreadConversation,
  text: string,
): boolean {
  if (text.trim() === "") return true;
  const { stream_id, topic, user_ids } = conversation;
  if (stream_id !== null) {
    return matchesWords(text, `${topic} ${channels.channels.get(stream_id)?.row.name ?? ""}`);
  }
  const ids = user_ids.length === 0 ? [people.me] : user_ids;
  return matchesWords(text, ids.map((id) => personOf(people, id)?.full_name ?? "").join(" "));
}
