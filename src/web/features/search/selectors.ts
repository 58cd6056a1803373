// Describes a search: its pills, and a sentence about all of them.
import { ownValue } from "../../../text/input/own-value.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { isDateOperator } from "../../../text/search/dates.ts";
import { getState } from "../../store/store.ts";
import { t, type TextKey } from "../../words/words.ts";
import { conversationName, topicName } from "../conversation/selectors.ts";
import type { Person } from "../people/state.ts";
import { formatDays } from "./date-selectors.ts";
import { HAS, IS, queryOf } from "./query-rules.ts";

const DISPLAYED_OPERATORS: Readonly<Record<string, string>> = { sender: "from" };

export const operatorOf = ({ operator, negated }: NarrowTerm): string =>
  `${negated ? "-" : ""}${ownValue(DISPLAYED_OPERATORS, operator) ?? operator}:`;

/** Shows names instead of ids; adds the id to ambiguous names if the text will be typed. */
export function operandOf({ operator, operand }: NarrowTerm, nameOf = distinctName): string {
  const { channels, people } = getState();
  if (operator === "channel") {
    return channels.channels.get(Number(operand))?.row.name ?? operand;
  }
  if (operator === "topic") return topicName(operand);
  if (!["sender", "dm", "dm-including", "mentions"].includes(operator)) return operand;
  if (!/^\d+(,\d+)*$/.test(operand)) return operand;
  const ids = operand.split(",").map(Number);
  const others = ids.filter((id) => id !== people.me);
  return others.length === 0 ? t("you") : others.map(nameOf).join(", ");
}

export const plainName = (id: number): string => conversationName([id]);

function distinctName(id: number): string {
  const { active, deactivated } = getState().people;
  const own = active.get(id) ?? deactivated.get(id);
  const isOther = (person: Person) => person !== own && person.full_name === own?.full_name;
  const all = [...active.values(), ...deactivated.values()];
  const name = plainName(id);
  return all.some(isOther) ? `${name} (${own?.delivery_email ?? id})` : name;
}

const PARTS: Readonly<Record<string, readonly [TextKey, TextKey]>> = {
  sender: ["by-name", "search-not-by"],
  channel: ["search-in", "search-not-in"],
  topic: ["search-topic", "search-not-topic"],
  dm: ["search-dm", "search-not-dm"],
  "dm-including": ["search-dm-including", "search-not-dm-including"],
  channels: ["search-channels", "search-not-channels"],
  near: ["search-near", "search-near"],
  with: ["search-with", "search-with"],
  on: ["search-on", "search-not-on"],
  before: ["search-before", "search-not-before"],
  after: ["search-after", "search-not-after"],
  id: ["search-id", "search-not-id"],
  mentions: ["search-mentions", "search-not-mentions"],
  search: ["search-words", "search-not-words"],
};
/** Each kind has its own text. */
const KINDS = [...IS.map((kind) => `is-${kind}`), ...HAS.map((kind) => `has-${kind}`), "in-home"];

/** `translateName` formats each name in the sentence. */
export function sentenceOf(
  terms: readonly NarrowTerm[],
  translateName = (name: string): string => name,
): string {
  const { pills, text } = queryOf(terms);
  const descriptions = pills
    .map((term) => partOf(term, translateName))
    .filter((label) => label !== "");
  if (text !== "") descriptions.push(wordsOf(text));
  if (descriptions.length === 0) return t("search-all");
  return t("search-sentence", { parts: descriptions.join(", ") });
}

function partOf(term: NarrowTerm, translateName: (name: string) => string): string {
  const { operator, operand, negated } = term;
  const kind = `${operator}-${operand}`;
  if (KINDS.includes(kind)) {
    const noun = t(`search-${kind}` as TextKey);
    return negated ? t("search-not", { what: noun }) : noun;
  }
  if (operator === "in" && operand === "all") return "";
  const words = ownValue(PARTS, operator);
  const name = translateName(isDateOperator(operator) ? formatDays(operand) : operandOf(term));
  return words
    ? t(words[negated ? 1 : 0], { name })
    : t("search-strange", { name: `${operator}: ${name}` });
}

/** Quoted words belong together. */
function wordsOf(text: string): string {
  const all = text.match(/"[^"]*"|\S+/gu) ?? [];
  const quoted = all.map((word) => t("search-quoted", { word: word.replaceAll('"', "") }));
  const list = new Intl.ListFormat(document.documentElement.lang || "en").format(quoted);
  return t("search-words", { name: list });
}
