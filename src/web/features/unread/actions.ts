// Marks many messages as read, or as unread again.
import { changeFlags } from "../../api/calls.ts";
import { getState, invalidate } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import type { LocalEvent, MessageDetails } from "../../contract/snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import type { UnreadConversation } from "./by-conversation-state.ts";
import { markThroughEnd } from "./mark-range-actions.ts";

export function markConversationsAsRead(conversations: Iterable<UnreadConversation>): void {
  markMessagesAsRead([...conversations].flatMap((conversation) => conversation.ids));
}

/** Marks messages as read and offers an undo. */
export function markMessagesAsRead(messages: readonly number[]): void {
  const { byMessage } = getState().unread;
  const ids = messages.filter((id) => byMessage.has(id));
  if (ids.length === 0) return;
  const [read, unreadEvent] = [markedRead(ids), markUnreadEvent(ids)];
  const change = (op: "add" | "remove", localEvent: LocalEvent, inverse: LocalEvent) =>
    void optimistic(
      changeFlags.toRequest({ messages: ids, op, flag: "read" }),
      [localEvent],
      [inverse],
    );
  change("add", read, unreadEvent);
  showToast({
    text: t("marked-read", { count: ids.length }),
    undo: () => change("remove", unreadEvent, read),
  });
}

const UNREAD = [{ operator: "is", operand: "unread" }];

/** Marks messages before the oldest known one, since the server reports only a limited number. */
export async function markOlderAsRead(): Promise<void> {
  const { unread } = getState();
  let oldest = Infinity;
  for (const id of unread.byMessage.keys()) oldest = Math.min(oldest, id);
  const anchor = oldest === Infinity ? "newest" : `${oldest}`;
  const marked = await markThroughEnd({ anchor, narrow: UNREAD, isAfter: false }).finished;
  if (!marked) return;
  unread.isCut = false;
  invalidate(["unread:all"]);
  showToast({ text: t("marked-read", { count: marked.count }) });
}

const markedRead = (messages: number[]): LocalEvent => {
  return { type: "update_message_flags", op: "add", flag: "read", messages, all: false };
};

/** The inverse action: marks them as unread again, with their place and mentions. */
function markUnreadEvent(messages: number[]): LocalEvent {
  const { byMessage, mentions } = getState().unread;
  const details = messages.flatMap((id): [number, MessageDetails[string]][] => {
    const conversation = byMessage.get(id);
    if (!conversation) return [];
    const { stream_id, topic, user_ids } = conversation;
    const called = mentions.has(id) ? { mentioned: true as const } : {};
    if (stream_id === null) return [[id, { type: "private", user_ids, ...called }]];
    return [[id, { type: "stream", stream_id, topic, ...called }]];
  });
  const message_details: MessageDetails = Object.fromEntries(details);
  const flagged = { type: "update_message_flags", flag: "read", all: false } as const;
  return { ...flagged, op: "remove", messages, message_details };
}
