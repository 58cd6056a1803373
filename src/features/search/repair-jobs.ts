// Repairs the search index where it does not match the messages, some messages at a time.
import type { Realm, Writer } from "../../realm.ts";
import { termsOf } from "../../text/search/words.ts";
import { TermChanges } from "./change.ts";
import { isFresh, MessageTerms, textOf } from "./index.ts";
import { withoutMerging } from "./jobs.ts";
import { PageReader } from "./page.ts";
import { numberAt, pageAt } from "./segments.ts";
import type { SearchFaults } from "./verify.ts";
import { dropWords, putWords } from "./term-list.ts";

const STRAY_TERMS_AT_ONCE = 200;
const MESSAGES_AT_ONCE = 64;
/** Number of terms that a merge step writes to one row. */
const WORDS_AT_ONCE = 1_000;

/** The faults were found in a copy and may be outdated, so each message is checked again. */
export function repairIndex(realm: Realm, faults: SearchFaults): Promise<void> {
  return withoutMerging(realm, async () => {
    await realm.write((tx) => rebuildSegments(tx, faults));
    // Must run before words are added to the existing lists.
    for (const { level, number } of listsIn(faults)) {
      await realm.write((tx) => listWords(tx, level, number));
    }
    const places = Map.groupBy(faults.lost, (id) => numberAt(0, id));
    for (const ids of places.values()) {
      for (let index = 0; index < ids.length; index += MESSAGES_AT_ONCE) {
        await realm.write((tx) => indexMessages(tx, ids.slice(index, index + MESSAGES_AT_ONCE)));
      }
    }
    for (let index = 0; index < faults.strays.length; index += STRAY_TERMS_AT_ONCE) {
      await realm.write((tx) =>
        removeStrays(tx, faults.strays.slice(index, index + STRAY_TERMS_AT_ONCE)),
      );
    }
  });
}

/** Recreates the segments in one transaction, because later steps must not see half of them. */
function rebuildSegments(tx: Writer, { segments, pages, blocks }: SearchFaults): void {
  for (const segment of segments) {
    const { level, number } = segment;
    if (!tx.search_segments.has(level, number)) tx.search_segments.put(segment);
  }
  for (const page of pages) {
    tx.search_pages.put({ ...page, terms: "", lists: new Uint8Array() });
  }
  const newest = numberAt(0, tx.last("messages"));
  for (const number of blocks) {
    if (tx.search_segments.has(0, number)) continue;
    // The newest segment is still being filled.
    const isOpen = number === newest;
    const firsts = isOpen ? [] : [""];
    tx.search_segments.put({ level: 0, number, until: isOpen ? "" : null, firsts });
    if (isOpen) continue;
    tx.search_pages.put({ level: 0, number, first: "", terms: "", lists: new Uint8Array() });
  }
}

function indexMessages(tx: Writer, ids: readonly number[]): void {
  const changes = new TermChanges(tx);
  for (const id of ids) {
    const message = tx.messages.get(id);
    if (!message) continue;
    if (isFresh(tx, id)) tx.search_fresh.put(new MessageTerms(message));
    else for (const term of termsOf(textOf(message))) changes.add(id, term, true);
  }
  changes.make();
}

function removeStrays(tx: Writer, strayTerms: SearchFaults["strays"]): void {
  const changes = new TermChanges(tx);
  for (const [id, term] of strayTerms) {
    const message = tx.messages.get(id);
    if (!isFresh(tx, id)) {
      changes.add(id, term, message !== undefined && termsOf(textOf(message)).has(term));
    }
  }
  changes.make();
}

function listsIn({ unlisted, pages, segments }: SearchFaults) {
  const large = [...unlisted, ...pages, ...segments].filter(({ level }) => level > 0);
  const byPlace = new Map(
    large.map((largePart) => [`${largePart.level} ${largePart.number}`, largePart]),
  );
  return byPlace.values();
}

function listWords(tx: Writer, level: number, number: number): void {
  const segment = tx.search_segments.get(level, number);
  if (!segment) return;
  dropWords(tx, segment);
  let terms: string[] = [];
  for (const index of segment.firsts.keys()) {
    const page = pageAt(tx, segment, index);
    if (!page) continue;
    for (const reader = new PageReader(page); reader.term !== undefined; reader.next()) {
      terms.push(reader.term);
    }
    if (terms.length < WORDS_AT_ONCE) continue;
    putWords(tx, segment, terms);
    terms = [];
  }
  putWords(tx, segment, terms);
}
