// Splits highlighted code further into the classes of Pygments, without changing the text.
import { ownValue } from "../input/own-value.ts";

export interface Piece {
  text: string;
  /** "" for none. */
  name: string;
}

/** Syntax of a language: names, spaces, numbers, strings, and line comments. */
interface LexerQuirks {
  name: string;
  space: string;
  int: string;
  /** Classes of strings in single and in double quotes. */
  texts: readonly [single: string, double: string];
  line: string;
}

const C_LIKE: LexerQuirks = { name: "n", space: "w", int: "mi", texts: ["sc", "s"], line: "c1" };
const SCRIPT: LexerQuirks = { ...C_LIKE, name: "nx", int: "mf", texts: ["s1", "s2"] };
const LEXER_QUIRKS: Readonly<Record<string, LexerQuirks>> = {
  bash: { ...C_LIKE, name: "", texts: ["s1", "s2"] },
  c: C_LIKE,
  cpp: C_LIKE,
  csharp: { ...C_LIKE, int: "m" },
  css: { ...C_LIKE, int: "mi" },
  go: { ...C_LIKE, name: "nx" },
  java: { ...C_LIKE, texts: ["sc", "s"] },
  javascript: SCRIPT,
  json: { ...C_LIKE, texts: ["s1", "s2"] },
  kotlin: { ...C_LIKE, int: "m", texts: ["sc", "s"] },
  php: { ...C_LIKE, name: "nx", space: "", texts: ["s1", "s2"] },
  python: { ...C_LIKE, space: "", texts: ["s1", "s2"] },
  ruby: { ...C_LIKE, texts: ["s1", "s2"] },
  rust: { ...C_LIKE, int: "mi", texts: ["sc", "s"] },
  sql: { ...C_LIKE, int: "mi", texts: ["s1", "ss"] },
  swift: { ...C_LIKE, space: "w", texts: ["s", "s"] },
  typescript: SCRIPT,
  yaml: { ...C_LIKE, name: "l", int: "l" },
};

/** Keywords that import names. */
const IMPORTING = new Set("import from package use using namespace".split(" "));
const CONSTANTS = new Set("true false null undefined nil None True False".split(" "));
/** Keywords that declare names. */
const DECLARING_KEYWORDS = new Set(
  "let const var function class interface enum func fn struct fun val extends type".split(" "),
);
const DECLARING_LANGUAGES: ReadonlySet<string> = new Set(
  "javascript typescript go kotlin swift java".split(" "),
);
const WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "in", "is"]);

const PART =
  /\s+|[\p{L}_$][\p{L}\p{N}_$]*|\d[\d_]*(?:\.\d+)?|[()[\]{},;]|[^\s\p{L}\p{N}_$()[\]{},;]+|\p{N}/gu;

export function refinePieces(pieces: readonly Piece[], grammar: string): readonly Piece[] {
  const quirks = ownValue(LEXER_QUIRKS, grammar);
  if (quirks === undefined) return pieces;
  const lines = pieces.flatMap((piece) => splitPiece(piece, quirks, grammar)).flatMap(byLine);
  const merged: Piece[] = [];
  for (const piece of lines) {
    const last = merged.at(-1);
    if (last?.name === piece.name) last.text += piece.text;
    else merged.push({ ...piece });
  }
  return merged;
}

/** Spans must not cross line ends. */
function byLine({ text, name }: Piece): Piece[] {
  if (!text.includes("\n")) return [{ text, name }];
  const parts = text.split(/(\n)/).filter((part) => part !== "");
  return parts.map((part) => ({ text: part, name: part === "\n" ? "" : name }));
}

function splitPiece({ text, name }: Piece, quirks: LexerQuirks, grammar: string): Piece[] {
  const pieceOf = (other: string): Piece[] => [{ text, name: other }];
  switch (name) {
    case "":
      return (text.match(PART) ?? []).map((part) => ({
        text: part,
        name: plainName(part, quirks),
      }));
    case "kc":
    case "k":
      if (IMPORTING.has(text)) return pieceOf(grammar === "rust" ? "k" : "kn");
      if (CONSTANTS.has(text) || name === "kc") return pieceOf(grammar === "yaml" ? "l" : "kc");
      if (grammar === "python" && WORDS.has(text)) return pieceOf("ow");
      return pieceOf(DECLARING_LANGUAGES.has(grammar) && DECLARING_KEYWORDS.has(text) ? "kd" : "k");
    case "na":
      if (grammar === "json") return pieceOf("nt");
      if (grammar !== "yaml" || !text.endsWith(":")) return pieceOf(name);
      return [
        { text: text.slice(0, -1), name: "nt" },
        { text: ":", name: "p" },
      ];
    case "m":
      return pieceOf(/^0x/i.test(text) ? "mh" : text.includes(".") ? "mf" : quirks.int);
    case "c":
      return pieceOf(
        /^(?:\/\/|#|--)/.test(text) ? quirks.line : text.startsWith("/*") ? "cm" : "c",
      );
    case "s":
      return pieceOf(quirks.texts[text.startsWith("'") ? 0 : 1]);
    default:
      return pieceOf(name);
  }
}

function plainName(part: string, { name, space, int }: LexerQuirks): string {
  if (/^\s/.test(part)) return space;
  if (/^[\p{L}_$]/u.test(part)) return name;
  if (/^\p{N}/u.test(part)) return part.includes(".") ? "mf" : int;
  return /^[()[\]{},;:.]+$/.test(part) ? "p" : "o";
}
