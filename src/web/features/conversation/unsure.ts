// Messages that arrive while a search is open, for which only the server can tell whether they
// match.
import { Refused } from "../../api/http.ts";
import { fetchMatches } from "../../api/view-calls.ts";
import { within } from "../../feed/load.ts";
import { viewKey, wireNarrow } from "../../feed/narrow.ts";
import { type FeedView, settle } from "../../feed/view.ts";
import { sync } from "../../here.ts";
import { now, onChange, touch } from "../../live.ts";
import { current } from "./current.ts";

/** Minimum time between two requests. */
const EVERY_MS = 2000;

let isAsking = false;

onChange(() => {
  if (!isAsking) void askOn();
});

/** Continues while messages arrive. A failed request is repeated with the next change. */
async function askOn(): Promise<void> {
  isAsking = true;
  try {
    for (let view = unsureView(); view; view = unsureView()) {
      await ask(view);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  } catch {
    // Its messages remain unknown.
  } finally {
    isAsking = false;
  }
}

function unsureView(): FeedView | undefined {
  const view = current.peek()?.shownFeed()?.view;
  return view && view.unsure.length > 0 ? view : undefined;
}

async function ask(view: FeedView): Promise<void> {
  const asked = view.unsure.splice(0);
  const narrow = JSON.parse(wireNarrow([...view.terms, ...within])) as unknown[];
  try {
    const { messages } = await fetchMatches(sync, { msg_ids: asked, narrow });
    const { byId } = now().messages;
    const found = asked.filter((id) => {
      const [match, message] = [messages[id], byId.get(id)];
      // Messages that were edited meanwhile are checked again.
      if (!match || !message || view.unsure.includes(id)) return false;
      const { match_content: content, match_subject: subject } = match;
      if (isSearch(view)) view.marked.set(id, { of: message.content, content, subject });
      return true;
    });
    settle(view, found);
    touch(new Set([viewKey(view.terms), ...found.map((id) => `message:${id}`)]));
  } catch (error) {
    if (!(error instanceof Refused)) view.unsure.unshift(...asked);
    throw error;
  }
}

const isSearch = ({ terms }: FeedView) => terms.some(({ operator }) => operator === "search");
