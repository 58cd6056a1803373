// A set of hashes that takes little memory, for keys of all messages of an archive.

const FIRST_LENGTH = 1_024;

export const hashOfKey = (key: string) => Bun.hash(key) as bigint;

/** Stores 8 bytes per hash. */
export class Hashes {
  private values = new BigUint64Array(FIRST_LENGTH);
  private length = 0;

  add(hash: bigint): void {
    if (this.length === this.values.length) {
      const longer = new BigUint64Array(2 * this.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = hash;
  }

  all(): BigUint64Array {
    return this.values.subarray(0, this.length);
  }

  /** Returns the number of duplicates. */
  sort(): number {
    const all = this.all().sort();
    return all.reduce((count, hash, index) => count + Number(hash === all[index - 1]), 0);
  }

  /** Must be called after `sort`. */
  has(hash: bigint): boolean {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.values[middle]! < hash) from = middle + 1;
      else to = middle;
    }
    return from < this.length && this.values[from] === hash;
  }
}
