// The number of a user's messages cached in this browser, and deleting them.
import { Cache } from "../../sync/cache.ts";
import { CACHED_VIEW_STORES } from "../../sync/cached-views.ts";

export interface CachedMessagesInfo {
  readonly count: number;
  readonly bytes: number;
}

/** undefined if the browser stores nothing. */
export function cachedMessages(user_id: number): Promise<CachedMessagesInfo | undefined> {
  return withCache(user_id, async ({ db }) => {
    const shelf = await db.getAll("shelf");
    const ids = new Set(shelf.flatMap((cachedView) => cachedView.ids));
    return { count: ids.size, bytes: shelf.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

/** Unsent drafts and messages are in a database of their own, which stays. */
export async function deleteCachedMessages(user_id: number): Promise<void> {
  await withCache(user_id, async ({ db }) => {
    const tx = db.transaction(CACHED_VIEW_STORES, "readwrite");
    for (const name of CACHED_VIEW_STORES) void tx.objectStore(name).clear();
    await tx.done;
  });
}

async function withCache<T>(
  user_id: number,
  action: (cache: Cache) => Promise<T>,
): Promise<T | undefined> {
  const cache = await Cache.open(user_id);
  try {
    return cache && (await action(cache));
  } finally {
    cache?.close();
  }
}
