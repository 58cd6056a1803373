// Clicks in the feed that act on the view: go to a date, show more, mark as read.
import { onAct } from "../../feed/acts.ts";
import { showWhole, uncut } from "../../feed/cut.ts";
import { now, touch } from "../../live.ts";
import { boxOf } from "../../ui/box.ts";
import type { Place } from "../../views.ts";
import { conversationKey } from "../conversations/state.ts";
import { topicMenu } from "../lists/menus.ts";
import { setFlag } from "../messages/actions.ts";
import { topicKey } from "../topics/state.ts";
import { readPlaces } from "../unread/actions.ts";
import { current } from "./current.ts";
import { askDate } from "./date.tsx";
import { shownAnyway } from "./drawing.ts";

onAct("show-more", ({ node, message }) => {
  const row = node.closest<HTMLElement>(".msg");
  if (!message || !row) return;
  const feed = current.peek()?.shownFeed();
  feed?.hold(row);
  feed?.roving.focus(row);
  showWhole(message.id);
  if (message.flags.includes("collapsed")) setFlag([message.id], "collapsed", "remove");
  else uncut(row);
});

onAct("show-muted", ({ node, message }) => {
  if (!message) return;
  const row = node.closest<HTMLElement>(".msg")!;
  current.peek()?.shownFeed()?.hold(row);
  shownAnyway.add(message.id);
  touch(new Set([`message:${message.id}`]));
});

onAct("jump-to-date", ({ node, on }) => {
  askDate(boxOf(node), Number(on), (date) => void current.peek()?.jump("date", date));
});

onAct("place-menu", ({ node, on }) => {
  const place = JSON.parse(on) as Place;
  if ("topic" in place) void topicMenu(node, place.stream_id, place.topic);
});

onAct("mark-place-read", ({ on }) => {
  const place = JSON.parse(on) as Place;
  const { unread, people } = now();
  const key =
    "topic" in place
      ? topicKey(place.stream_id, place.topic)
      : conversationKey(place.user_ids.filter((id) => id !== people.me));
  const known = unread.places.get(key);
  if (known) readPlaces([known]);
});
