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

/** One text on its way through the patterns: what matched is put aside, a mark in its place. */
export interface Passage extends Scope {
  quoted: boolean;
  putAside(node: Node): string;
  /** The put-aside nodes back between the text, which is read no further. */
  restore(text: string): Node[];
  /** The contents of a match of a nesting pattern, read by the patterns after it. */
  nested(text: string): Node[];
}

/** Replaces each match by its mark. Most texts lack what a pattern needs: look for that first. */
export type Pattern = (text: string, passage: Passage) => string;

// The cleaned source has neither of these two, so that nobody can write a mark. The character
// between them counts nodes, from one on that means nothing to any pattern.
const MARK_START = "\u0002";
const MARK_END = "\u0003";
const MARK_FIRST = 0x3400;

export function markOf(index: number): string {
  return MARK_START + String.fromCharCode(MARK_FIRST + index) + MARK_END;
}

/** True when a part of the text was put aside already. */
export function hasMark(text: string): boolean {
  return text.includes(MARK_START);
}

export function restored(
  text: string,
  aside: readonly Node[],
  read: (plain: string) => Node[],
): Node[] {
  if (!hasMark(text)) return read(text);
  const nodes: Node[] = [];
  let start = 0;
  for (let at = text.indexOf(MARK_START); at !== -1; at = text.indexOf(MARK_START, start)) {
    if (at > start) nodes.push(...read(text.slice(start, at)));
    nodes.push(aside[text.charCodeAt(at + 1) - MARK_FIRST]!);
    start = at + 3;
  }
  if (start < text.length) nodes.push(...read(text.slice(start)));
  return nodes;
}
