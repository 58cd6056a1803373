// Enqueues a job that fetches previews of the pages that a message links to.
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import type { Rendered } from "../../text/markdown/render.ts";
import { isKnown, cachedPage, hasPreviews } from "./pages.ts";

export const FETCH_PREVIEWS = "fetch previews";

export interface UnfurlOptions {
  message_id: number;
  urls: string[];
}

/**
 * Called with pages for which rendering found no preview. Skips pages that are known to have none.
 */
export function unfurlLinks(
  tx: Writer,
  author: User,
  message_id: number,
  { preview_urls }: Rendered,
): void {
  if (preview_urls.length === 0 || !hasPreviews(tx, author)) return;
  const urls = preview_urls.filter((url) => !isKnown(tx, url) || cachedPage(tx, url));
  if (urls.length === 0) return;
  tx.enqueue(FETCH_PREVIEWS, tx.now * 1000, { message_id, urls } satisfies UnfurlOptions);
}
