// Search terms as pills, as typed text, and in addresses.
import { ownValue } from "../../../text/input/own-value.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { timeRangeOf } from "../../../text/search/dates.ts";
import { folded } from "../../matching.ts";

/** Operators that can be typed before a colon. Aliases belong to their operator. */
export const OPERATORS = [
  "from",
  "channel",
  "topic",
  "dm",
  "is",
  "has",
  "on",
  "before",
  "after",
  "dm-including",
  "near",
  "id",
  "channels",
] as const;
const ALIASES: Readonly<Record<string, string>> = {
  from: "sender",
  in: "channel",
  stream: "channel",
  streams: "channels",
  subject: "topic",
  "pm-with": "dm",
  with: "dm",
};
export const IS = [
  "dm",
  "mentioned",
  "starred",
  "unread",
  "alerted",
  "followed",
  "resolved",
  "muted",
] as const;
export const HAS = ["link", "image", "attachment", "reaction"] as const;
/** Operators as addresses contain them, where `from` is `sender`. */
const KNOWN_OPERATORS = new Set<string>(["sender", "with", ...OPERATORS.slice(1)]);

/** Maps typed names to ids. */
export interface Directory {
  me: number;
  /** An exact match, ignoring case and diacritics. */
  channel(name: string): number | undefined;
  person(name: string): number | undefined;
  /** Whether this may be a topic's complete name. */
  topic(name: string): boolean;
  /** Dates, and words such as "last week", as an operand of that operator. */
  date(operator: string, text: string): string | undefined;
  edited?: EditedToken | undefined;
}

/** A pill that was turned back into text; while the text is unchanged, its meaning is too. */
export interface EditedToken {
  token: string;
  term: NarrowTerm;
}

/** The token without a minus sign. */
export const bareToken = (text: string): string =>
  folded(text.replace(/^-/, "").replaceAll('"', ""));

interface Query {
  pills: NarrowTerm[];
  /** The words to search for. */
  text: string;
}

const TEXT = "search";
/** Operators that cannot be negated. */
const PERMALINK_OPERATORS = ["near", "with"];
/** Operators in addresses that cannot be typed. */
const UNTYPED_OPERATORS = [TEXT, "in", "mentions"];

export const canBeNegated = (operator: string): boolean => !PERMALINK_OPERATORS.includes(operator);

export function queryOf(terms: readonly NarrowTerm[]): Query {
  const isText = ({ operator, negated }: NarrowTerm) => operator === TEXT && !negated;
  return {
    pills: terms.filter((term) => !isText(term)),
    text: terms
      .filter(isText)
      .map(({ operand }) => operand)
      .join(" "),
  };
}

export function termsOf({ pills, text }: Query): NarrowTerm[] {
  const operand = text.trim().replace(/\s+/gu, " ");
  if (operand === "") return [...pills];
  return [...pills, { operator: TEXT, operand, negated: false }];
}

/** The word at the caret, to which suggestions apply. */
export function lastToken(text: string): { before: string; token: string } {
  const match = /(?:^|\s)(-?[\w-]+:"[^"]*|\S*)$/u.exec(text);
  const token = match?.[1] ?? "";
  return { before: text.slice(0, text.length - token.length), token };
}

/** The text from the last operator on, because names may contain spaces and colons. */
export function tokenFromOperator(text: string): { before: string; token: string } | undefined {
  const starts = [...text.matchAll(/(?:^|(?<=\s))(-?[\w-]+):/gu)];
  const start = starts.findLast(([, name = ""]) => isKnown(name))?.index;
  return start === undefined
    ? undefined
    : { before: text.slice(0, start), token: text.slice(start) };
}

const TOKEN = /(^|\s)(-?[\w-]+):("[^"]*"|[^\s"]+)(?=\s)/gu;

