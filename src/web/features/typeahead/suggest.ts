// Suggestions for the word before the caret, most likely first.
import type { EmojiTables } from "../../render/render.ts";
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import { usageCounts } from "../emoji/state.ts";
import { isMemberOf } from "../groups/selectors.ts";
import { membersOf } from "../groups/member-selectors.ts";
import type { Person } from "../people/state.ts";
import { folded, containsWords } from "../../matching.ts";
import { firstBy, bestBy, type Criterion, NameIndex, nameParts } from "./people.ts";
import {
  SUGGESTIONS_MAX,
  suggestChannels,
  othersIn,
  suggestTopicsAnywhere,
  suggestTopicsOf,
} from "./suggest-places.ts";
import { type Recency, recencyIn } from "./recency.ts";
import type { Suggestion } from "./suggestion.ts";
import type { Trigger } from "./trigger.ts";
import { SLASHES } from "./slashes.ts";
import { isOutside, knownSubscribers } from "./participants.ts";

interface EmojiMatch {
  readonly name: string;
  /** In hexadecimal, joined by dashes. */
  readonly code: string;
}

/** In larger channels the index is faster. */
const NEAR_MAX = 500;
/** Takes a few milliseconds. */
const NAMES_A_BATCH = 400;

/** The index of all names. Call `refresh` when `users` changed. */
export class Suggester {
  readonly people = new NameIndex();
  private isFresh = false;

  refresh(): void {
    this.isFresh = false;
    this.people.readAgain();
  }

  /** Indexes some of the names in advance. Returns true when all are indexed. */
  readSome(state: State): boolean {
    this.isFresh ||= this.people.readSome(groupNames(state), NAMES_A_BATCH);
    return this.isFresh;
  }

  suggest(
    trigger: Trigger,
    state: State,
    conversation: ConversationRef | undefined,
    tables: EmojiTables | undefined,
  ): Suggestion[] {
    switch (trigger.kind) {
      case "person":
      case "silent":
        return this.mentioned(trigger, state, conversation);
      case "channel":
        return [
          ...suggestChannels(trigger.query, state),
          ...suggestTopicsAnywhere(trigger.query, state, conversation),
        ]
          .sort((a, b) => Number(a.kind === "topic") - Number(b.kind === "topic"))
          .slice(0, SUGGESTIONS_MAX);
      case "topic":
        return suggestTopicsOf(trigger, state);
      case "emoji":
        return emoji(trigger.query, state, tables);
      case "slash":
        return SLASHES.filter((name) => name.startsWith(trigger.query.toLowerCase())).map(
          (name) => ({ kind: "slash", name, insertion: `/${name} ` }),
        );
      case "code":
        return suggestLanguages(trigger.query, tables);
    }
  }

  /** Users who match a query, to select recipients. */
  peopleBy(query: string, state: State, conversation?: ConversationRef): Person[] {
    const recency = recencyIn(state, conversation);
    const criteria = criteriaIn(recency, conversation, state);
    const nearbyPeople = nearby(query, recency, conversation, state);
    const all =
      nearbyPeople.length < SUGGESTIONS_MAX ? this.findPeople(query, state) : nearbyPeople;
    return bestBy(all, SUGGESTIONS_MAX, criteria);
  }

  /** Searches names without the index until it is complete. */
  private *findPeople(query: string, { people: { active } }: State): Generator<Person> {
    const words = nameParts(query);
    if (words.length > 0 && this.isFresh) {
      for (const id of this.people.find(query)) {
        const person = active.get(id);
        if (person) yield person;
      }
      return;
    }
    for (const person of active.values()) if (isCalled(person, words)) yield person;
  }

  private mentioned(
    { query, kind }: Trigger,
    state: State,
    conversation: ConversationRef | undefined,
  ): Suggestion[] {
    const prefix = kind === "silent" ? "@_" : "@";
    const recency = recencyIn(state, conversation);
    const matches = this.peopleBy(query, state, conversation);
    const shared = this.isFresh ? undefined : sharedNames(matches, state);
    const people = matches.map((person): Suggestion => {
      const { user_id, full_name } = person;
      const wroteAt = recency.topic.get(user_id)?.timestamp;
      // Adds the id if the name is ambiguous.
      const isShared = shared ? shared.has(full_name) : this.people.isShared(full_name);
      const name = isShared ? `${full_name}|${user_id}` : full_name;
      const insertion = `${prefix}**${name}** `;
      return {
        kind: "person",
        person,
        wroteAt,
        isOutside: isOutside(person, state, conversation),
        insertion,
      };
    });
    const groups = groupsBy(query, prefix, state, conversation);
    const wildcards = kind === "silent" ? [] : wildcardsBy(query, state, conversation);
    // Users who wrote here first, then groups, then the wildcards.
    const room = SUGGESTIONS_MAX - Math.min(groups.length, 2) - Math.min(wildcards.length, 1);
    return [...people.slice(0, room), ...groups, ...wildcards].slice(0, SUGGESTIONS_MAX);
  }
}

const isCalled = ({ full_name }: Person, words: readonly string[]) =>
  words.length === 0 || containsWords(words, full_name);

/**
 * Recent senders and subscribers rank first by `criteriaIn`, so if there are enough of them, no
 * others are examined.
 */
function nearby(
  query: string,
  { topic, channel }: Recency,
  conversation: ConversationRef | undefined,
  state: State,
): Person[] {
  const { active, me } = state.people;
  const ids = new Set([...topic.keys(), ...channel.keys()]);
  ids.delete(me);
  const subscribers =
    conversation && "stream_id" in conversation ? knownSubscribers(conversation, state) : undefined;
  if (subscribers && subscribers.size <= NEAR_MAX) for (const id of subscribers) ids.add(id);
  const words = nameParts(query);
  return [...ids].flatMap((id) => {
    const person = active.get(id);
    return person && isCalled(person, words) ? [person] : [];
  });
}

