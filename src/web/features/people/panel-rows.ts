// The users beside a view, with headings, in order.
import type { State } from "../../store/state.ts";
import { compareNames } from "../../matching.ts";
import { presenceOf } from "../presence/selectors.ts";
import { itemAt } from "../../content/item-at.ts";
import { NameIndex } from "../typeahead/people.ts";
import type { Person } from "./state.ts";

export type Head = "here" | "conversation" | "channel" | "others" | "everyone" | "bots";

export interface PanelRow {
  key: string;
  isHead?: boolean;
  head?: Head;
  count?: number;
  user_id?: number;
}

export interface PanelContent {
  /** Senders of the displayed messages, or users of the conversation. The newest first. */
  participants: readonly number[];
  /** "topic": users who wrote in it; "conversation": its users. */
  scope: "topic" | "conversation" | undefined;
  /** Subscribers of the channel. */
  subscribers: ReadonlySet<number> | undefined;
  /** Includes everyone else. */
  isOfAll: boolean;
  text: string;
  seconds: number;
}

/** All users by name, sorted once, because sorting ten thousand takes long. */
export class AllUsers {
  readonly people: readonly Person[];
  /** Created at the first search. */
  private index: NameIndex | undefined;

  constructor({ people }: State) {
    this.people = [...people.active.values()].sort((a, b) =>
      compareNames(a.full_name, b.full_name),
    );
  }

  findPeople(text: string): readonly Person[] {
    if (text.trim() === "") return this.people;
    this.index ??= this.read();
    const ids = new Set(this.index.find(text));
    return this.people.filter(({ user_id }) => ids.has(user_id));
  }

  private read(): NameIndex {
    const index = new NameIndex();
    index.setItems(this.people.map(({ user_id, full_name }) => ({ id: user_id, name: full_name })));
    return index;
  }
}

const RANKS = { active: 0, idle: 1, away: 2 };

/** Sorts by presence, then by name. */
export function panelRows(state: State, everybody: AllUsers, content: PanelContent): PanelRow[] {
  const { participants, scope, subscribers, isOfAll, text, seconds } = content;
  const sections: Person[][] = [[], [], []];
  const bots: Person[] = [];
  for (const person of everybody.findPeople(text)) {
    if (person.is_bot) bots.push(person);
    else itemAt(sections, RANKS[presenceOf(state, person.user_id, seconds) ?? "away"]).push(person);
  }
  const all = sections.flat();
  const participantIds = new Set(participants);
  const isAll = isOfAll || text !== "" || !subscribers;
  const inChannel = subscribers
    ? all.filter(({ user_id }) => subscribers.has(user_id) && !participantIds.has(user_id))
    : [];
  const others = isAll
    ? all.filter(({ user_id }) => !participantIds.has(user_id) && !subscribers?.has(user_id))
    : [];
  const isInView = ({ user_id }: Person) =>
    isAll || participantIds.has(user_id) || subscribers?.has(user_id) === true;
  const isAlone = scope === undefined && !subscribers;
  return [
    ...section(
      scope === "conversation" ? "conversation" : "here",
      all.filter(({ user_id }) => participantIds.has(user_id)),
    ),
    ...section(participantIds.size > 0 && scope ? "channel" : "conversation", inChannel),
    ...section(isAlone ? "everyone" : "others", others),
    ...section("bots", bots.filter(isInView)),
  ];
}

function section(head: Head, people: readonly Person[]): PanelRow[] {
  if (people.length === 0) return [];
  return [
    { key: `head ${head}`, isHead: true, head, count: people.length },
    ...people.map(({ user_id }) => ({ key: `${head} ${user_id}`, user_id })),
  ];
}
