// Suggestions for the typed text: operators, and their users, channels and topics.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { DATE_OPERATORS } from "../../../text/search/dates.ts";
import { matchesWords, folded } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import { topicName } from "../conversation/selectors.ts";
import { recentConversations } from "../conversations/state.ts";
import { datesFound, periodsAtEnd, searchZone, todayIn } from "./date-selectors.ts";
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
const CLOSED = ["is", "has", "channels", ...DATE_OPERATORS];

/** Always returns some, even before the user types. */
export function suggestionsFor(
  state: State,
  token: string,
  channel: number | undefined,
  edited: EditedToken | undefined,
): SearchSuggestion[] {
  const again = edited?.token === bareToken(token) ? edited.term : undefined;
  const negated = token.startsWith("-");
  const bare = negated ? token.slice(1) : token;
  const colon = bare.indexOf(":");
  if (colon === -1) return operatorSuggestions(state, bare, negated);
  const operator = folded(bare.slice(0, colon));
  const typed = bare.slice(colon + 1).replaceAll('"', "");
  const operands = operandsOf(state, operator, typed, channel);
  const isOther = operands.length === 0 && CLOSED.includes(operator) && !/\s/u.test(typed);
  const all = isOther ? operandsOf(state, operator, "", channel) : operands;
  const others = all.filter(({ operand }) => operand !== again?.operand);
  const terms = [...(again ? [again] : []), ...others].slice(0, SUGGESTED_MAX);
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
  const suggestions = periods?.found.map(({ label, ...term }): SearchSuggestion => {
    return { kind: "term", term: { ...term, negated: false }, ...(label && { label }) };
  });
  return periods && suggestions && { before: periods.before, suggestions };
}

/** Matching operators, then users and channels with a matching name. */
function operatorSuggestions(state: State, typed: string, negated: boolean): SearchSuggestion[] {
  const sign = negated ? "-" : "";
  const operators = OPERATORS.filter(
    (name) => name.startsWith(folded(typed)) && !(negated && !canBeNegated(name)),
  );
  const first = operators.map((name): SearchSuggestion => {
    return { kind: "operator", text: `${sign}${name}:` };
  });
  const places =
    typed === ""
      ? [
          { operator: "is", operand: "unread" },
          { operator: "has", operand: "attachment" },
        ]
      : [...peopleFound(state, "sender", typed), ...channelsFound(state, typed)];
  const terms = places.map((term): SearchSuggestion => ({
    kind: "term",
    term: { ...term, negated },
  }));
  return (typed === "" ? [...first, ...terms] : [...terms.slice(0, 5), ...first]).slice(
    0,
    SUGGESTED_MAX,
  );
}

type BareTerm = Omit<NarrowTerm, "negated"> & { label?: string };

function operandsOf(
  state: State,
  operator: string,
  typed: string,
  channel: number | undefined,
): BareTerm[] {
  const suggestionsOf = (name: string, operands: readonly string[]) =>
    operands
      .filter((operand) => operand.startsWith(folded(typed)))
      .map((operand) => ({ operator: name, operand }));
  switch (operator) {
    case "from":
    case "sender":
      return peopleFound(state, "sender", typed);
    case "dm":
    case "with":
      return withOthers(state, typed);
    case "dm-including":
      return peopleFound(state, "dm-including", typed);
    case "channel":
    case "in":
    case "stream":
      return channelsFound(state, typed);
    case "topic":
      return topicsFound(state, typed, channel);
    case "is":
      return suggestionsOf("is", IS);
    case "has":
      return suggestionsOf("has", HAS);
    case "on":
    case "before":
    case "after":
      return datesFound(operator, typed, todayIn(searchZone(state)));
    case "channels":
      return suggestionsOf("channels", ["public"]);
    default:
      return [];
  }
}

/** Adds another user after a comma. */
function withOthers(state: State, typed: string): BareTerm[] {
  const end = typed.lastIndexOf(",");
  const before = end > 0 ? termOf("dm", typed.slice(0, end), directory(true))?.operand : undefined;
  if (before === undefined) return peopleFound(state, "dm", typed);
  const others = before.split(",");
  return peopleFound(state, "dm", typed.slice(end + 1).trim())
    .filter(({ operand }) => !others.includes(operand))
    .map(({ operand }) => ({ operator: "dm", operand: `${before},${operand}` }));
}

/** The current user and conversation partners first, deactivated users last. */
function peopleFound(
  { people, conversations }: State,
  operator: string,
  typed: string,
): BareTerm[] {
  const near = recentConversations(conversations).flatMap(({ user_ids }) => user_ids);
  const { active, deactivated } = people;
  const order = new Set([people.me, ...near, ...active.keys(), ...deactivated.keys()]);
  const found: BareTerm[] = [];
  for (const id of order) {
    const person = active.get(id) ?? deactivated.get(id);
    const isMe = id === people.me && "me".startsWith(folded(typed));
    if (!person || !(isMe || matchesWords(typed, person.full_name))) continue;
    found.push({ operator, operand: `${id}` });
    if (found.length >= SUGGESTED_MAX) break;
  }
  return found;
}

function channelsFound({ channels }: State, typed: string): BareTerm[] {
  const found = [...channels.channels.values()].filter(({ row }) => matchesWords(typed, row.name));
  found.sort(
    (a, b) => Number(b.membership === "subscribed") - Number(a.membership === "subscribed"),
  );
  return found
    .slice(0, SUGGESTED_MAX)
    .map(({ row }) => ({ operator: "channel", operand: `${row.stream_id}` }));
}

function topicsFound({ topics }: State, typed: string, channel: number | undefined): BareTerm[] {
  const lists =
    channel === undefined ? [...topics.known.values()] : [topics.known.get(channel) ?? new Map()];
  const found = lists
    .flatMap((list) => [...list.values()])
    .filter(({ name }) => matchesWords(typed, topicName(name)))
    .sort((a, b) => b.max_id - a.max_id);
  // Each name once, from several channels.
  const names = new Map(found.map(({ name }) => [folded(name), name]));
  return [...names.values()]
    .slice(0, SUGGESTED_MAX)
    .map((operand) => ({ operator: "topic", operand }));
}
