// Texts of pages and emails, by key and language.
import type { parse, Token } from "@messageformat/parser";
import type { Refusal } from "../../contract/errors/general.ts";
import { csrfTokenMissing, csrfTokenWrong, tooManySignIns } from "../../contract/errors/people.ts";
import type de from "./de.json";
import type en from "./en.json";
import type { refusalIn } from "../../text/refusals/refusals.ts";
import { type Html, joinMarkup, type Part } from "./markup.ts";

export type Word = keyof typeof en;
const STAMP = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
type Values = Readonly<Record<string, string | number>>;

/** Loaded with the first text of the language, to keep the start fast. */
const CATALOGUES = {
  en: () => require("./en.json") as typeof en,
  de: () => require("./de.json") as typeof de,
} satisfies Record<string, () => Record<Word, string>>;
export type Language = keyof typeof CATALOGUES;
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

export const isLanguage = (text: string): text is Language => Object.hasOwn(CATALOGUES, text);

export class Translator {
  /** Each text is parsed once, at its first use. */
  private readonly tokensByText = new Map<string, Token[]>();
  private rules: Intl.PluralRules | undefined;
  private stamps: Intl.DateTimeFormat | undefined;

  constructor(readonly language: Language) {}

  /** Returns text. */
  readonly translate = (word: Word, values: Values = {}): string =>
    this.parts(this.texts[word], values).join("");

  /** Returns HTML. Values may be HTML. */
  readonly translateHtml = (word: Word, values: Readonly<Record<string, Part>> = {}): Html =>
    joinMarkup(this.parts(this.texts[word], values));

  /** Returns the message of an error. */
  refusal({ message, extra }: Refusal): string {
    if (message === TOO_MANY_TRIES) {
      const minutes = Math.ceil(Number(extra["retry-after"]) / SECONDS_IN_MINUTE);
      return this.translate("too-many-tries", { minutes });
    }
    if (OUTDATED.includes(message)) return this.translate("form-outdated");
    const refusals = require("../../text/refusals/refusals.ts") as { refusalIn: typeof refusalIn };
    return refusals.refusalIn(this.language, message);
  }

  /** A date such as "23 November 2026"; seconds since 1970. */
  day(time: number, timeZone = "UTC"): string {
    const format = new Intl.DateTimeFormat(LOCALES[this.language], { timeZone, dateStyle: "long" });
    return format.format(time * 1000);
  }

  /** Date, minute and time zone in a short form for lists; seconds since 1970. */
  stamp(time: number): string {
    this.stamps ??= new Intl.DateTimeFormat(LOCALES[this.language], STAMP);
    return `${this.stamps.format(time * 1000)} ${STAMP.timeZone}`;
  }

  /** Date, time and time zone; seconds since 1970. */
  formatTime(time: number, timeZone: string): string {
    const form = { timeZone, dateStyle: "full", timeStyle: "long" } as const;
    return new Intl.DateTimeFormat(LOCALES[this.language], form).format(time * 1000);
  }

  private get texts(): Record<Word, string> {
    return CATALOGUES[this.language]();
  }

  /** Created on first use, which makes the server's start faster. */
  private get plurals(): Intl.PluralRules {
    return (this.rules ??= new Intl.PluralRules(this.language));
  }

  private parts<V>(sentence: string, values: Readonly<Record<string, V>>): (string | V)[] {
    return this.format(this.tokens(sentence), values);
  }

  private tokens(sentence: string): Token[] {
    let tokens = this.tokensByText.get(sentence);
    if (!tokens) {
      const parser = require("@messageformat/parser") as { parse: typeof parse };
      tokens = parser.parse(sentence);
      this.tokensByText.set(sentence, tokens);
    }
    return tokens;
  }

  /** `count`: the number of the enclosing plural. */
  private format<V>(
    tokens: readonly Token[],
    values: Readonly<Record<string, V>>,
    count = 0,
  ): (string | V)[] {
    return tokens.flatMap((token): (string | V)[] => {
      if (token.type === "content") return [token.value];
      if (token.type === "octothorpe") return [String(count)];
      const value = values[token.arg]!;
      if (!("cases" in token)) return [value];
      const number = Number(value);
      const key = token.type === "plural" ? this.plurals.select(number) : String(value);
      const chosen =
        token.cases.find((selectCase) => selectCase.key === `=${number}`) ??
        token.cases.find((selectCase) => selectCase.key === key) ??
        token.cases.find((selectCase) => selectCase.key === "other");
      return this.format(chosen!.tokens, values, number);
    });
  }
}

const TOO_MANY_TRIES = tooManySignIns(0).message;
/** Visitors see "outdated" in place of errors about CSRF tokens. */
const OUTDATED = [csrfTokenMissing(), csrfTokenWrong()].map(({ message }) => message);
const SECONDS_IN_MINUTE = 60;
const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de" };

const TRANSLATORS = { en: new Translator("en"), de: new Translator("de") } satisfies Record<
  Language,
  Translator
>;

/** Finds the texts for a code such as `de` or `de-at`. Undefined for unsupported languages. */
export function translatorFor(code: string): Translator | undefined {
  const language = code.toLowerCase().split("-", 1)[0]!;
  return Object.hasOwn(TRANSLATORS, language) ? TRANSLATORS[language as Language] : undefined;
}

export const ENGLISH: Translator = TRANSLATORS.en;
