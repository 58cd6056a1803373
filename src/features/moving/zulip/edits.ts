// The edit history of a message, which Zulip stores as JSON in a text.
import type { EditHistoryEntry } from "../../../schema/records-messages.ts";
import { jsonIn } from "../../../text/untrusted-json.ts";
import { EDIT_HISTORY_LENGTH_MAX, EDIT_HISTORY_MAX } from "../../messages/edit-history-wire.ts";
import { isResolve } from "../../messages/resolve-rules.ts";
import { field, int, objectsIn, seconds, text, type ZulipRow } from "./read/rows.ts";
import { topicIn } from "./read/topic.ts";

export interface Edits {
  readonly edit_history: EditHistoryEntry[] | null;
  readonly last_edit_timestamp: number | null;
  readonly last_moved_timestamp: number | null;
}

interface Rendering {
  /** The text of an earlier version as this server stores it. */
  textOf(source: string, rendered: string | undefined): string;
  render(content: string): string;
}

const editsIn = (row: ZulipRow): ZulipRow[] => {
  const history = field(row, "edit_history");
  return objectsIn(typeof history === "string" ? jsonIn(text(row, "edit_history")) : history);
};

/** Whether the message was sent to a channel other than its current one. */
export function wasMoved(row: ZulipRow): boolean {
  return editsIn(row).some((item) => int(item, "prev_stream") !== undefined);
}

/** Newest first. Up to version 5, an entry contained only the previous topic. */
export function editsOf(row: ZulipRow, subject: string, { textOf, render }: Rendering): Edits {
  const list = editsIn(row);
  const entries: EditHistoryEntry[] = [];
  let [topic, length] = [subject, 0];
  for (const item of list.slice(0, EDIT_HISTORY_MAX)) {
    const timestamp = seconds(item, "timestamp");
    if (timestamp === undefined) continue;
    const prev_content = text(item, "prev_content");
    const before = text(item, "prev_topic") ?? text(item, "prev_subject");
    const [prev_stream, stream] = [int(item, "prev_stream"), int(item, "stream")];
    const edit: EditHistoryEntry = { user_id: int(item, "user_id") ?? null, timestamp };
    if (prev_content !== undefined) {
      edit.prev_content = textOf(prev_content, text(item, "prev_rendered_content"));
      edit.prev_rendered_content = render(edit.prev_content);
      length += edit.prev_content.length + edit.prev_rendered_content.length;
    }
    if (prev_stream !== undefined) Object.assign(edit, { prev_stream, ...(stream && { stream }) });
    if (before !== undefined) {
      const after = text(item, "topic");
      edit.prev_topic = topicIn(before);
      edit.topic = after === undefined ? topic : topicIn(after);
      topic = edit.prev_topic;
    }
    if (length > EDIT_HISTORY_LENGTH_MAX) break;
    entries.push(edit);
  }
  const move = entries.find(
    ({ prev_topic, topic: now, prev_stream }) =>
      prev_stream !== undefined || (prev_topic !== undefined && !isResolve(prev_topic, now ?? "")),
  );
  const edited = entries.find(({ prev_content }) => prev_content !== undefined);
  return {
    edit_history: entries.length > 0 ? entries : null,
    last_edit_timestamp: edited?.timestamp ?? (move ? null : lastEdit(row, entries)),
    last_moved_timestamp: move?.timestamp ?? null,
  };
}

/** Some messages are marked as edited but have no history. */
function lastEdit(row: ZulipRow, entries: readonly EditHistoryEntry[]): number | null {
  return entries.length > 0 ? null : (seconds(row, "last_edit_time") ?? null);
}
