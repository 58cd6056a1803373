// A ring buffer that neither moves items nor allocates per item.

const SLOTS_MIN = 4;
const NONE: never[] = [];

/** Grows as needed: the caller must enforce a limit. */
export class Ring<T> {
  /** The length is 0 or a power of two. */
  #slots: (T | undefined)[] = NONE;
  #head = 0;
  #count = 0;

  get count() {
    return this.#count;
  }

  get oldest(): T | undefined {
    return this.at(0);
  }

  get newest(): T | undefined {
    return this.at(this.#count - 1);
  }

  /** Returns the item at `index`, counted from the oldest. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.#count) return undefined;
    return this.#slots[(this.#head + index) & (this.#slots.length - 1)];
  }

  push(item: T) {
    if (this.#count === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#count) & (this.#slots.length - 1)] = item;
    this.#count += 1;
  }

  shift(): T | undefined {
    if (this.#count === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#count -= 1;
    if (this.#count === 0 && this.#slots.length > SLOTS_MIN) this.clear();
    return item;
  }

  clear() {
    this.#slots = NONE;
    this.#head = 0;
    this.#count = 0;
  }

  #grow() {
    const length = Math.max(SLOTS_MIN, this.#slots.length * 2);
    this.#slots = Array.from({ length }, (_, index) => this.at(index));
    this.#head = 0;
  }
}
