// Numbers ASCII words, so that a known word is found without making a string of it.

const HASH_PRIME = 0x01000193;
const SLOTS_AT_FIRST = 4_096;
const BYTES_AT_FIRST = 16_384;

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
  /** The characters of all words. */
  private bytes = new Uint8Array(BYTES_AT_FIRST);
  /** The end of each word in `bytes`; it starts at the end of the previous one. */
  private ends = new Uint32Array(SLOTS_AT_FIRST / 2);

  /** Returns the index of a word, adding it if necessary. */
  indexOfWord(word: Buffer, length: number, hash: number): number {
    const last = this.slots.length - 1;
    let slot = mixHash(hash) & last;
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      const index = entry - 1;
      if (this.hashes[index] === hash && this.isWord(index, word, length)) return index;
      slot = (slot + 1) & last;
    }
    return this.add(word, length, hash, slot);
  }

  private isWord(index: number, word: Buffer, length: number): boolean {
    const start = this.startOf(index);
    if (this.ends[index]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== word[i]) return false;
    return true;
  }

  private startOf(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  private add(word: Buffer, length: number, hash: number, slot: number): number {
    const index = this.words.push(word.toString("latin1", 0, length)) - 1;
    const end = this.startOf(index) + length;
    if (end > this.bytes.length) this.bytes = larger(this.bytes, new Uint8Array(end * 2));
    for (let i = 0; i < length; i++) this.bytes[end - length + i] = word[i]!;
    this.ends[index] = end;
    this.hashes[index] = hash;
    this.slots[slot] = index + 1;
    if (this.words.length === this.hashes.length) this.grow();
    return index;
  }

  private grow(): void {
    const size = this.hashes.length * 2;
    this.ends = larger(this.ends, new Uint32Array(size));
    this.hashes = larger(this.hashes, new Int32Array(size));
    this.slots = new Uint32Array(size * 2);
    const last = this.slots.length - 1;
    for (let index = 0; index < this.words.length; index++) {
      let slot = mixHash(this.hashes[index]!) & last;
      while (this.slots[slot] !== 0) slot = (slot + 1) & last;
      this.slots[slot] = index + 1;
    }
  }
}

/** Returns `copy` with the numbers of `array`. */
function larger<A extends Uint8Array | Uint32Array | Int32Array>(array: A, copy: A): A {
  copy.set(array);
  return copy;
}

/** The low bits of a hash depend little on the first characters. */
function mixHash(hash: number): number {
  return hash ^ (hash >>> 15);
}