/** Turns finished tokens into pills; tokens without a meaning stay text. */
export function withPills(
  text: string,
  directory: Directory,
): { pills: NarrowTerm[]; searchText: string } {
  const pills: NarrowTerm[] = [];
  const rest = text.replace(TOKEN, (whole, space: string, name: string, operand: string) => {
    const term = termOf(name, operand.replaceAll('"', ""), directory);
    if (!term) return whole;
    pills.push(term);
    return space;
  });
  return { pills, searchText: pills.length > 0 ? rest.replace(/\s+/gu, " ").trimStart() : text };
}

/** The first finished token that looks like a filter but is not valid, so it counts as text. */
export function invalidFilterIn(text: string, directory: Directory): string | undefined {
  for (const [, , name = "", operand = ""] of text.matchAll(TOKEN)) {
    const plain = operand.replaceAll('"', "");
    if (isKnown(name) && !termOf(name, plain, directory)) return `${name}:${plain}`;
  }
  return undefined;
}

/** Whether the term can match anything. Ids are not checked. */
export function isKnownFilter({ operator, operand, negated }: NarrowTerm): boolean {
  const date = (op: string, text: string) => (timeRangeOf(op, text, "UTC") ? text : undefined);
  const permissiveDirectory = { me: 0, channel: () => 0, person: () => 0, topic: () => true, date };
  const name = `${negated ? "-" : ""}${operator}`;
  const isUnnamed = operator === "topic" && operand === "";
  if (isUnnamed || UNTYPED_OPERATORS.includes(operator)) return true;
  return termOf(name, operand, permissiveDirectory) !== undefined;
}

const isKnown = (name: string): boolean => {
  const plainName = folded(name.replace(/^-/, ""));
  return KNOWN_OPERATORS.has(ownValue(ALIASES, plainName) ?? plainName);
};

export function termOf(
  name: string,
  operand: string,
  directory: Directory,
): NarrowTerm | undefined {
  const { edited } = directory;
  const negated = name.startsWith("-");
  if (edited?.token === bareToken(`${name}:${operand}`)) {
    const { operator } = edited.term;
    return { ...edited.term, negated: negated && canBeNegated(operator) };
  }
  const plainName = folded(negated ? name.slice(1) : name);
  // With a message id, the conversation of the message. With a user, the conversation with them.
  const isMessage = plainName === "with" && /^\d+$/.test(operand);
  const operator = isMessage ? plainName : (ownValue(ALIASES, plainName) ?? plainName);
  if (!KNOWN_OPERATORS.has(operator) || operand === "") return undefined;
  if (negated && !canBeNegated(operator)) return undefined;
  const meaning = meaningOfOperand(operator, operand, directory);
  return meaning === undefined ? undefined : { operator, operand: meaning, negated };
}

function meaningOfOperand(
  operator: string,
  operand: string,
  directory: Directory,
): string | undefined {
  const plain = folded(operand);
  switch (operator) {
    case "dm":
      return resolvePerson(operand, directory) ?? resolvePeople(operand, directory);
    case "sender":
    case "dm-including":
      return resolvePerson(operand, directory);
    case "channel": {
      const id = /^\d+$/.test(operand) ? operand : directory.channel(operand);
      return id === undefined ? undefined : `${id}`;
    }
    case "is":
      return IS.find((value) => value === plain);
    case "has":
      return HAS.find((value) => value === plain);
    case "channels":
      return plain === "public" || plain === "web-public" ? plain : undefined;
    case "on":
    case "before":
    case "after":
      return directory.date(operator, operand);
    case "near":
    case "id":
    case "with":
      return /^\d+$/.test(operand) ? operand : undefined;
    default:
      return directory.topic(operand) ? operand : undefined;
  }
}

function resolvePerson(operand: string, directory: Directory): string | undefined {
  if (/^\d+$/.test(operand)) return operand;
  const id = folded(operand) === "me" ? directory.me : directory.person(operand);
  return id === undefined ? undefined : `${id}`;
}

/** Several users, separated by commas. */
function resolvePeople(operand: string, directory: Directory): string | undefined {
  const ids = operand.split(",").map((name) => resolvePerson(name.trim(), directory));
  return ids.includes(undefined) ? undefined : [...new Set(ids)].join(",");
}
