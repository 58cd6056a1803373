// Clicks in the feed that act on the view: go to a date, show more, mark as read.
import { onAct } from "../../feed/row-actions.ts";
import { keepExpanded, expandRow } from "../../feed/truncate.ts";
import { now, invalidate } from "../../store/store.ts";
import { boxOf } from "../../ui/anchor-box.ts";
import type { ConversationRef } from "../../views.ts";
import { topicMenu } from "../menus/menus.ts";
import { setFlag } from "../messages/actions.ts";
import { conversationKey, topicKey } from "../../conversation-keys.ts";
import { readPlaces } from "../unread/actions.ts";
import { current, revealedMessages } from "./current-state.ts";
import { askDate } from "./bar/date.tsx";

onAct("show-more", ({ node, message }) => {
  const row = node.closest<HTMLElement>(".msg");
  if (!message || !row) return;
  const feed = current.peek()?.shownFeed();
  feed?.hold(row);
  feed?.roving.focus(row);
  keepExpanded(message.id);
  if (message.flags.includes("collapsed")) setFlag([message.id], "collapsed", "remove");
  else expandRow(row);
});

onAct("show-muted", ({ node, message }) => {
  if (!message) return;
  const row = node.closest<HTMLElement>(".msg");
  if (row) current.peek()?.shownFeed()?.hold(row);
  revealedMessages.add(message.id);
  invalidate([`message:${message.id}`]);
});

onAct("jump-to-date", ({ node, on }) => {
  askDate(boxOf(node), Number(on), (date) => void current.peek()?.jump("date", date));
});

onAct("place-menu", ({ node, on }) => {
  const place: ConversationRef = JSON.parse(on);
  if ("topic" in place) void topicMenu(node, place.stream_id, place.topic);
});

onAct("mark-place-read", ({ on }) => {
  const place: ConversationRef = JSON.parse(on);
  const { unread, people } = now();
  const key =
    "topic" in place
      ? topicKey(place.stream_id, place.topic)
      : conversationKey(place.user_ids.filter((id) => id !== people.me));
  const known = unread.places.get(key);
  if (known) readPlaces([known]);
});
