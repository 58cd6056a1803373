// Sequences: numbers that are given once; a commit writes those that its transactions moved.
import { plain } from "./codec.ts";
import { AFTER, keyOf } from "./key.ts";
import type { Layer } from "./layers.ts";
import type { RowReader } from "./rows.ts";

export const SEQUENCES_PREFIX = 1;

const keyOfSequence = (sequence: string) => keyOf(SEQUENCES_PREFIX, [sequence]);

export class Sequences {
  /** The newest numbers, durable or not. */
  private readonly newest = new Map<string, number>();
  /** Those that have moved since a layer was filled. */
  private readonly moved = new Set<string>();

  constructor(private readonly committed: RowReader) {
    const start = String.fromCharCode(SEQUENCES_PREFIX);
    for (const [key, bytes] of committed.range(start, start + AFTER)) {
      this.newest.set(key.slice(1, -1), plain.decode(bytes) as number);
    }
  }

  last(sequence: string): number {
    return this.newest.get(sequence) ?? 0;
  }

  lastCommitted(sequence: string): number {
    const bytes = this.committed.get(keyOfSequence(sequence));
    return bytes ? (plain.decode(bytes) as number) : 0;
  }

  move(sequence: string, to: number): number {
    this.newest.set(sequence, to);
    this.moved.add(sequence);
    return to;
  }

  /** Sets it forward whatever becomes of the layer's transactions. */
  raise(sequence: string, to: number, layer: Layer): void {
    this.newest.set(sequence, to);
    layer.keep(keyOfSequence(sequence), plain.encode(to));
  }

  /**
   * Writes what has moved into the layer that is to be committed. Numbers that bodies have used
   * which threw wait for others: a refusal is no reason for a commit.
   */
  settle(layer: Layer): Layer {
    if (!layer.isWritten && layer.isEmpty) return layer;
    for (const sequence of this.moved) {
      const key = keyOfSequence(sequence);
      layer.rowsOf(key).set(key, plain.encode(this.last(sequence)));
    }
    this.moved.clear();
    return layer;
  }
}
