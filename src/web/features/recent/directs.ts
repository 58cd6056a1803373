// Finds the newest message of direct conversations whose newest known message was deleted.
import { backOff } from "../../api/request-queue.ts";
import { browserRuntime } from "../../api/runtime.ts";
import { NoResponse } from "../../api/http.ts";
import { ApiError } from "../../contract/api-error.ts";
import { fetchAround, fetchMore } from "../../sync/load-feed.ts";
import { newestSegment } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import { maybeState, getState, onChange, invalidate } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { directView } from "../../views.ts";
import { setNewestMessage } from "../conversations/state.ts";

const LAST_MESSAGES = { num_before: 10 } as const;

const requested = new Set<string>();
/** Consecutive attempts without a result. */
let tries = 0;
let cancelRetry: (() => void) | undefined;

onChange((changed) => {
  if (!changed || changed.has("dms")) loadUnverified();
});
// Settles entries that became unknown before this was loaded.
if (maybeState()) loadUnverified();

function loadUnverified(): void {
  for (const key of getState().conversations.unverified)
    if (!requested.has(key)) void loadDirect(key);
}

/** Failed or outdated requests are repeated. */
function retryLater(): void {
  cancelRetry?.();
  tries += 1;
  cancelRetry = browserRuntime.after(
    backOff(tries, browserRuntime.random()),
    () => maybeState() && loadUnverified(),
  );
}

async function loadDirect(key: string): Promise<void> {
  requested.add(key);
  try {
    const { conversations, people } = getState();
    const { user_ids } = conversations.conversations.get(key)!;
    const view = viewFor(directView(user_ids, people.me).terms);
    await fetchAround(view, "newest", LAST_MESSAGES);
    let newest = newestSegment(view);
    // All known messages of it were deleted.
    if (newest?.ids.length === 0 && newest.from > 0) await fetchMore(view, newest, "up");
    newest = newestSegment(view);
    const changed: Changed = new Set();
    if (newest) setNewestMessage(getState().conversations, key, newest.ids.at(-1), changed);
    invalidate(changed);
    if (newest) tries = 0;
  } catch (error) {
    if (!isOfServer(error)) reportError(error);
  } finally {
    requested.delete(key);
    if (maybeState()?.conversations.unverified.has(key)) retryLater();
  }
}

const isOfServer = (error: unknown) => error instanceof ApiError || error instanceof NoResponse;
