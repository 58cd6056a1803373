// A search in words: each of its pills, and all of it in a sentence.
import { ownValue } from "../../../text/input/own-value.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { known } from "../../live.ts";
import { say, type Word } from "../../words/words.ts";
import { conversationName, topicName } from "../conversation/drawing.ts";
import type { Person } from "../people/state.ts";
import { HAS, IS, queryOf } from "./query.ts";

const SHOWN: Readonly<Record<string, string>> = { sender: "from" };

export const operatorOf = ({ operator, negated }: NarrowTerm): string =>
  `${negated ? "-" : ""}${ownValue(SHOWN, operator) ?? operator}:`;

/** Says names where an operand is an id; of several of a name who, unless it is to be typed. */
export function operandOf({ operator, operand }: NarrowTerm, nameOf = toldApart): string {
  const { channels, people } = known()!;
  if (operator === "channel") {
    return channels.channels.get(Number(operand))?.row.name ?? operand;
  }
  if (operator === "topic") return topicName(operand);
  if (!["sender", "dm", "dm-including", "mentions"].includes(operator)) return operand;
  if (!/^\d+(,\d+)*$/.test(operand)) return operand;
  const ids = operand.split(",").map(Number);
  const others = ids.filter((id) => id !== people.me);
  return others.length === 0 ? say("you") : others.map(nameOf).join(", ");
}

export const plainName = (id: number): string => conversationName([id]);

function toldApart(id: number): string {
  const { active, deactivated } = known()!.people;
  const own = active.get(id) ?? deactivated.get(id);
  const isOther = (one: Person) => one !== own && one.full_name === own?.full_name;
  const all = [...active.values(), ...deactivated.values()];
  const name = plainName(id);
  return all.some(isOther) ? `${name} (${own?.delivery_email ?? id})` : name;
}

const PARTS: Readonly<Record<string, readonly [Word, Word]>> = {
  sender: ["by-name", "search-not-by"],
  channel: ["search-in", "search-not-in"],
  topic: ["search-topic", "search-not-topic"],
  dm: ["search-dm", "search-not-dm"],
  "dm-including": ["search-dm-including", "search-not-dm-including"],
  channels: ["search-channels", "search-not-channels"],
  near: ["search-near", "search-near"],
  with: ["search-with", "search-with"],
  id: ["search-id", "search-not-id"],
  mentions: ["search-mentions", "search-not-mentions"],
  search: ["search-words", "search-not-words"],
};
/** Each kind has its own text. */
const KINDS = [...IS.map((kind) => `is-${kind}`), ...HAS.map((kind) => `has-${kind}`), "in-home"];

/** `named` gives each name in it as it is to stand there. */
export function sentenceOf(
  terms: readonly NarrowTerm[],
  named = (name: string): string => name,
): string {
  const { pills, words } = queryOf(terms);
  const parts = pills.map((term) => partOf(term, named)).filter((part) => part !== "");
  if (words !== "") parts.push(wordsOf(words));
  if (parts.length === 0) return say("search-all");
  return say("search-sentence", { parts: parts.join(", ") });
}

function partOf(term: NarrowTerm, named: (name: string) => string): string {
  const { operator, operand, negated } = term;
  const kind = `${operator}-${operand}`;
  if (KINDS.includes(kind)) {
    const what = say(`search-${kind}` as Word);
    return negated ? say("search-not", { what }) : what;
  }
  if (operator === "in" && operand === "all") return "";
  const words = ownValue(PARTS, operator);
  const name = named(operandOf(term));
  return words
    ? say(words[negated ? 1 : 0], { name })
    : say("search-strange", { name: `${operator}: ${name}` });
}

/** Quoted words belong together. */
function wordsOf(words: string): string {
  const all = words.match(/"[^"]*"|\S+/gu) ?? [];
  const quoted = all.map((word) => say("search-quoted", { word: word.replaceAll('"', "") }));
  const list = new Intl.ListFormat(document.documentElement.lang || "en").format(quoted);
  return say("search-words", { name: list });
}
