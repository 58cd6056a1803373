// A banner above the messages if reading does not mark them as read, with a link to the setting.
import type { NarrowTerm } from "../../../../text/narrow-fragment.ts";
import { allIds } from "../../../feed/segments.ts";
import { viewFor } from "../../../store/feed-views.ts";
import { viewKey } from "../../../store/narrow.ts";
import { getState, subscribe, maybeState } from "../../../store/store.ts";
import { sync } from "../../../sync/session.ts";
import { t } from "../../../words/words.ts";
import { current } from "../current-state.ts";

export function Hint() {
  const open = current.value;
  // Spectators have no read state.
  if (!open || !maybeState() || sync.connection.value.kind === "visiting") return null;
  subscribe("setting:web_mark_read_on_scroll_policy");
  const { reader } = open;
  if (reader.isPaused.value) {
    return (
      <p class="conversation-hint" role="status">
        <span>{t("reading-paused")}</span>
        <button type="button" onClick={() => reader.resume()}>
          {t("reading-resume")}
        </button>
      </p>
    );
  }
  if (!reader.isMarkingOff || !hasUnread(open.terms)) return null;
  return (
    <p class="conversation-hint">
      <span>{t("reading-marks-nothing")}</span>
      <button type="button" onClick={() => void markRead(open.shownFeed()?.shownIds() ?? [])}>
        {t("mark-shown-read")}
      </button>
    </p>
  );
}

function hasUnread(terms: readonly NarrowTerm[]): boolean {
  const view = viewFor(terms);
  subscribe(viewKey(view.terms), "unread:all");
  const { byMessage } = getState().unread;
  return allIds(view).some((id) => byMessage.has(id));
}

async function markRead(ids: readonly number[]): Promise<void> {
  (await import("../../unread/actions.ts")).markMessagesAsRead(ids);
}
