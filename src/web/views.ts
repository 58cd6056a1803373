// The URL of every view: parses fragments to views, and formats views as fragments.
import { ownValue } from "../text/input/own-value.ts";
import { narrowFragment, narrowOf, type NarrowTerm } from "../text/narrow-fragment.ts";

/** Messages of a conversation, a channel, everything, or a search. */
export type MessagesView = { kind: "messages"; terms: NarrowTerm[] };

export type View =
  | { kind: "home" }
  | { kind: "inbox" | "recent" | "drafts" | "scheduled" | "reminders" }
  | MessagesView
  | { kind: "topics"; stream_id: number }
  /** A page above the last view; `path` is the rest of its URL. */
  | { kind: "page"; page: Page; path: string[] }
  | { kind: "unknown"; fragment: string };

const PAGES = [
  "settings",
  "organization",
  "channels",
  "groups",
  "user",
  "files",
  "invite",
  "first-steps",
  "keyboard-shortcuts",
  "message-formatting",
  "search-operators",
  "about",
] as const;
export type Page = (typeof PAGES)[number];
/** Pages that replace the view. The others are dialogs above it. */
const WHOLE_PAGES: readonly Page[] = [
  "settings",
  "organization",
  "channels",
  "groups",
  "first-steps",
  "files",
];

/** Whether the page is a dialog above a view or another page. */
export const isDialog = (view: View): boolean =>
  view.kind === "page" && !WHOLE_PAGES.includes(view.page);

/** Names in URLs of other clients and of earlier versions. */
const ALIASES: Readonly<Record<string, string>> = {
  recent_topics: "recent",
  all_messages: "feed",
  streams: "channels",
  "user-groups": "groups",
};

export const EVERYTHING: View = { kind: "messages", terms: [] };

/** The view of an address, with or without `#`. Unknown if it means nothing. */
export function viewOf(fragment: string): View {
  const text = fragment.replace(/^#/, "");
  if (text === "") return { kind: "home" };
  const [first = "", ...path] = text.split("/");
  const name = ownValue(ALIASES, first) ?? first;
  const unknown: View = { kind: "unknown", fragment: text };
  switch (name) {
    case "inbox":
    case "recent":
    case "drafts":
    case "scheduled":
    case "reminders":
      return { kind: name };
    case "feed":
      return EVERYTHING;
    case "narrow": {
      const terms = narrowOf(path.join("/"));
      return terms === undefined ? unknown : { kind: "messages", terms };
    }
    case "topics": {
      const stream_id = Number.parseInt(path[1] ?? "", 10);
      return path[0] === "channel" && stream_id > 0 ? { kind: "topics", stream_id } : unknown;
    }
    default:
      return isPage(name) ? { kind: "page", page: name, path } : unknown;
  }
}

const isPage = (name: string): name is Page => PAGES.some((page) => page === name);

/** Readable names for ids: of a channel, of users. */
export interface Names {
  channel(stream_id: number): string | undefined;
  person(user_id: number): string | undefined;
}

/** The fragment of a view, with its `#`; empty for the home view. */
export function fragmentOf(view: View, names: Names): string {
  switch (view.kind) {
    case "home":
      return "";
    case "messages":
      return view.terms.length === 0 ? "#feed" : narrowFragment(view.terms, slugBy(names));
    case "topics": {
      const term = { operator: "channel", operand: `${view.stream_id}`, negated: false };
      return narrowFragment([term], slugBy(names)).replace("#narrow", "#topics");
    }
    case "page":
      return `#${[view.page, ...view.path].join("/")}`;
    case "unknown":
      return `#${view.fragment}`;
    default:
      return `#${view.kind}`;
  }
}

function slugBy(names: Names): (term: NarrowTerm) => string | undefined {
  return ({ operator, operand }) => {
    if (operator === "channel") return names.channel(Number(operand));
    if (operator !== "dm" && operator !== "dm-including" && operator !== "sender") return undefined;
    const ids = operand.split(",").map(Number);
    return ids.length > 1 ? "group" : names.person(ids[0]!);
  };
}

const term = (operator: string, operand: string | number): NarrowTerm => {
  return { operator, operand: `${operand}`, negated: false };
};

export const channelView = (stream_id: number): MessagesView => {
  return { kind: "messages", terms: [term("channel", stream_id)] };
};

/** `at`: a message to scroll to (`near`), or whose topic to show even after a move (`with`). */
export function topicView(
  stream_id: number,
  topic: string,
  at?: { operator: "near" | "with"; id: number },
): MessagesView {
  const terms = [term("channel", stream_id), term("topic", topic)];
  return { kind: "messages", terms: at ? [...terms, term(at.operator, at.id)] : terms };
}

/** The direct messages with these users; without any users, the notes to oneself. */
export function directView(user_ids: readonly number[], me: number, nearId?: number): MessagesView {
  const ids = user_ids.length === 0 ? [me] : user_ids;
  const terms = [term("dm", ids.join(","))];
  return {
    kind: "messages",
    terms: nearId === undefined ? terms : [...terms, term("near", nearId)],
  };
}

export const isView = (operand: string): View => {
  return { kind: "messages", terms: [term("is", operand)] };
};

/** A conversation: one topic, or the direct messages of a set of users. */
export type ConversationRef = { stream_id: number; topic: string } | { user_ids: number[] };

/** The conversation that the terms select, ignoring message positions. */
export function conversationOf(
  terms: readonly NarrowTerm[],
  me: number,
): ConversationRef | undefined {
  const rest = terms.filter(({ operator }) => operator !== "near" && operator !== "with");
  if (rest.some(({ negated }) => negated)) return undefined;
  const operandOf = (operator: string) =>
    rest.find((narrowTerm) => narrowTerm.operator === operator)?.operand;
  const [channel, topic, dm] = ["channel", "topic", "dm"].map(operandOf);
  if (rest.length === 2 && channel !== undefined && topic !== undefined) {
    return /^\d+$/.test(channel) ? { stream_id: Number(channel), topic } : undefined;
  }
  if (rest.length !== 1 || dm === undefined || !/^\d+(,\d+)*$/.test(dm)) return undefined;
  const ids = [...new Set(dm.split(",").map(Number))].filter((id) => id !== me);
  return { user_ids: ids.sort((a, b) => a - b) };
}
