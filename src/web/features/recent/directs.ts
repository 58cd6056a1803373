// Direct conversations whose newest message is gone: which is the newest by now, if there is one.
import { backOff, world } from "../../api/ask.ts";
import { Refused, Unanswered } from "../../api/http.ts";
import { fetchAround, fetchMore } from "../../feed/load.ts";
import { newestSegment } from "../../feed/view.ts";
import { viewFor } from "../../feed/views.ts";
import { known, now, onChange, touch } from "../../live.ts";
import type { Changed } from "../../snapshot.ts";
import { directView } from "../../views.ts";
import { settleConversation } from "../conversations/state.ts";

const FEW = { num_before: 10 } as const;

const asking = new Set<string>();
/** In a row, of which none settled anything. */
let tries = 0;
let again: (() => void) | undefined;

onChange((changed) => {
  if (!changed || changed.has("dms")) settleAll();
});
// Settles entries that became unknown before this was loaded.
if (known()) settleAll();

function settleAll(): void {
  for (const key of now().conversations.doubted) if (!asking.has(key)) void settle(key);
}

/** Failed or outdated requests are repeated. */
function settleLater(): void {
  again?.();
  tries += 1;
  again = world.after(backOff(tries, world.random()), () => known() && settleAll());
}

async function settle(key: string): Promise<void> {
  asking.add(key);
  try {
    const { conversations, people } = now();
    const { user_ids } = conversations.conversations.get(key)!;
    const view = viewFor(directView(user_ids, people.me).terms);
    await fetchAround(view, "newest", FEW);
    let newest = newestSegment(view);
    // All that was known of it is gone.
    if (newest?.ids.length === 0 && newest.from > 0) await fetchMore(view, newest, "up");
    newest = newestSegment(view);
    const changed: Changed = new Set();
    if (newest) settleConversation(now().conversations, key, newest.ids.at(-1), changed);
    touch(changed);
    if (newest) tries = 0;
  } catch (error) {
    if (!isOfServer(error)) reportError(error);
  } finally {
    asking.delete(key);
    if (known()?.conversations.doubted.has(key)) settleLater();
  }
}

const isOfServer = (error: unknown) => error instanceof Refused || error instanceof Unanswered;
