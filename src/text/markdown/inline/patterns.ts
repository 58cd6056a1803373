// The interface of patterns for inline text, and placeholders for their results.
import type { RenderContext } from "../context.ts";
import type { Findings } from "../findings.ts";
import type { MathBudget } from "../math.ts";
import type { Node } from "../tree.ts";

export interface Scope {
  context: RenderContext;
  findings: Findings;
  math: MathBudget;
}

/** A text that passes through the patterns: matches are replaced by placeholders. */
export interface Passage extends Scope {
  quoted: boolean;
  placeholderFor(node: Node): string;
  /** Replaces placeholders by their nodes; the text between them is not parsed further. */
  restore(text: string): Node[];
  /** Parses the content of a nesting pattern with the patterns after it. */
  nested(text: string): Node[];
}

/**
 * Replaces each match by a placeholder. Most texts cannot match a pattern, so test for a required
 * character first.
 */
export type Pattern = (text: string, context: Passage) => string;

// The cleaned source contains neither of these two, so users cannot forge a placeholder. The
// character between them numbers the nodes, starting at one that no pattern matches.
const MARK_START = "\u0002";
const MARK_END = "\u0003";
const MARK_FIRST = 0x3400;

export function markOf(index: number): string {
  return MARK_START + String.fromCharCode(MARK_FIRST + index) + MARK_END;
}

/** Whether a part of the text has been replaced by a placeholder. */
export function hasMark(text: string): boolean {
  return text.includes(MARK_START);
}

export function restored(
  text: string,
  placeholders: readonly Node[],
  read: (plain: string) => Node[],
): Node[] {
  if (!hasMark(text)) return read(text);
  const nodes: Node[] = [];
  let start = 0;
  for (
    let index = text.indexOf(MARK_START);
    index !== -1;
    index = text.indexOf(MARK_START, start)
  ) {
    if (index > start) nodes.push(...read(text.slice(start, index)));
    nodes.push(placeholders[text.charCodeAt(index + 1) - MARK_FIRST]!);
    start = index + 3;
  }
  if (start < text.length) nodes.push(...read(text.slice(start)));
  return nodes;
}
