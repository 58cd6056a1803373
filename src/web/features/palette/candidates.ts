// Everything that the switcher can find: conversations, channels, users, views and commands.
import { ownValue } from "../../../text/input/own-value.ts";
import type { Command } from "../../ui/keys/commands.ts";
import type { IconName } from "../../content/icon-names.ts";
import type { State } from "../../store/state.ts";
import type { ConversationRef, View } from "../../views.ts";
import { isSubscribed } from "../channels/state.ts";
import { conversationKey } from "../../conversation-keys.ts";
import { topicKey } from "../../conversation-keys.ts";
import type { Candidate } from "./ranking.ts";

type CandidateTarget =
  | { kind: "conversation"; conversation: ConversationRef }
  | { kind: "channel"; stream_id: number; isIn: boolean }
  | { kind: "person"; user_id: number }
  | { kind: "view"; view: View; icon: IconName; command: string | undefined }
  | { kind: "command"; command: Command }
  | { kind: "help"; path: string };

export type PaletteEntry = Candidate & { target: CandidateTarget };
export type CandidateKind = "all" | "commands" | "channels" | "people";

const KIND_PREFIXES: Readonly<Record<string, CandidateKind>> = {
  ">": "commands",
  "#": "channels",
  "@": "people",
};

/** Parses the input: a prefix for the kind, and the name. */
export function parseInput(input: string): { kind: CandidateKind; query: string } {
  const kind = ownValue(KIND_PREFIXES, input[0] ?? "");
  return kind ? { kind, query: input.slice(1) } : { kind: "all", query: input };
}

export interface NamedView {
  name: string;
  view: View;
  icon: IconName;
  /** The command with the same effect, with its key. */
  command?: string;
}

/** A help page with its title. */
export interface HelpPage {
  path: string;
  title: string;
}

interface CandidateSources {
  nameOf(conversation: ConversationRef): string;
  /** 0: the current view; undefined: not visited recently. */
  visitedAt(key: string): number | undefined;
  views: readonly NamedView[];
  commands: readonly { name: string; command: Command }[];
  help: readonly HelpPage[];
}

/** Places that were visited in this tab rank above any message. */
const VISITED = 1e12;
/** Subscribed channels rank above users without a conversation. */
const OWN_WEIGHT = 1;

/** Returns the entries that change when messages arrive. */
export function dynamicEntries(
  state: State,
  kind: CandidateKind,
  sources: CandidateSources,
): PaletteEntry[] {
  if (kind === "channels") return channelEntries(state, sources);
  return kind === "all"
    ? [...conversationEntries(state, sources), ...channelEntries(state, sources)]
    : [];
}

/** Returns the entries that do not change while the switcher is open. */
export function staticEntries(
  state: State,
  kind: CandidateKind,
  sources: CandidateSources,
): PaletteEntry[] {
  const { commands } = sources;
  if (kind === "channels") return [];
  if (kind === "people") return peopleEntries(state);
  const doing = commands.map(({ name, command }): PaletteEntry => {
    return { key: `>${command.id}`, name, recency: 0, target: { kind: "command", command } };
  });
  const help = sources.help.map(({ path, title }): PaletteEntry => {
    return { key: `help ${path}`, name: title, recency: 0, target: { kind: "help", path } };
  });
  if (kind === "commands") return [...doing, ...help];
  return [
    ...peopleEntries(state),
    ...sources.views.map(({ name, view, icon, command }): PaletteEntry => {
      const target = { kind: "view", view, icon, command } as const;
      return { key: `view ${name}`, name, recency: OWN_WEIGHT, target };
    }),
    // The view is listed already, so the command for it is left out.
    ...doing.filter(({ key }) => !sources.views.some(({ command }) => key === `>${command}`)),
    ...help,
  ];
}

function recencyOf({ visitedAt }: CandidateSources, key: string, max_id: number): number {
  const visited = visitedAt(key);
  return visited === undefined ? max_id : VISITED - visited;
}

function conversationEntries(state: State, sources: CandidateSources): PaletteEntry[] {
  const { topics, channels, conversations } = state;
  const entries: PaletteEntry[] = [];
  for (const [stream_id, list] of topics.byChannel) {
    if (!isSubscribed(channels, stream_id)) continue;
    for (const { name, max_id } of list.values()) {
      const key = topicKey(stream_id, name);
      const conversation = { stream_id, topic: name };
      const recency = recencyOf(sources, key, max_id);
      entries.push({
        key,
        name: sources.nameOf(conversation),
        recency,
        target: { kind: "conversation", conversation },
      });
    }
  }
  for (const { user_ids, max_message_id } of conversations.conversations.values()) {
    // Conversations with one user are found by the user.
    if (user_ids.length < 2) continue;
    const key = conversationKey(user_ids);
    const conversation = { user_ids };
    const recency = recencyOf(sources, key, max_message_id);
    entries.push({
      key,
      name: sources.nameOf(conversation),
      recency,
      target: { kind: "conversation", conversation },
    });
  }
  return entries;
}

function channelEntries({ channels, topics }: State, sources: CandidateSources): PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  for (const { row, membership } of channels.channels.values()) {
    if (row.is_archived) continue;
    const { stream_id, name } = row;
    const isIn = membership === "subscribed";
    let newest = isIn ? OWN_WEIGHT : 0;
    if (isIn)
      for (const { max_id } of topics.byChannel.get(stream_id)?.values() ?? []) {
        newest = Math.max(newest, max_id);
      }
    const key = `channel ${stream_id}`;
    const recency = recencyOf(sources, key, newest);
    entries.push({ key, name, recency, target: { kind: "channel", stream_id, isIn } });
  }
  return entries;
}

function peopleEntries({ people, conversations }: State): PaletteEntry[] {
  const newest = new Map<number, number>();
  for (const { user_ids, max_message_id } of conversations.conversations.values()) {
    if (user_ids.length < 2) newest.set(user_ids[0] ?? people.me, max_message_id);
  }
  const entries: PaletteEntry[] = [];
  for (const { user_id, full_name } of people.active.values()) {
    const recency = newest.get(user_id) ?? 0;
    const target: CandidateTarget = { kind: "person", user_id };
    entries.push({ key: `person ${user_id}`, name: full_name, recency, target });
  }
  return entries;
}
