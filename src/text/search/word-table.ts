// Assigns numbers to words without extracting them from their text.

const HASH_PRIME = 0x01000193;
const SLOTS_AT_FIRST = 4_096;

/** Random initial hash, so that collisions cannot be provoked. */
export const hashSeed = Math.floor(Math.random() * 2 ** 32) | 0;

/** Returns the hash with another character. */
export function hashWith(hash: number, code: number): number {
  return Math.imul(hash ^ code, HASH_PRIME);
}

/** Assigns each word an index, starting at 0. */
export class WordTable {
  readonly words: string[] = [];
  /** Open addressing by hash: a word's index plus 1; 0 is free. */
  private slots = new Uint32Array(SLOTS_AT_FIRST);
  private hashes = new Int32Array(SLOTS_AT_FIRST / 2);

  /** Returns the index of the word at `from`..`to` of `text`, adding it if necessary. */
  indexOfWord(text: string, from: number, to: number, hash: number): number {
    const last = this.slots.length - 1;
    let slot = mixHash(hash) & last;
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      const index = entry - 1;
      if (this.hashes[index] === hash && isAt(text, from, to, this.words[index]!)) return index;
      slot = (slot + 1) & last;
    }
    return this.add(this.wordAt(text, from, to), hash, slot);
  }

  protected wordAt(text: string, from: number, to: number): string {
    return text.slice(from, to);
  }

  private add(word: string, hash: number, slot: number): number {
    const index = this.words.push(word) - 1;
    this.hashes[index] = hash;
    this.slots[slot] = index + 1;
    if (this.words.length === this.hashes.length) this.grow();
    return index;
  }

  private grow(): void {
    const hashes = new Int32Array(this.hashes.length * 2);
    hashes.set(this.hashes);
    this.hashes = hashes;
    this.slots = new Uint32Array(hashes.length * 2);
    const last = this.slots.length - 1;
    for (let index = 0; index < this.words.length; index++) {
      let slot = mixHash(hashes[index]!) & last;
      while (this.slots[slot] !== 0) slot = (slot + 1) & last;
      this.slots[slot] = index + 1;
    }
  }
}

/** The low bits of a hash depend little on the first characters. */
function mixHash(hash: number): number {
  return hash ^ (hash >>> 15);
}

function isAt(text: string, from: number, to: number, word: string): boolean {
  if (word.length !== to - from) return false;
  for (let index = from; index < to; index++) {
    if (text.charCodeAt(index) !== word.charCodeAt(index - from)) return false;
  }
  return true;
}
