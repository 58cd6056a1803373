// Highlights code with the CSS classes of Pygments, in spans that are never nested.
import { ownValue } from "../input/own-value.ts";
import type { Emitter, HLJSApi } from "highlight.js";
import { GRAMMARS, grammarOf, EMBEDDED_LANGUAGES } from "./grammars.ts";
import { type Piece, refinePieces } from "./pygments.ts";
import { element, literal } from "./tree.ts";
import type { Node } from "./tree.ts";

/** Remaining code that is highlighted in a message. */
export interface ColorBudget {
  characters: number;
}

/** The grammars' patterns may take quadratic time. */
export const COLORED_CHARACTERS_MAX = 3_000;
const LINE_CHARACTERS_MAX = 200;
/** Grammars that are slower than others, with their factor. */
const COST_FACTORS: Readonly<Record<string, number>> = { csharp: 2 };

/**
 * undefined if the code is displayed without highlighting: its language is unknown, or it is too
 * long.
 */
export function colored(code: string, language: string, budget: ColorBudget): Node[] | undefined {
  const grammar = grammarOf(language);
  if (grammar === undefined) return undefined;
  const cost = code.length * (ownValue(COST_FACTORS, grammar) ?? 1);
  if (cost > budget.characters) return undefined;
  if (code.split("\n").some((line) => line.length > LINE_CHARACTERS_MAX)) return undefined;
  budget.characters -= cost;
  const result = highlighter(grammar).highlight(code, { language: grammar, ignoreIllegals: true });
  const { pieces } = result._emitter as Pieces;
  // After an internal error the highlighter returns only a part of the code.
  if (pieces.map((piece) => piece.text).join("") !== code) return undefined;
  return refinePieces(pieces, grammar).map(({ text, name }) =>
    name === "" ? literal(text) : element("span", { class: name }, [literal(text)]),
  );
}

/** Tracks nested scopes, and assigns each text the class of the innermost scope that has one. */
class Pieces implements Emitter {
  pieces: Piece[] = [];
  private names = [""];

  startScope(scope: string): void {
    this.names.push(classOf(scope) ?? this.names.at(-1)!);
  }

  endScope(): void {
    this.names.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    this.add(text, this.names.at(-1)!);
  }

  __addSublanguage(emitter: Emitter): void {
    for (const { text, name } of (emitter as Pieces).pieces) this.add(text, name);
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }

  private add(text: string, name: string): void {
    if (text === "") return;
    const last = this.pieces.at(-1);
    if (last?.name === name) last.text += text;
    else this.pieces.push({ text, name });
  }
}

/** The class by scope; "" ends the surrounding class. */
const CLASSES: Readonly<Record<string, string>> = {
  addition: "gi",
  attr: "na",
  attribute: "na",
  built_in: "nb",
  bullet: "k",
  "char.escape": "se",
  code: "sb",
  comment: "c",
  deletion: "gd",
  doctag: "cs",
  emphasis: "ge",
  formula: "m",
  keyword: "k",
  link: "sx",
  literal: "kc",
  meta: "cp",
  "meta.prompt": "gp",
  name: "nt",
  number: "m",
  operator: "o",
  property: "na",
  punctuation: "p",
  quote: "s",
  regexp: "sr",
  section: "gh",
  "selector-attr": "na",
  "selector-class": "nc",
  "selector-id": "nn",
  "selector-pseudo": "nd",
  "selector-tag": "nt",
  string: "s",
  strong: "gs",
  subst: "",
  symbol: "ss",
  tag: "p",
  "template-tag": "cp",
  "template-variable": "nv",
  title: "nf",
  "title.class": "nc",
  type: "kt",
  variable: "nv",
  "variable.constant": "no",
  "variable.language": "bp",
};

/** For a scope such as `title.class.inherited`, also tries its prefixes. */
function classOf(scope: string): string | undefined {
  if (Object.hasOwn(CLASSES, scope)) return CLASSES[scope];
  const dot = scope.lastIndexOf(".");
  return dot === -1 ? undefined : classOf(scope.slice(0, dot));
}

let loaded: HLJSApi | undefined;

/** Loads the highlighter on first use, and each grammar with the first code in its language. */
function highlighter(grammar: string): HLJSApi {
  if (loaded === undefined) {
    loaded = (require("highlight.js/lib/core") as HLJSApi).newInstance();
    loaded.configure({ __emitter: Pieces });
  }
  for (const name of [grammar, ...(ownValue(EMBEDDED_LANGUAGES, grammar) ?? [])]) {
    if (!loaded.getLanguage(name)) loaded.registerLanguage(name, ownValue(GRAMMARS, name)!());
  }
  return loaded;
}
