// Sequences of numbers, each used once, even after a crash.
import { msgpack } from "./codec.ts";
import { AFTER, keyOf } from "./key.ts";
import type { Layer } from "./layers.ts";
import type { RowReader } from "./rows.ts";

export const SEQUENCES_PREFIX = 1;

const keyOfSequence = (sequence: string) => keyOf(SEQUENCES_PREFIX, [sequence]);

export class Sequences {
  /** The latest numbers, durable or not. */
  private readonly newest = new Map<string, number>();
  /** Sequences that have advanced since a layer was started. */
  private readonly moved = new Set<string>();

  constructor(private readonly committed: RowReader) {
    const start = String.fromCharCode(SEQUENCES_PREFIX);
    for (const [key, bytes] of committed.range(start, start + AFTER)) {
      this.newest.set(key.slice(1, -1), msgpack.decode(bytes) as number);
    }
  }

  last(sequence: string): number {
    return this.newest.get(sequence) ?? 0;
  }

  lastCommitted(sequence: string): number {
    const bytes = this.committed.get(keyOfSequence(sequence));
    return bytes ? (msgpack.decode(bytes) as number) : 0;
  }

  move(sequence: string, to: number): number {
    this.newest.set(sequence, to);
    this.moved.add(sequence);
    return to;
  }

  /** Advances a sequence, even if all transactions of the layer fail. */
  raise(sequence: string, to: number, layer: Layer): void {
    this.newest.set(sequence, to);
    layer.add(keyOfSequence(sequence), msgpack.encode(to));
  }

  /**
   * Writes the advanced sequences to the layer that is about to be committed. Numbers used by
   * transactions that threw wait for a later commit, because an error is no reason to commit.
   */
  settle(layer: Layer): Layer {
    if (!layer.isWritten && layer.isEmpty) return layer;
    for (const sequence of this.moved) {
      const key = keyOfSequence(sequence);
      layer.rowsOf(key).set(key, msgpack.encode(this.last(sequence)));
    }
    this.moved.clear();
    return layer;
  }
}
