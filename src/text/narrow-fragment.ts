// Builds `#narrow/…` URLs for any list of terms, and parses those of Skein and other servers.
import { ownValue } from "./input/own-value.ts";

/** A condition on messages; the operand is text, as in the URL. */
export interface NarrowTerm {
  operator: string;
  operand: string;
  negated: boolean;
}

/** Earlier names of operators. */
const SYNONYMS: Readonly<Record<string, string>> = {
  stream: "channel",
  streams: "channels",
  "pm-with": "dm",
  "group-pm-with": "dm-including",
  subject: "topic",
  from: "sender",
};
/** Operators whose operands begin with an id; the rest of the operand is a readable name. */
const BY_ID = ["channel", "dm", "dm-including", "sender"];
const TERMS_MAX = 100;

/** Starts with `#`. `slugs`: readable names for ids, by `operator/operand`. */
export function narrowFragment(
  terms: readonly NarrowTerm[],
  slugOf: (term: NarrowTerm) => string | undefined = () => undefined,
): string {
  const parts = terms.flatMap((term) => {
    const slug = slugOf(term);
    const operand = encodeFragment(term.operand);
    const withSlug = slug === undefined ? operand : `${operand}-${encodeFragment(slugged(slug))}`;
    return [(term.negated ? "-" : "") + encodeFragment(term.operator), withSlug];
  });
  return ["#narrow", ...parts].join("/");
}

const slugged = (name: string) => name.replaceAll(" ", "-");

/** The terms of the text after `#narrow/`; undefined if it is invalid. */
export function narrowOf(path: string): NarrowTerm[] | undefined {
  const parts = path.split("/");
  // A trailing slash is ignored, but an empty last operand is the empty topic.
  if (parts.length % 2 === 1 && parts.at(-1) === "") parts.pop();
  if (parts.length % 2 === 1 || parts.length > 2 * TERMS_MAX) return undefined;
  const terms: NarrowTerm[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const term = termOf(parts[index]!, parts[index + 1]!);
    if (term === undefined) return undefined;
    terms.push(term);
  }
  return terms;
}

function termOf(operatorText: string, right: string): NarrowTerm | undefined {
  const negated = operatorText.startsWith("-");
  const name = decodeFragment(negated ? operatorText.slice(1) : operatorText);
  const operand = decodeFragment(right);
  if (name === undefined || operand === undefined || name === "") return undefined;
  if (name === "is" && operand === "private") return { operator: "is", operand: "dm", negated };
  const operator = ownValue(SYNONYMS, name) ?? name;
  const stripped = BY_ID.includes(operator) ? withoutSlug(operand) : operand;
  return { operator, operand: stripped, negated };
}

/**
 * Only ids count: `5-design` is 5, and `3,9-group` is 3 and 9; names and addresses stay unchanged.
 */
function withoutSlug(operand: string): string {
  return /^(\d+(?:,\d+)*)(?:-.*)?$/s.exec(operand)?.[1] ?? operand;
}

/** Decodes dots as percent signs; undefined if the bytes are not valid UTF-8. */
function decodeFragment(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll(".", "%"));
  } catch {
    return undefined;
  }
}

/** Percent-encoding with a dot instead of the percent sign. */
export function encodeFragment(text: string): string {
  if (/^[A-Za-z0-9_~-]*$/.test(text)) return text;
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.!*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");
}
