// New messages during a search, whose matches only the server can determine.
import { ApiError } from "../../contract/api-error.ts";
import { fetchMatches } from "../../api/view-calls.ts";
import { spectatorTerms } from "../../sync/load-feed.ts";
import { viewKey, wireTerms } from "../../store/narrow.ts";
import { resolveUncertain } from "../../store/feed-view.ts";
import type { FeedView } from "../../feed/segments.ts";
import { sync } from "../../sync/session.ts";
import { getState, onChange, invalidate } from "../../store/store.ts";
import { current } from "./current-state.ts";

/** Minimum time between two requests. */
const RETRY_MS = 2000;

let isAsking = false;

onChange(() => {
  if (!isAsking) void resolvePending();
});

/** Continues while messages arrive. A failed request is repeated with the next change. */
async function resolvePending(): Promise<void> {
  isAsking = true;
  try {
    for (let view = unresolvedView(); view; view = unresolvedView()) {
      await ask(view);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } catch {
    // The request failed: it is unknown which messages match.
  } finally {
    isAsking = false;
  }
}

function unresolvedView(): FeedView | undefined {
  const view = current.peek()?.shownFeed()?.view;
  return view && view.unresolved.length > 0 ? view : undefined;
}

async function ask(view: FeedView): Promise<void> {
  const ids = view.unresolved.splice(0);
  const narrow = wireTerms([...view.terms, ...spectatorTerms]);
  try {
    const { messages } = await fetchMatches(sync, { msg_ids: ids, narrow });
    const { byId } = getState().messages;
    const matches = ids.filter((id) => {
      const [match, message] = [messages[id], byId.get(id)];
      // Messages that were edited meanwhile are checked again.
      if (!match || !message || view.unresolved.includes(id)) return false;
      const { match_content: content, match_subject: subject } = match;
      if (isSearch(view)) view.marked.set(id, { original: message.content, content, subject });
      return true;
    });
    resolveUncertain(view, matches);
    invalidate([viewKey(view.terms), ...matches.map((id) => `message:${id}` as const)]);
  } catch (error) {
    if (!(error instanceof ApiError)) view.unresolved.unshift(...ids);
    throw error;
  }
}

const isSearch = ({ terms }: FeedView) => terms.some(({ operator }) => operator === "search");
