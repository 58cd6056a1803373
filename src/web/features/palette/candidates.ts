// Everything one can go to or do, as the switcher looks through it.
import { ownValue } from "../../../text/input/own-value.ts";
import type { Command } from "../../commands.ts";
import type { IconName } from "../../ui/icon.tsx";
import type { State } from "../../state.ts";
import type { Place, View } from "../../views.ts";
import { isSubscribed } from "../channels/state.ts";
import { conversationKey } from "../conversations/state.ts";
import { topicKey } from "../topics/state.ts";
import type { Candidate } from "./ranking.ts";

export type Target =
  | { kind: "place"; place: Place }
  | { kind: "channel"; stream_id: number; isIn: boolean }
  | { kind: "person"; user_id: number }
  | { kind: "view"; view: View; icon: IconName; command: string | undefined }
  | { kind: "command"; command: Command }
  | { kind: "help"; path: string };

export type Entry = Candidate & { target: Target };
export type Kind = "all" | "commands" | "channels" | "people";

const SIGNS: Readonly<Record<string, Kind>> = { ">": "commands", "#": "channels", "@": "people" };

/** Parses the input: a prefix for the kind, and the name. */
export function askedFor(typed: string): { kind: Kind; query: string } {
  const kind = ownValue(SIGNS, typed[0] ?? "");
  return kind ? { kind, query: typed.slice(1) } : { kind: "all", query: typed };
}

export interface NamedView {
  name: string;
  view: View;
  icon: IconName;
  /** The command that goes there too, with its key. */
  command?: string;
}

/** A page of the help, by its title. */
export interface HelpPage {
  path: string;
  title: string;
}

interface Named {
  nameOf(place: Place): string;
  /** 0: one is there now; undefined: not lately. */
  visitedAt(key: string): number | undefined;
  views: readonly NamedView[];
  commands: readonly { name: string; command: Command }[];
  help: readonly HelpPage[];
}

/** Places that were visited in this tab rank above any message. */
const VISITED = 1e12;
/** Channels one is in come before people one has not written with. */
const OWN = 1;

/** Entries that change as topics arrive. */
export function movingEntries(state: State, kind: Kind, named: Named): Entry[] {
  if (kind === "channels") return channelEntries(state, named);
  return kind === "all" ? [...placeEntries(state, named), ...channelEntries(state, named)] : [];
}

/** Entries that stay the same meanwhile. */
export function stillEntries(state: State, kind: Kind, named: Named): Entry[] {
  const { commands } = named;
  if (kind === "channels") return [];
  if (kind === "people") return peopleEntries(state);
  const doing = commands.map(({ name, command }): Entry => {
    return { key: `>${command.id}`, name, recency: 0, target: { kind: "command", command } };
  });
  const help = named.help.map(({ path, title }): Entry => {
    return { key: `help ${path}`, name: title, recency: 0, target: { kind: "help", path } };
  });
  if (kind === "commands") return [...doing, ...help];
  return [
    ...peopleEntries(state),
    ...named.views.map(({ name, view, icon, command }): Entry => {
      const target = { kind: "view", view, icon, command } as const;
      return { key: `view ${name}`, name, recency: OWN, target };
    }),
    // Going to a view is listed already, as the view.
    ...doing.filter(({ key }) => !named.views.some(({ command }) => key === `>${command}`)),
    ...help,
  ];
}

function recencyOf({ visitedAt }: Named, key: string, max_id: number): number {
  const at = visitedAt(key);
  return at === undefined ? max_id : VISITED - at;
}

function placeEntries(state: State, named: Named): Entry[] {
  const { topics, channels, conversations } = state;
  const entries: Entry[] = [];
  for (const [stream_id, list] of topics.known) {
    if (!isSubscribed(channels, stream_id)) continue;
    for (const { name, max_id } of list.values()) {
      const key = topicKey(stream_id, name);
      const place = { stream_id, topic: name };
      const recency = recencyOf(named, key, max_id);
      entries.push({ key, name: named.nameOf(place), recency, target: { kind: "place", place } });
    }
  }
  for (const { user_ids, max_message_id } of conversations.conversations.values()) {
    // Conversations with one user are found by the user.
    if (user_ids.length < 2) continue;
    const key = conversationKey(user_ids);
    const place = { user_ids };
    const recency = recencyOf(named, key, max_message_id);
    entries.push({ key, name: named.nameOf(place), recency, target: { kind: "place", place } });
  }
  return entries;
}

function channelEntries({ channels, topics }: State, named: Named): Entry[] {
  const entries: Entry[] = [];
  for (const { row, standing } of channels.channels.values()) {
    if (row.is_archived) continue;
    const { stream_id, name } = row;
    const isIn = standing === "subscribed";
    let newest = isIn ? OWN : 0;
    if (isIn)
      for (const { max_id } of topics.known.get(stream_id)?.values() ?? []) {
        newest = Math.max(newest, max_id);
      }
    const key = `channel ${stream_id}`;
    const recency = recencyOf(named, key, newest);
    entries.push({ key, name, recency, target: { kind: "channel", stream_id, isIn } });
  }
  return entries;
}

function peopleEntries({ people, conversations }: State): Entry[] {
  const newest = new Map<number, number>();
  for (const { user_ids, max_message_id } of conversations.conversations.values()) {
    if (user_ids.length < 2) newest.set(user_ids[0] ?? people.me, max_message_id);
  }
  const entries: Entry[] = [];
  for (const { user_id, full_name } of people.active.values()) {
    const recency = newest.get(user_id) ?? 0;
    const target: Target = { kind: "person", user_id };
    entries.push({ key: `person ${user_id}`, name: full_name, recency, target });
  }
  return entries;
}
