// Renders TeX formulas with KaTeX within strict limits.
import type katexModule from "katex";
import { escapeQuotes } from "./serialize.ts";
import { element } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

/** Remaining formulas that are rendered in a message. */
export interface MathBudget {
  characters: number;
}

export const MATH_CHARACTERS_MAX = 5_000;

export function inlineMath(source: string, budget: MathBudget): Node {
  const html = typeset(source, false, budget);
  if (html !== undefined) return { html };
  return element("span", { class: "tex-error" }, [{ literal: `$$${source}$$` }]);
}

/** Empty lines separate formulas; all are in one paragraph. */
export function mathBlock(lines: readonly string[], budget: MathBudget): Element {
  const html = lines
    .join("\n")
    .split("\n\n")
    .map((source) => typeset(source, true, budget) ?? errorElement(source));
  return element("p", {}, [{ html: html.join("\n\n") }]);
}

function errorElement(source: string): string {
  return `<span class="tex-error">${escapeQuotes(source, "&#x27;")}</span>`;
}

const FORMULA_COST_CHARACTERS = 10;
const EXPANSIONS_MAX = 1_000;
const EXPANDED_CHARACTERS_MAX = 20_000;
const DEFINITION = /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)/;

/**
 * undefined for invalid TeX, or if there is too much of it. Macros may expand only a little,
 * because expansions multiply the length.
 */
function typeset(source: string, displayMode: boolean, budget: MathBudget): string | undefined {
  budget.characters -= source.length + FORMULA_COST_CHARACTERS;
  if (budget.characters < 0) return undefined;
  const maxExpand = DEFINITION.test(source)
    ? Math.floor(EXPANDED_CHARACTERS_MAX / source.length)
    : EXPANSIONS_MAX;
  const settings = { displayMode, maxExpand, maxSize: SIZE_MAX_EM, trust: false };
  try {
    return withoutWarnings(() => katex().renderToString(source, { ...settings, strict: "ignore" }));
  } catch {
    return undefined;
  }
}

const SIZE_MAX_EM = 20;

/** KaTeX logs characters that its fonts lack, but message content must not be logged. */
function withoutWarnings(run: () => string): string {
  const output = globalThis.console;
  const { warn } = output;
  output.warn = () => {};
  try {
    return run();
  } finally {
    output.warn = warn;
  }
}

let loaded: typeof katexModule | undefined;

/** Loaded with the first formula, to keep the start fast. */
function katex(): typeof katexModule {
  loaded ??= require("katex") as typeof katexModule;
  return loaded;
}
