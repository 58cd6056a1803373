// Clicks in the feed that act on the view: go to a date, show more, mark as read.
import { onRowAction } from "../../feed/row-actions.ts";
import { rememberExpanded, expandRow } from "../../feed/truncate.ts";
import { getState, invalidate } from "../../store/store.ts";
import { boxOf } from "../../ui/anchor-box.ts";
import type { ConversationRef } from "../../views.ts";
import { topicMenu } from "../menus/menus.ts";
import { setFlag } from "../messages/actions.ts";
import { keyOfConversation } from "../../conversation-keys.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import { current, revealedMessages } from "./current-state.ts";
import { askDate } from "./bar/date.tsx";

onRowAction("show-more", ({ node, message }) => {
  const row = node.closest<HTMLElement>(".msg");
  if (!message || !row) return;
  const feed = current.peek()?.shownFeed();
  feed?.anchorTo(row);
  feed?.roving.focus(row);
  rememberExpanded(message.id);
  if (message.flags.includes("collapsed")) setFlag([message.id], "collapsed", "remove");
  else expandRow(row);
});

onRowAction("show-muted", ({ node, message }) => {
  if (!message) return;
  const row = node.closest<HTMLElement>(".msg");
  if (row) current.peek()?.shownFeed()?.anchorTo(row);
  revealedMessages.add(message.id);
  invalidate([`message:${message.id}`]);
});

onRowAction("jump-to-date", ({ node, on }) => {
  askDate(boxOf(node), Number(on), (date) => void current.peek()?.jump("date", date));
});

onRowAction("place-menu", ({ node, on }) => {
  const conversation: ConversationRef = JSON.parse(on);
  if ("topic" in conversation) void topicMenu(node, conversation.stream_id, conversation.topic);
});

onRowAction("mark-place-read", ({ on }) => {
  const conversation: ConversationRef = JSON.parse(on);
  const { unread, people } = getState();
  const ref =
    "topic" in conversation
      ? conversation
      : { user_ids: conversation.user_ids.filter((id) => id !== people.me) };
  const unreadConversation = unread.conversations.get(keyOfConversation(ref));
  if (unreadConversation) markConversationsAsRead([unreadConversation]);
});