/** The names that several users have. */
function sharedNames(matches: readonly Person[], { people }: State): Set<string> {
  const names = new Set(matches.map(({ full_name }) => full_name));
  const seenNames = new Set<string>();
  const shared = new Set<string>();
  for (const { full_name } of people.active.values()) {
    if (!names.has(full_name)) continue;
    if (seenNames.has(full_name)) shared.add(full_name);
    seenNames.add(full_name);
  }
  return shared;
}

function* groupNames({ people }: State): Generator<{ id: number; name: string }> {
  for (const { user_id, full_name } of people.active.values())
    yield { id: user_id, name: full_name };
}

/**
 * Recent here, then recent in the channel, then subscribed to it, then recent in direct messages.
 */
function criteriaIn(
  recency: Recency,
  conversation: ConversationRef | undefined,
  state: State,
): readonly Criterion<Person>[] {
  // The last sender is often the user, who wants to mention someone else.
  const ofOthers = (criterion: Criterion<Person>) => (person: Person) =>
    person.user_id === state.people.me ? 0 : criterion(person);
  return [
    ofOthers(({ user_id }) => recency.topic.get(user_id)?.id ?? 0),
    ofOthers(({ user_id }) => recency.channel.get(user_id) ?? 0),
    (person) => (isOutside(person, state, conversation) ? 0 : 1),
    ofOthers(({ user_id }) => recency.direct.get(user_id) ?? 0),
    ofOthers(({ is_bot }) => (is_bot ? 0 : 1)),
    ofOthers(({ user_id }) => -user_id),
  ];
}

function groupsBy(
  query: string,
  prefix: string,
  state: State,
  conversation: ConversationRef | undefined,
): Suggestion[] {
  const foldedQuery = folded(query);
  const { groups } = state;
  const matches = [...groups.groups.values()].filter(
    (group) =>
      !group.is_system_group &&
      !group.deactivated &&
      folded(group.name).startsWith(foldedQuery) &&
      isMemberOf(groups, group.can_mention_group, state.people.me),
  );
  return matches.slice(0, SUGGESTIONS_MAX).map(({ id, name }) => {
    const members = [...membersOf(groups, id)];
    const notified = members.filter((member) => {
      const person = state.people.active.get(member);
      return person && member !== state.people.me && !isOutside(person, state, conversation);
    });
    return {
      kind: "group",
      id,
      name,
      count: members.length,
      notified: notified.length,
      insertion: `${prefix}*${name}* `,
    };
  });
}

function wildcardsBy(
  query: string,
  state: State,
  conversation: ConversationRef | undefined,
): Suggestion[] {
  const isDirect = conversation !== undefined && "user_ids" in conversation;
  const names = isDirect ? ["all", "everyone"] : ["topic", "all", "everyone", "channel"];
  const channel = conversation && "stream_id" in conversation ? conversation.stream_id : undefined;
  const count = isDirect
    ? conversation.user_ids.filter((id) => id !== state.people.me).length
    : channel === undefined
      ? undefined
      : othersIn(state, channel);
  return names
    .filter((name) => query !== "" && name.startsWith(query.toLowerCase()))
    .map((name) => ({
      kind: "wildcard",
      name,
      count: name === "topic" ? undefined : count,
      insertion: `@**${name}** `,
    }));
}

function emoji(query: string, state: State, tables: EmojiTables | undefined): Suggestion[] {
  const foldedQuery = query.toLowerCase();
  const custom = Object.values(state.organization.emoji).filter(({ deactivated }) => !deactivated);
  const all: (EmojiMatch & { readonly url?: string })[] = [
    ...custom.map(({ id, name, still_url, source_url }) => {
      return { name, code: id, url: still_url ?? source_url };
    }),
    ...(tables?.emoji ?? []),
  ];
  const matches = all.filter(({ name }) => name.includes(foldedQuery));
  const counts = usageCounts();
  const startsWord = (name: string) => `_${name}`.includes(`_${foldedQuery}`);
  const criteria: readonly Criterion<EmojiMatch>[] = [
    ({ name }) => (name === foldedQuery ? 1 : 0),
    ({ name, code }) => (startsWord(name) ? (counts.get(code) ?? 0) : 0),
    ({ name }) => (FAVORITES.includes(name) ? 1 : 0),
    ({ name }) => (name.startsWith(foldedQuery) ? 1 : 0),
    ({ name }) => (startsWord(name) ? 1 : 0),
    ({ name }) => -name.length,
  ];
  return bestBy(matches, SUGGESTIONS_MAX, criteria).map((match) => ({
    kind: "emoji",
    name: match.name,
    code: match.code,
    glyph: match.url === undefined ? tables?.glyphOf(match.code) : undefined,
    url: match.url,
    insertion: `:${match.name}: `,
  }));
}

/** Emoji that users usually mean by the first letters. */
const FAVORITES = [
  ...["+1", "heart", "smile", "tada", "check", "rocket", "octopus", "working_on_it"],
  ...["eyes", "fire", "joy", "wave"],
];

function suggestLanguages(query: string, tables: EmojiTables | undefined): Suggestion[] {
  const foldedQuery = query.toLowerCase();
  const matches = (tables?.languages ?? []).filter((name) => name.startsWith(foldedQuery));
  return firstBy(matches, SUGGESTIONS_MAX, (a, b) => a.length < b.length).map((name) => ({
    kind: "code",
    name,
    insertion: `${name}\n`,
  }));
}
