// Says whether a password that somebody chooses is hard enough to guess.
import {
  isPassword,
  PASSWORD_GUESSES_MIN,
  type PasswordStrength,
  STRONG_GUESSES_MIN,
} from "./rules.ts";

/** Hostile texts take more than linear time, and other requests wait for it: 25 ms, by these. */
const ESTIMATED_LENGTH_MAX = 64;
const SUBSTITUTIONS_MAX = 16;
const KNOWN_LENGTH_MAX = 100;

type Estimate = (password: string, known: string[]) => number;

/** Loaded at the first use, because the word lists take time and memory that a start can save. */
let estimate: Promise<Estimate> | undefined;

/** `known` are texts that a guesser of this person's password tries first, such as their name. */
export async function strengthOf(password: string, known: string[]): Promise<PasswordStrength> {
  if (!isPassword(password)) return "weak";
  const guesses = (await (estimate ??= load()))(password, known.flatMap(guessesFrom));
  if (guesses < PASSWORD_GUESSES_MIN) return "weak";
  return guesses < STRONG_GUESSES_MIN ? "fair" : "strong";
}

export async function isStrongPassword(password: string, known: string[]): Promise<boolean> {
  return (await strengthOf(password, known)) !== "weak";
}

async function load(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  const lists: [string, string[]][] = Object.entries({
    ...common.dictionary,
    ...english.dictionary,
  });
  // A list begins with the words tried first: one further down is strong enough by itself.
  const dictionary = lists.map(([name, words]) => [name, words.slice(0, PASSWORD_GUESSES_MIN)]);
  const estimator = new ZxcvbnFactory({
    dictionary: Object.fromEntries(dictionary),
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
    maxLength: ESTIMATED_LENGTH_MAX,
  });
  return (password, known) => estimator.check(password, known).guesses;
}

/** The text itself, each of its words, and its words without what stands between them. */
function guessesFrom(known: string): string[] {
  const text = known.slice(0, KNOWN_LENGTH_MAX).trim();
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return [text, ...words, words.join("")].filter((guess) => guess !== "");
}
