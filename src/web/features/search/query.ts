// What is searched for, between an address and a field: terms, as pills and as what one types.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { folded } from "../../matching.ts";

/** What can be typed before a colon; aliases lead to their operator. */
export const OPERATORS = [
  "from",
  "channel",
  "topic",
  "dm",
  "dm-including",
  "is",
  "has",
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
const KNOWN = new Set(["sender", "channel", "topic", "dm", "dm-including", "is", "has"]);
for (const operator of ["near", "id", "channels", "with"]) KNOWN.add(operator);

/** The names that are typed, as ids. */
export interface Directory {
  me: number;
  /** Exactly so called, but for case and marks. */
  channel(name: string): number | undefined;
  person(name: string): number | undefined;
}

export interface Query {
  pills: NarrowTerm[];
  /** What is looked for in the words of messages. */
  words: string;
}

const TEXT = "search";

export function queryOf(terms: readonly NarrowTerm[]): Query {
  const isText = ({ operator, negated }: NarrowTerm) => operator === TEXT && !negated;
  return {
    pills: terms.filter((term) => !isText(term)),
    words: terms
      .filter(isText)
      .map(({ operand }) => operand)
      .join(" "),
  };
}

export function termsOf({ pills, words }: Query): NarrowTerm[] {
  const text = words.trim().replace(/\s+/gu, " ");
  if (text === "") return [...pills];
  return [...pills, { operator: TEXT, operand: text, negated: false }];
}

/** The word that the caret is in, which suggestions are for. */
export function lastToken(text: string): { before: string; token: string } {
  const at = /(?:^|\s)(-?[\w-]+:"[^"]*|\S*)$/u.exec(text);
  const token = at?.[1] ?? "";
  return { before: text.slice(0, text.length - token.length), token };
}

/** From the last operator on: names of people, channels and topics may have spaces. */
export function longToken(text: string): { before: string; token: string } | undefined {
  const token = /(?:^|\s)(-?[\w-]+:[^:]*)$/u.exec(text)?.[1];
  return token === undefined ? undefined : { before: text.slice(0, -token.length), token };
}

/** Finished tokens become pills; what means nothing stays text. */
export function withPills(
  text: string,
  directory: Directory,
): { pills: NarrowTerm[]; rest: string } {
  const pills: NarrowTerm[] = [];
  const rest = text.replace(
    /(^|\s)(-?[\w-]+):("[^"]*"|[^\s"]+)(?=\s)/gu,
    (whole, space: string, name: string, operand: string) => {
      const term = termOf(name, operand.replaceAll('"', ""), directory);
      if (!term) return whole;
      pills.push(term);
      return space;
    },
  );
  return { pills, rest: pills.length > 0 ? rest.replace(/\s+/gu, " ").trimStart() : text };
}

export function termOf(
  name: string,
  operand: string,
  directory: Directory,
): NarrowTerm | undefined {
  const negated = name.startsWith("-");
  const bare = folded(negated ? name.slice(1) : name);
  // With a message one is in its conversation, with a person in theirs.
  const isMessage = bare === "with" && /^\d+$/.test(operand);
  const operator = isMessage ? bare : (ALIASES[bare] ?? bare);
  if (!KNOWN.has(operator) || operand === "") return undefined;
  const meant = meantBy(operator, operand, directory);
  return meant === undefined ? undefined : { operator, operand: meant, negated };
}

function meantBy(operator: string, operand: string, directory: Directory): string | undefined {
  const plain = folded(operand);
  switch (operator) {
    case "sender":
    case "dm":
    case "dm-including": {
      if (plain === "me") return `${directory.me}`;
      const id = /^\d+(,\d+)*$/.test(operand) ? operand : directory.person(operand);
      return id === undefined ? undefined : `${id}`;
    }
    case "channel": {
      const id = /^\d+$/.test(operand) ? operand : directory.channel(operand);
      return id === undefined ? undefined : `${id}`;
    }
    case "is":
      return (IS as readonly string[]).includes(plain) ? plain : undefined;
    case "has":
      return (HAS as readonly string[]).includes(plain) ? plain : undefined;
    case "channels":
      return plain === "public" || plain === "web-public" ? plain : undefined;
    case "near":
    case "id":
    case "with":
      return /^\d+$/.test(operand) ? operand : undefined;
    default:
      return operand;
  }
}
