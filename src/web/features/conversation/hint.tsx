// Says above the messages when reading them marks nothing as read, and how to have it otherwise.
import { keyed, known } from "../../live.ts";
import { say } from "../../words/words.ts";
import { current } from "./current.ts";
import { drawing } from "./drawing.ts";

export function Hint() {
  const open = current.value;
  // Spectators have no read state.
  if (!open || !known() || drawing.plain) return null;
  keyed("setting:web_mark_read_on_scroll_policy");
  const { reader } = open;
  if (reader.isPaused.value) {
    return (
      <p class="conversation-hint" role="status">
        <span>{say("reading-paused")}</span>
        <button type="button" onClick={() => reader.resume()}>
          {say("reading-resume")}
        </button>
      </p>
    );
  }
  if (!reader.marksNothing) return null;
  return (
    <p class="conversation-hint">
      <span>{say("reading-marks-nothing")}</span>
      <button type="button" onClick={() => void markRead(open.shownFeed()?.shownIds() ?? [])}>
        {say("mark-shown-read")}
      </button>
    </p>
  );
}

async function markRead(ids: readonly number[]): Promise<void> {
  (await import("../unread/actions.ts")).readMessages(ids);
}
