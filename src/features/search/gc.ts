// Takes messages that were deleted by the hundred out of the index, aside: each page once for all.
import type { Writer } from "../../realm.ts";
import type { SearchSegment } from "../../schema/records-messages.ts";
import { andNot, chunkOf, idOf, offsetOf } from "../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk, hasOffset } from "../../store/bitmap/forms.ts";
import { without } from "./page.ts";
import { firstIdOf, idsIn, LEVEL_MAX, numberAt, pageAt } from "./segments.ts";
import { changeWords } from "./words.ts";

/** About a millisecond. */
const STEP_BYTES = 32_768;

/** By chunk: which of its messages are gone, and in the index still. */
type Gone = ReadonlyMap<number, Uint8Array>;

/** How far one has come through the ids that a segment of the highest level is of. */
export interface Sweep {
  readonly gone: Gone;
  readonly segments: readonly Pick<SearchSegment, "level" | "number">[];
  at: number;
  place: number;
}

/** Goes on for a step; undefined: nothing that is gone is in the index any more. */
export function gcStep(tx: Writer, sweep = begun(tx)): Sweep | undefined {
  if (!sweep) return undefined;
  const { gone, segments } = sweep;
  for (let room = STEP_BYTES; room > 0;) {
    const key = segments[sweep.at];
    if (!key) {
      forget(tx, gone);
      return begun(tx);
    }
    const segment = tx.search_segments.get(key.level, key.number);
    if (segment && sweep.place < segment.firsts.length) {
      room -= sweepPage(tx, segment, sweep.place++, gone);
    } else {
      sweep.at++;
      sweep.place = 0;
    }
  }
  return sweep;
}

/** Which of a segment's offsets are messages that are gone; undefined: none is. */
export function goneIn(
  gone: Gone,
  segment: SearchSegment,
): ((offset: number) => boolean) | undefined {
  const first = firstIdOf(segment);
  const [from, to] = [chunkOf(first), chunkOf(first + idsIn(segment.level) - 1)];
  if (!gone.keys().some((n) => n >= from && n <= to)) return undefined;
  return (offset) => hasOffset(gone.get(chunkOf(first + offset)), offsetOf(first + offset));
}

/** All that is gone among the ids that a segment of the highest level is of. */
export function goneAmong(tx: Writer, id: number): Gone {
  const block = numberAt(LEVEL_MAX, id);
  const size = idsIn(LEVEL_MAX);
  const range = { from: chunkOf(block * size), to: chunkOf((block + 1) * size - 1) };
  const chunks = [...tx.search_gone.chunks([0], range)];
  return new Map(chunks.map((n) => [n, tx.search_gone.chunk([0], n)!]));
}

/** What the segments become meanwhile is made without what is gone: only these need a look. */
function begun(tx: Writer): Sweep | undefined {
  for (const n of tx.search_gone.chunks([0])) {
    const block = numberAt(LEVEL_MAX, idOf(n, 0));
    const segments = [...tx.search_segments.range()].filter(
      (segment) => numberAt(LEVEL_MAX, firstIdOf(segment)) === block,
    );
    const keys = segments.map(({ level, number }) => ({ level, number }));
    return { gone: goneAmong(tx, idOf(n, 0)), segments: keys, at: 0, place: 0 };
  }
  return undefined;
}

/** Gives its size; a page that became part of another is none. */
function sweepPage(tx: Writer, segment: SearchSegment, place: number, gone: Gone): number {
  const before = pageAt(tx, segment, place);
  if (!before) return 1;
  const isGone = goneIn(gone, segment);
  const swept = isGone && without(before, isGone);
  if (swept) {
    tx.search_pages.put({ ...before, ...swept.page });
    if (segment.level > 0) changeWords(tx, segment, [], new Set(swept.lost));
  }
  return before.terms.length + before.lists.length + 1;
}

function forget(tx: Writer, gone: Gone): void {
  for (const [n, bytes] of gone) {
    const rest = andNot(decodeChunk(tx.search_gone.chunk([0], n)), decodeChunk(bytes));
    tx.search_gone.set([0], n, encodeChunk(rest));
  }
}
