// Channels and topics that match the typed text, most likely first.
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import { type Channel, isSubscribed } from "../channels/state.ts";
import { folded } from "../../matching.ts";
import { firstBy, bestBy, type Criterion, isBefore, type Rank } from "./people.ts";
import type { Suggestion } from "./suggestion.ts";
import type { Trigger } from "./trigger.ts";

export const SUGGESTIONS_MAX = 8;

/** A word of the name starts with the text, or the name contains it. */
function matches(name: string, foldedQuery: string): number {
  const text = folded(name);
  if (text.startsWith(foldedQuery)) return 2;
  return new RegExp(`[\\s\\-_.]${escaped(foldedQuery)}`).test(text) ? 1 : 0;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

export function suggestChannels(query: string, state: State): Suggestion[] {
  return channelsBy(query, state).map((channel) => ({
    kind: "channel",
    channel,
    insertion: `#**${channel.name}** `,
  }));
}

export function channelsBy(query: string, state: State): Channel[] {
  const foldedQuery = folded(query);
  const criteria: readonly Criterion<Channel>[] = [
    (row) => matches(row.name, foldedQuery),
    (row) => (isSubscribed(state.channels, row.stream_id) ? 1 : 0),
    (row) => (row.pin_to_top ? 1 : 0),
    (row) => (row.is_recently_active ? 1 : 0),
    (row) => -row.stream_id,
  ];
  const rows = [...state.channels.channels.values()].map(({ row }) => row);
  const matchingChannels = rows.filter(
    (row) => !row.is_archived && matches(row.name, foldedQuery) > 0,
  );
  return bestBy(matchingChannels, SUGGESTIONS_MAX, criteria);
}

/** Topics of all channels, for users who do not remember the channel. */
export function suggestTopicsAnywhere(
  query: string,
  state: State,
  conversation: ConversationRef | undefined,
): Suggestion[] {
  const foldedQuery = folded(query);
  if (foldedQuery.length < 2) return [];
  const openStreamId =
    conversation && "stream_id" in conversation ? conversation.stream_id : undefined;
  const matches: { channel: Channel; topic: string; rank: Rank }[] = [];
  for (const [stream_id, list] of state.topics.byChannel) {
    const channel = state.channels.channels.get(stream_id)?.row;
    if (!channel) continue;
    for (const { name, max_id } of list.values()) {
      if (!folded(name).includes(foldedQuery)) continue;
      matches.push({ channel, topic: name, rank: [stream_id === openStreamId ? 1 : 0, max_id] });
    }
  }
  return firstBy(matches, SUGGESTIONS_MAX, (a, b) => isBefore(a.rank, b.rank)).map(topicSuggestion);
}

const topicSuggestion = ({ channel, topic }: { channel: Channel; topic: string }): Suggestion => {
  return {
    kind: "topic",
    channel,
    topic,
    isNew: false,
    insertion: `#**${channel.name}>${topic}** `,
  };
};

export function suggestTopicsOf(
  { channel: name = "", query }: Trigger,
  state: State,
): Suggestion[] {
  const rows = [...state.channels.channels.values()].map(({ row }) => row);
  const channel = rows.find((row) => row.name === name);
  if (!channel) return [];
  const topicNames = topicsOf(channel.stream_id, query, state);
  return topicNames.map((topic) => topicSuggestion({ channel, topic }));
}

/** Topics of a channel, newest first. */
export function topicsOf(stream_id: number, query: string, state: State): string[] {
  const foldedQuery = folded(query);
  const topics = [...(state.topics.byChannel.get(stream_id)?.values() ?? [])];
  const matches = topics.filter(({ name }) => folded(name).includes(foldedQuery));
  return firstBy(matches, SUGGESTIONS_MAX, (a, b) => a.max_id > b.max_id).map(({ name }) => name);
}

/** Number of other subscribers of the channel. */
export function othersIn({ channels }: State, stream_id: number): number {
  const count = channels.channels.get(stream_id)?.row.subscriber_count ?? 0;
  return isSubscribed(channels, stream_id) ? count - 1 : count;
}
