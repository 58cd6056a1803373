// Estimates how hard a password is to guess.
import {
  isPassword,
  PASSWORD_GUESSES_MIN,
  type PasswordStrength,
  STRONG_GUESSES_MIN,
} from "./rules.ts";

/**
 * Hostile texts take more than linear time and block other requests. These limits keep it to 25 ms.
 */
const ESTIMATED_LENGTH_MAX = 64;
const SUBSTITUTIONS_MAX = 16;
const KNOWN_LENGTH_MAX = 100;

type Estimate = (password: string, guessableWords: string[]) => number;

/** Loaded at first use, because the word lists take time and memory. */
let estimate: Promise<Estimate> | undefined;

/** `guessableWords`: texts about the user that an attacker tries first, such as the name. */
export async function strengthOf(
  password: string,
  guessableWords: string[],
): Promise<PasswordStrength> {
  if (!isPassword(password)) return "weak";
  const guesses = (await (estimate ??= load()))(password, guessableWords.flatMap(guessesFrom));
  if (guesses < PASSWORD_GUESSES_MIN) return "weak";
  return guesses < STRONG_GUESSES_MIN ? "fair" : "strong";
}

export async function isStrongPassword(
  password: string,
  guessableWords: string[],
): Promise<boolean> {
  return (await strengthOf(password, guessableWords)) !== "weak";
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
  // Lists are sorted by frequency: words further down are strong enough.
  const dictionary = lists.map(([name, words]) => [name, words.slice(0, PASSWORD_GUESSES_MIN)]);
  const estimator = new ZxcvbnFactory({
    dictionary: Object.fromEntries(dictionary),
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
    maxLength: ESTIMATED_LENGTH_MAX,
  });
  return (password, guessableWords) => estimator.check(password, guessableWords).guesses;
}

/** Returns the text, each of its words, and the words joined together. */
function guessesFrom(source: string): string[] {
  const text = source.slice(0, KNOWN_LENGTH_MAX).trim();
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return [text, ...words, words.join("")].filter((guess) => guess !== "");
}
