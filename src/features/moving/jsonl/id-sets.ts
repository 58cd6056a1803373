// The id sets of an export: one line per stored chunk.
import type { Reader } from "../../../realm.ts";
import { ascending, idOf } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../../store/bitmap/encodings.ts";
import { FLAG_HISTORICAL } from "../../messages/rules.ts";
import type { ExportedSet } from "./shapes-rules.ts";
import { type Range, rangesOf } from "./values.ts";

/** The highest `FLAG_…` number of features/messages/rules.ts. */
export const FLAG_MAX = 12;

export interface SetLine {
  readonly set: ExportedSet;
  /** The owner of the set, as one or two ids. */
  readonly key: readonly number[];
  readonly ids: readonly Range[];
}

export function* setLines(reader: Reader): Iterable<SetLine> {
  for (const [set, key] of keysOf(reader)) {
    for (const chunk of reader[set].chunks(key)) {
      yield { set, key, ids: rangesOf(chunk, reader[set].chunk(key, chunk)!) };
    }
  }
}

/** Every key for which a set may exist. */
function* keysOf(reader: Reader): Iterable<[ExportedSet, number[]]> {
  for (const { user_id } of reader.users.range()) {
    for (let flag = 1; flag <= FLAG_MAX; flag++) yield ["flags", [user_id, flag]];
    yield ["user_directs", [user_id]];
  }
  for (const { topic_id } of reader.topics.range()) yield ["topic_participants", [topic_id]];
  for (const set of ["moved", "quiet", "backdated_messages"] as const) yield [set, [0]];
  for (const id of historical(reader)) yield ["historical_holders", [id]];
}

/** Messages that users have without having received them. */
function* historical(reader: Reader): Iterable<number> {
  const chunks = new Set<number>();
  for (const { user_id } of reader.users.range()) {
    for (const n of reader.flags.chunks([user_id, FLAG_HISTORICAL])) chunks.add(n);
  }
  for (const n of [...chunks].sort((a, b) => a - b)) {
    const ids = new Set<number>();
    for (const { user_id } of reader.users.range()) {
      const bytes = reader.flags.chunk([user_id, FLAG_HISTORICAL], n);
      for (const id of ascending(decodeChunk(bytes), idOf(n, 0))) ids.add(id);
    }
    yield* [...ids].sort((a, b) => a - b);
  }
}
