// Suggestions for the typed text: operators, and their users, channels and topics.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { DATE_OPERATORS } from "../../../text/search/dates.ts";
import { matchesWords, folded } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { topicName } from "../conversation/selectors.ts";
import { recentConversations } from "../conversations/state.ts";
import { suggestDates, periodsAtEnd, searchZone, todayIn } from "./date-selectors.ts";
import { directory } from "./directory.ts";
import {
  bareToken,
  canBeNegated,
  type EditedToken,
  HAS,
  IS,
  OPERATORS,
  termOf,
} from "./query-rules.ts";

export type SearchSuggestion =
  /** Replaces the typed text, and asks for an operand. */
  | { kind: "operator"; text: string }
  /** `isOther`: nothing matches the typed text, so all values are listed. */
  | { kind: "term"; term: NarrowTerm; isOther?: true; label?: string };

export const SUGGESTED_MAX = 8;
/** Operators with a fixed list of values. */
const CLOSED_OPERATORS = ["is", "has", "channels", ...DATE_OPERATORS];

/** Always returns some, even before the user types. */
export function suggestionsFor(
  state: State,
  token: string,
  channel: number | undefined,
  edited: EditedToken | undefined,
): SearchSuggestion[] {
  const editedTerm = edited?.token === bareToken(token) ? edited.term : undefined;
  const negated = token.startsWith("-");
  const unsignedToken = negated ? token.slice(1) : token;
  const colon = unsignedToken.indexOf(":");
  if (colon === -1) return operatorSuggestions(state, unsignedToken, negated);
  const operator = folded(unsignedToken.slice(0, colon));
  const input = unsignedToken.slice(colon + 1).replaceAll('"', "");
  const operands = operandsOf(state, operator, input, channel);
  const isOther =
    operands.length === 0 && CLOSED_OPERATORS.includes(operator) && !/\s/u.test(input);
  const all = isOther ? operandsOf(state, operator, "", channel) : operands;
  const others = all.filter(({ operand }) => operand !== editedTerm?.operand);
  const terms = [...(editedTerm ? [editedTerm] : []), ...others].slice(0, SUGGESTED_MAX);
  return terms.map(({ label, ...term }: BareTerm) => {
    const more = { ...(isOther && { isOther }), ...(label !== undefined && { label }) };
    return { kind: "term", term: { ...term, negated }, ...more };
  });
}

/** Periods such as "last week", typed without an operator. */
export function suggestedPeriods(
  state: State,
  text: string,
): { before: string; suggestions: SearchSuggestion[] } | undefined {
  const periods = periodsAtEnd(text, todayIn(searchZone(state)));
  const suggestions = periods?.dates.map(({ label, ...term }): SearchSuggestion => {
    return { kind: "term", term: { ...term, negated: false }, ...(label && { label }) };
  });
  return periods && suggestions && { before: periods.before, suggestions };
}

/** Matching operators, then users and channels with a matching name. */
function operatorSuggestions(state: State, input: string, negated: boolean): SearchSuggestion[] {
  const prefix = negated ? "-" : "";
  const operators = OPERATORS.filter(
    (name) => name.startsWith(folded(input)) && !(negated && !canBeNegated(name)),
  );
  const first = operators.map((name): SearchSuggestion => {
    return { kind: "operator", text: `${prefix}${name}:` };
  });
  const conversationTerms =
    input === ""
      ? [
          { operator: "is", operand: "unread" },
          { operator: "has", operand: "attachment" },
        ]
      : [...peopleSuggestions(state, "sender", input), ...channelSuggestions(state, input)];
  const terms = conversationTerms.map((term): SearchSuggestion => ({
    kind: "term",
    term: { ...term, negated },
  }));
  return (input === "" ? [...first, ...terms] : [...terms.slice(0, 5), ...first]).slice(
    0,
    SUGGESTED_MAX,
  );
}

type BareTerm = Omit<NarrowTerm, "negated"> & { label?: string };

function operandsOf(
  state: State,
  operator: string,
  input: string,
  channel: number | undefined,
): BareTerm[] {
  const suggestionsOf = (name: string, operands: readonly string[]) =>
    operands
      .filter((operand) => operand.startsWith(folded(input)))
      .map((operand) => ({ operator: name, operand }));
  switch (operator) {
    case "from":
    case "sender":
      return peopleSuggestions(state, "sender", input);
    case "dm":
    case "with":
      return groupDmSuggestions(state, input);
    case "dm-including":
      return peopleSuggestions(state, "dm-including", input);
    case "channel":
    case "in":
    case "stream":
      return channelSuggestions(state, input);
    case "topic":
      return topicSuggestions(state, input, channel);
    case "is":
      return suggestionsOf("is", IS);
    case "has":
      return suggestionsOf("has", HAS);
    case "on":
    case "before":
    case "after":
      return suggestDates(operator, input, todayIn(searchZone(state)));
    case "channels":
      return suggestionsOf("channels", ["public"]);
    default:
      return [];
  }
}

/** Adds another user after a comma. */
function groupDmSuggestions(state: State, input: string): BareTerm[] {
  const end = input.lastIndexOf(",");
  const before = end > 0 ? termOf("dm", input.slice(0, end), directory(true))?.operand : undefined;
  if (before === undefined) return peopleSuggestions(state, "dm", input);
  const others = before.split(",");
  return peopleSuggestions(state, "dm", input.slice(end + 1).trim())
    .filter(({ operand }) => !others.includes(operand))
    .map(({ operand }) => ({ operator: "dm", operand: `${before},${operand}` }));
}

/** The current user and conversation partners first, deactivated users last. */
function peopleSuggestions(
  { people, conversations }: State,
  operator: string,
  input: string,
): BareTerm[] {
  const recentIds = recentConversations(conversations).flatMap(({ user_ids }) => user_ids);
  const { active, deactivated } = people;
  const order = new Set([people.me, ...recentIds, ...active.keys(), ...deactivated.keys()]);
  const terms: BareTerm[] = [];
  for (const id of order) {
    const person = active.get(id) ?? deactivated.get(id);
    const isMe = id === people.me && "me".startsWith(folded(input));
    if (!person || !(isMe || matchesWords(input, person.full_name))) continue;
    terms.push({ operator, operand: `${id}` });
    if (terms.length >= SUGGESTED_MAX) break;
  }
  return terms;
}

function channelSuggestions({ channels }: State, input: string): BareTerm[] {
  const matches = [...channels.channels.values()].filter(({ row }) =>
    matchesWords(input, row.name),
  );
  matches.sort(
    (a, b) => Number(b.membership === "subscribed") - Number(a.membership === "subscribed"),
  );
  return matches
    .slice(0, SUGGESTED_MAX)
    .map(({ row }) => ({ operator: "channel", operand: `${row.stream_id}` }));
}

function topicSuggestions(
  { topics }: State,
  input: string,
  channel: number | undefined,
): BareTerm[] {
  const lists =
    channel === undefined
      ? [...topics.byChannel.values()]
      : [topics.byChannel.get(channel) ?? new Map()];
  const matches = lists
    .flatMap((list) => [...list.values()])
    .filter(({ name }) => matchesWords(input, topicName(name)))
    .sort((a, b) => b.max_id - a.max_id);
  // Each name once, from several channels.
  const names = new Map(matches.map(({ name }) => [folded(name), name]));
  return [...names.values()]
    .slice(0, SUGGESTED_MAX)
    .map((operand) => ({ operator: "topic", operand }));
}
