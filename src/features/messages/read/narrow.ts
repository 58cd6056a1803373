// Parses narrows: lists of terms, each with an operator and an operand.
import { spectatorsNotAllowed } from "../../../contract/errors/general.ts";
import {
  badNarrow,
  badNarrowCombination,
  narrowTermInvalid,
  operandTypeInvalid,
  searchBlank,
} from "../../../contract/errors/messages.ts";

export type Operand = string | number | readonly number[];

export interface Term {
  operator: Operator;
  operand: Operand;
  negated: boolean;
}

type Kind = "text" | "words" | "name or id" | "people";

/** The operand types of each operator. */
const OPERATORS = {
  channel: "name or id",
  channels: "text",
  topic: "text",
  sender: "name or id",
  dm: "people",
  "dm-including": "name or id",
  "group-pm-with": "name or id",
  mentions: "name or id",
  is: "text",
  has: "text",
  in: "text",
  id: "name or id",
  with: "name or id",
  near: "name or id",
  before: "text",
  after: "text",
  on: "text",
  search: "words",
} as const satisfies Record<string, Kind>;

export type Operator = keyof typeof OPERATORS;

const ALIASES: Readonly<Record<string, Operator>> = {
  stream: "channel",
  streams: "channels",
  "pm-with": "dm",
  pm_with: "dm",
  group_pm_with: "group-pm-with",
};

/** Validates and returns the terms of a narrow, each once, because some are slow to evaluate. */
export function decodeNarrow(narrow: readonly unknown[]): Term[] {
  const terms = narrow.map(decodeTerm);
  if (terms.filter((term) => term.operator === "with").length > 1) {
    throw badNarrowCombination("Duplicate 'with' operators.");
  }
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

function decodeTerm(raw: unknown, index: number): Term {
  const { operator, operand, negated } = partsOf(raw, index);
  if (typeof operator !== "string") throw narrowTermInvalid(index, "operator is not a string");
  const operatorName = Object.hasOwn(ALIASES, operator) ? ALIASES[operator]! : operator;
  if (!isOperator(operatorName)) throw badNarrow(`unknown operator ${operator}`);
  return { operator: operatorName, operand: operandOf(OPERATORS[operatorName], operand), negated };
}

function partsOf(raw: unknown, index: number) {
  if (Array.isArray(raw)) {
    const [operator, operand] = raw as unknown[];
    const isPair = raw.length === 2 && typeof operator === "string" && typeof operand === "string";
    if (!isPair) throw narrowTermInvalid(index, "not a pair of strings");
    return { operator, operand, negated: false };
  }
  if (typeof raw !== "object" || raw === null) throw narrowTermInvalid(index, "not an object");
  const { operator, operand, negated = false } = raw as Record<string, unknown>;
  if (operator === undefined) throw narrowTermInvalid(index, "operator is missing");
  if (operand === undefined) throw narrowTermInvalid(index, "operand is missing");
  if (typeof negated !== "boolean") throw narrowTermInvalid(index, "negated is not a boolean");
  return { operator, operand, negated };
}

function operandOf(kind: Kind, operand: unknown): Operand {
  if (kind === "words" && typeof operand === "string" && operand.trim() === "") {
    throw searchBlank();
  }
  if (typeof operand === "string") return operand;
  switch (kind) {
    case "text":
    case "words":
      throw operandTypeInvalid("a string");
    case "name or id":
      if (Number.isSafeInteger(operand)) return operand as number;
      throw operandTypeInvalid("a string or integer");
    case "people":
      if (Array.isArray(operand) && operand.every(Number.isSafeInteger)) return operand as number[];
      throw operandTypeInvalid("a string or an integer list");
  }
}

const isOperator = (name: string): name is Operator => Object.hasOwn(OPERATORS, name);

const CHANNEL_OPERATORS: readonly Operator[] = ["channel", "channels", "topic"];
const DIRECT_OPERATORS: readonly Operator[] = ["dm", "dm-including", "group-pm-with"];

/** Whether the term matches only channel messages. */
export function isChannelTerm({ operator, operand, negated }: Term): boolean {
  if (operator === "is") return negated && isDirectOperand(operand);
  return !negated && CHANNEL_OPERATORS.includes(operator);
}

/** Whether the term matches only direct messages. */
export function isDirectTerm({ operator, operand, negated }: Term): boolean {
  if (negated) return false;
  return operator === "is" ? isDirectOperand(operand) : DIRECT_OPERATORS.includes(operator);
}

/** Operators that are independent of the user. */
const SPECTATOR_OPERATORS: readonly Operator[] = [
  "channel",
  "channels",
  "topic",
  "sender",
  "has",
  "search",
  "near",
  "id",
  "with",
  "before",
  "after",
  "on",
];

/** Spectators can query only web-public channels, and must say so explicitly. */
export function accessSpectatorTerms(terms: readonly Term[]): readonly Term[] {
  const requested = terms.filter((term) => !isTerm(term, "in", "home"));
  const isOpen = (term: Term) =>
    SPECTATOR_OPERATORS.includes(term.operator) ||
    (term.operator === "is" && term.operand === "resolved");
  const namesWebChannels = requested.some((term) => isTerm(term, "channels", "web-public"));
  if (!namesWebChannels || !requested.every(isOpen)) throw spectatorsNotAllowed();
  return requested;
}

const isTerm = (term: Term, operator: Operator, operand: string) =>
  term.operator === operator && term.operand === operand && !term.negated;

/** Joins all search terms into one query; negation is ignored. */
export function queryOf(terms: readonly Term[]): string | undefined {
  const searches = terms.filter(({ operator }) => operator === "search");
  return searches.length === 0 ? undefined : searches.map(({ operand }) => operand).join(" ");
}

/** @throws for combinations that no message can match */
export function checkTermCombination(terms: readonly Term[]): void {
  if (terms.some(isChannelTerm) && terms.some(isDirectTerm)) {
    throw badNarrowCombination("No message can be both a channel message and direct message");
  }
}

const isDirectOperand = (operand: Operand) => operand === "dm" || operand === "private";
