// Migrations of the search index.
import type { SearchParts } from "../../schema/records-messages.ts";
import { msgpack } from "../../store/codec.ts";
import { sealed, unsealed } from "../../store/checksums/checksum.ts";
import type { Migration } from "../../store/format/migrate.ts";
import { JOURNAL_PREFIX } from "../../store/journal/entries.ts";
import { AFTER, keyOf } from "../../store/key.ts";
import { emptyParts, termsIn, withRow } from "./term-list.ts";

const WORDS_PREFIX = 87;
const PARTS_PREFIX = 164;
const FRESH_PREFIX = 42;

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

/** Deletes the terms of the newest messages, which are only in memory from this format on. */
export const withoutFreshTerms: Migration = {
  to: 8,
  run(db) {
    const start = keyOf(FRESH_PREFIX, []);
    for (const key of [...db.getKeys({ start, end: start + AFTER })]) void db.remove(key);
    const journal = keyOf(JOURNAL_PREFIX, []);
    for (const { key, value } of [...db.getRange({ start: journal, end: journal + AFTER })]) {
      const bytes = unsealed(value);
      // Opening the data reports a damaged row.
      if (!bytes) continue;
      const entry = msgpack.decode(bytes) as unknown[];
      const isKept = (index: number) =>
        (entry[index - (index % 2)] as string).charCodeAt(0) !== FRESH_PREFIX;
      const kept = entry.filter((_, index) => isKept(index));
      if (kept.length < entry.length) void db.put(key, sealed(msgpack.encode(kept)));
    }
  },
};
