// Replaces KaTeX: formulas stay source text until the server's rendering arrives.
import { element, type Element, type Node } from "../../text/markdown/tree.ts";

export interface MathBudget {
  characters: number;
}

export const MATH_CHARACTERS_MAX = 0;

export function inlineMath(source: string): Node {
  return element("code", {}, [{ literal: source }]);
}

export function mathBlock(lines: readonly string[]): Element {
  return element("p", {}, [element("code", {}, [{ literal: lines.join("\n") }])]);
}
