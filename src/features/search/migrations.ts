// Migration that adds parts of the search index which earlier versions did not have.
import type { SearchParts } from "../../schema/records-messages.ts";
import { msgpack } from "../../store/codec.ts";
import { AFTER, keyOf } from "../../store/key.ts";
import type { Migration } from "../../store/format/migrate.ts";
import { emptyParts, termsIn, withRow } from "./term-list.ts";

const WORDS_PREFIX = 87;
const PARTS_PREFIX = 164;

/** Filters for the word parts in each row of a segment's terms. */
export const partsOfWords: Migration = {
  to: 2,
  run(db) {
    const all = new Map<string, SearchParts>();
    const start = keyOf(WORDS_PREFIX, []);
    for (const { value } of db.getRange({ start, end: start + AFTER })) {
      const [level, number, , lines] = msgpack.decode(value) as [number, number, string, string];
      const key = keyOf(PARTS_PREFIX, [level, number]);
      all.set(key, withRow(all.get(key) ?? emptyParts({ level, number }), termsIn(lines)));
    }
    for (const [key, { level, number, masks, firsts }] of all) {
      void db.put(key, msgpack.encode([level, number, masks, firsts]) as Buffer);
    }
  },
};
