// Generated texts with the word frequencies of natural language, the same in every run.

const SEED = 20_261_121;
const WORDS = 30_000;
const SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to va we za".split(" ");
const WORD_ENDINGS = ["", "", "", "s", "ing", "ed", "ment"];
const SMALLEST = "the of and to a in is it you that for on are with as be at this have or by not";

export class Texts {
  /** Most common first. */
  readonly words: readonly string[];
  private readonly cumulative: Float64Array;
  private state = SEED;

  constructor() {
    const words = new Set(SMALLEST.split(" "));
    while (words.size < WORDS) words.add(this.inventedWord());
    this.words = [...words];
    this.cumulative = new Float64Array(WORDS);
    let sum = 0;
    for (let rank = 0; rank < WORDS; rank++) this.cumulative[rank] = sum += 1 / (rank + 3);
  }

  /** Returns words with at most `bytes` bytes, and only a few less. */
  text(bytes: number): string {
    let text = this.word();
    for (;;) {
      const extended = `${text} ${this.word()}`;
      if (extended.length > bytes) return text;
      text = extended;
    }
  }

  private word(): string {
    const index = this.nextChance() * this.cumulative[WORDS - 1]!;
    let [low, high] = [0, WORDS - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.cumulative[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return this.words[low]!;
  }

  private inventedWord(): string {
    const length = 2 + Math.floor(this.nextChance() * 3);
    const syllables = Array.from({ length }, () => this.pick(SYLLABLES));
    return syllables.join("") + this.pick(WORD_ENDINGS);
  }

  private pick(from: readonly string[]): string {
    return from[Math.floor(this.nextChance() * from.length)]!;
  }

  private nextChance(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }
}
