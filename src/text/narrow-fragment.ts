// The `#narrow/…` address of any set of terms, and what an address of ours or of others means.
import { ownValue } from "./input/own-value.ts";
import { encodeFragment } from "./channel-fragment.ts";

/** A condition on messages; the operand is text, as an address has it. */
export interface NarrowTerm {
  operator: string;
  operand: string;
  negated: boolean;
}

/** Former names of operators. */
const SYNONYMS: Readonly<Record<string, string>> = {
  stream: "channel",
  streams: "channels",
  "pm-with": "dm",
  "group-pm-with": "dm-including",
  subject: "topic",
  from: "sender",
};
/** Operands that begin with an id, and what follows it is there for people. */
const BY_ID = ["channel", "dm", "dm-including", "sender"];
const TERMS_MAX = 100;

/** From `#` on. `slugs`: the words that stand behind ids, by `operator/operand`. */
export function narrowFragment(
  terms: readonly NarrowTerm[],
  slugOf: (term: NarrowTerm) => string | undefined = () => undefined,
): string {
  const parts = terms.flatMap((term) => {
    const slug = slugOf(term);
    const operand = encodeFragment(term.operand);
    const shown = slug === undefined ? operand : `${operand}-${encodeFragment(slugged(slug))}`;
    return [(term.negated ? "-" : "") + encodeFragment(term.operator), shown];
  });
  return ["#narrow", ...parts].join("/");
}

const slugged = (name: string) => name.replaceAll(" ", "-");

/** The terms of what stands behind `#narrow/`; undefined: nobody can have written that. */
export function narrowOf(path: string): NarrowTerm[] | undefined {
  const parts = path.split("/");
  // A trailing slash ends the address; an empty last operand is the topic without a name.
  if (parts.length % 2 === 1 && parts.at(-1) === "") parts.pop();
  if (parts.length % 2 === 1 || parts.length > 2 * TERMS_MAX) return undefined;
  const terms: NarrowTerm[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const term = termOf(parts[at]!, parts[at + 1]!);
    if (term === undefined) return undefined;
    terms.push(term);
  }
  return terms;
}

function termOf(left: string, right: string): NarrowTerm | undefined {
  const negated = left.startsWith("-");
  const name = decodeFragment(negated ? left.slice(1) : left);
  const operand = decodeFragment(right);
  if (name === undefined || operand === undefined || name === "") return undefined;
  if (name === "is" && operand === "private") return { operator: "is", operand: "dm", negated };
  const operator = ownValue(SYNONYMS, name) ?? name;
  const bare = BY_ID.includes(operator) ? withoutSlug(operand) : operand;
  return { operator, operand: bare, negated };
}

/** Ids alone decide: `5-design` is 5, and `3,9-group` is 3 and 9; names and addresses stay. */
function withoutSlug(operand: string): string {
  return /^(\d+(?:,\d+)*)(?:-.*)?$/s.exec(operand)?.[1] ?? operand;
}

/** Dots for percent signs; undefined where the bytes are no text. */
export function decodeFragment(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll(".", "%"));
  } catch {
    return undefined;
  }
}
