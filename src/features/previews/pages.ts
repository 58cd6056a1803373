// Metadata of linked pages, and the messages that display it.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { LinkedPageRow } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import type { LinkedPage } from "../../text/linked-page.ts";
import { isBot } from "../rights/rules.ts";

const PAGE_CACHE_SECONDS = DAY_SECONDS;
/** Time before a page is retried after an error, which may be temporary. */
const FAILURE_CACHE_SECONDS = 600;

export function hasPreviews({ settings }: Reader, author: User): boolean {
  return settings.inline_url_embed_preview && !isBot(author);
}

/** Returns undefined if the page has no preview or was not fetched yet. */
export function cachedPage(reader: Reader, url: string): LinkedPage | undefined {
  return rowOf(reader, url)?.page ?? undefined;
}

export function isKnown(reader: Reader, url: string): boolean {
  return rowOf(reader, url) !== undefined;
}

/** null: the page has no preview. undefined: the fetch failed. */
export function cachePage(tx: Writer, url: string, page: LinkedPage | null | undefined): void {
  const kept_seconds = page === undefined ? FAILURE_CACHE_SECONDS : PAGE_CACHE_SECONDS;
  tx.linked_pages.put({ hash: hashOf(url), expires: tx.now + kept_seconds, page: page ?? null });
}

function rowOf(reader: Reader, url: string): LinkedPageRow | undefined {
  const row = reader.linked_pages.get(hashOf(url));
  return row && row.expires > reader.now ? row : undefined;
}

function hashOf(url: string): string {
  return new Bun.CryptoHasher("sha256").update(url).digest("base64url");
}
