// Removes deleted messages from the search index in the background, rewriting each page once.
import type { Writer } from "../../realm.ts";
import type { SearchSegment } from "../../schema/records-messages.ts";
import { andNot, chunkOf, idOf, offsetOf } from "../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk, hasOffset } from "../../store/bitmap/encodings.ts";
import { pageWithout } from "./page.ts";
import { firstIdOf, idsIn, LEVEL_MAX, numberAt, pageAt } from "./segments.ts";
import { changeWords } from "./term-list.ts";

/** About a millisecond of work. */
const STEP_BYTES = 32_768;

/** Deleted messages that are still in the index, by chunk. */
type RemovedChunks = ReadonlyMap<number, Uint8Array>;

/** Progress through the ids of a segment of the highest level. */
export interface Sweep {
  readonly removed: RemovedChunks;
  readonly segments: readonly Pick<SearchSegment, "level" | "number">[];
  position: number;
  page: number;
}

/** Performs one step. Returns undefined if no deleted message is left in the index. */
export function gcStep(tx: Writer, sweep = newSweep(tx)): Sweep | undefined {
  if (!sweep) return undefined;
  const { removed, segments } = sweep;
  for (let space = STEP_BYTES; space > 0;) {
    const key = segments[sweep.position];
    if (!key) {
      clearRemoved(tx, removed);
      return newSweep(tx);
    }
    const segment = tx.search_segments.get(key.level, key.number);
    if (segment && sweep.page < segment.firsts.length) {
      space -= sweepPage(tx, segment, sweep.page++, removed);
    } else {
      sweep.position++;
      sweep.page = 0;
    }
  }
  return sweep;
}

/** Returns the deleted messages of a segment as offsets; undefined if there are none. */
export function removedIn(
  removed: RemovedChunks,
  segment: SearchSegment,
): ((offset: number) => boolean) | undefined {
  const first = firstIdOf(segment);
  const [from, to] = [chunkOf(first), chunkOf(first + idsIn(segment.level) - 1)];
  if (!removed.keys().some((n) => n >= from && n <= to)) return undefined;
  return (offset) => hasOffset(removed.get(chunkOf(first + offset)), offsetOf(first + offset));
}

/** All deleted messages among the ids of a segment of the highest level. */
export function removedAmong(tx: Writer, id: number): RemovedChunks {
  const block = numberAt(LEVEL_MAX, id);
  const size = idsIn(LEVEL_MAX);
  const range = { from: chunkOf(block * size), to: chunkOf((block + 1) * size - 1) };
  const chunks = [...tx.search_gone.chunks([0], range)];
  return new Map(chunks.map((n) => [n, tx.search_gone.chunk([0], n)!]));
}

/** Merges meanwhile leave out deleted messages, so only the present segments must be swept. */
function newSweep(tx: Writer): Sweep | undefined {
  for (const n of tx.search_gone.chunks([0])) {
    const block = numberAt(LEVEL_MAX, idOf(n, 0));
    const segments = [...tx.search_segments.range()].filter(
      (segment) => numberAt(LEVEL_MAX, firstIdOf(segment)) === block,
    );
    const keys = segments.map(({ level, number }) => ({ level, number }));
    return { removed: removedAmong(tx, idOf(n, 0)), segments: keys, position: 0, page: 0 };
  }
  return undefined;
}

/** Returns the page's size; 0 if it was merged into another. */
function sweepPage(
  tx: Writer,
  segment: SearchSegment,
  index: number,
  removed: RemovedChunks,
): number {
  const before = pageAt(tx, segment, index);
  if (!before) return 1;
  const isRemoved = removedIn(removed, segment);
  const swept = isRemoved && pageWithout(before, isRemoved);
  if (swept) {
    tx.search_pages.put({ ...before, ...swept.page });
    if (segment.level > 0) changeWords(tx, segment, [], new Set(swept.lost));
  }
  return before.terms.length + before.lists.length + 1;
}

function clearRemoved(tx: Writer, removed: RemovedChunks): void {
  for (const [n, bytes] of removed) {
    const rest = andNot(decodeChunk(tx.search_gone.chunk([0], n)), decodeChunk(bytes));
    tx.search_gone.set([0], n, encodeChunk(rest));
  }
}
