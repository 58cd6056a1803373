// The data of a spectator's tab, updated every half minute while it is visible.
import { signal } from "@preact/signals";
import type { getChannels } from "../../../features/channels/api/list.ts";
import { COLORS } from "../../../features/channels/rules.ts";
import { call } from "../../api/call.ts";
import { fetchMessages, fetchTopics, register } from "../../api/calls.ts";
import { Unanswered } from "../../api/http.ts";
import { goToSignIn, sessionName } from "../../api/session.ts";
import { offer, permitOnly } from "../../commands.ts";
import { FORMS, takeMessages, within } from "../../feed/load.ts";
import { viewKey, wireNarrow } from "../../feed/narrow.ts";
import { type FeedView, newestSegment, segmentOf, takeSegment } from "../../feed/view.ts";
import { viewFor } from "../../feed/views.ts";
import { sync } from "../../here.ts";
import { isStarted, now, start, touch } from "../../live.ts";
import type { Changed } from "../../snapshot.ts";
import { SPOKEN } from "../../words/words.ts";
import { REGISTER } from "../../sync/versions.ts";
import type { Channel } from "../channels/state.ts";
import { current } from "../conversation/current.ts";
import { drawing } from "../conversation/drawing.ts";
import { openChannel } from "../rail/channels.tsx";
import { takeTopics } from "../topics/state.ts";
import { plain } from "./plain.ts";
import { searchAsVisitor } from "./search.tsx";

const POLL_MS = 30_000;
const NEWEST = 100;

/** Reading and moving; all other commands are a member's. */
const COMMANDS = [
  "close",
  "copy-message-link",
  "copy-topic-link",
  "enter-conversation",
  "first-message",
  "last-message",
  "message-down",
  "message-up",
  "next-region",
  "open-links",
  "page-down",
  "page-up",
  "previous-region",
  "view-media",
  "visit-search",
  "zoom",
];

const fetchChannels = call<typeof getChannels>("GET", "/streams", "view");

/** Whether the server answered when it was last asked. */
export const isReached = signal(true);

/** Knows what is open to everyone; gives what ends it. */
export function visit(): () => void {
  const session = sessionName();
  permitOnly(COMMANDS);
  offer({ id: "visit-search", words: "search-messages", keys: ["/"], run: searchAsVisitor });
  drawing.plain = plain;
  within.splice(0, within.length, {
    operator: "channels",
    operand: "web-public",
    negated: false,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const ask = async () => {
    if (isAsking || document.hidden) return;
    // Another tab has signed in.
    if (sessionName() !== session) return location.reload();
    isAsking = true;
    clearTimeout(timer);
    try {
      await (isStarted.peek() ? askAgain() : begin());
      isReached.value = true;
    } catch (error) {
      if (!(error instanceof Unanswered)) {
        // The sign-in page explains why reading has ended.
        return goToSignIn(isStarted.peek() ? "&closed=1" : "");
      }
      isReached.value = false;
    } finally {
      isAsking = false;
    }
    timer = setTimeout(() => void ask(), POLL_MS);
  };
  const wake = () => void ask();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  void ask();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", wake);
    removeEventListener("online", wake);
  };
}

async function begin(): Promise<void> {
  const { idle_queue_timeout: _, ...wanted } = REGISTER;
  const snapshot = await register(sync, { ...wanted, include_subscribers: "false" });
  // Without settings, the browser's language and time format apply.
  const spoken = navigator.language.split("-")[0]!;
  const { hour12 } = new Intl.DateTimeFormat([], { hour: "numeric" }).resolvedOptions();
  snapshot["user_settings"] = {
    ...(snapshot["user_settings"] as object),
    default_language: SPOKEN.includes(spoken) ? spoken : "en",
    twenty_four_hour_time: !hour12,
  };
  // Colours are people's own; to who has chosen none, channels are told apart by their numbers.
  for (const row of (snapshot["subscriptions"] ?? []) as Channel[])
    row.color = COLORS[row.stream_id % COLORS.length]!;
  start(snapshot);
}

async function askAgain(): Promise<void> {
  const { streams } = await fetchChannels(sync, {}, { again: false });
  const rows = [...now().channels.channels.values()].map(({ row }) => row);
  // A channel was opened, closed or is called otherwise: all is drawn from what is open now.
  if (signOf(streams) !== signOf(rows)) return begin();
  const open = openChannel();
  if (open !== undefined && now().channels.channels.has(open)) await askTopics(open);
  const terms = current.peek()?.terms;
  if (terms) await askNewest(viewFor(terms));
}

interface Named {
  stream_id: number;
  name: string;
  description: string;
}

const signOf = (rows: readonly Named[]): string =>
  JSON.stringify(
    rows.map((row) => [row.stream_id, row.name, row.description]).sort((a, b) => +a[0]! - +b[0]!),
  );

async function askTopics(stream_id: number): Promise<void> {
  const { topics } = await fetchTopics(sync, { stream_id, allow_empty_topic_name: true });
  const changed: Changed = new Set();
  takeTopics(now().topics, stream_id, topics, changed);
  touch(changed);
}

/** The end of the view as it is now: what came, what was changed, and what is gone. */
async function askNewest(view: FeedView): Promise<void> {
  const newest = newestSegment(view);
  if (!newest) return;
  const narrow = JSON.parse(wireNarrow([...view.terms, ...within])) as unknown[];
  const window = { anchor: "newest", num_before: NEWEST, num_after: 0 };
  const answer = await fetchMessages(sync, { narrow, ...window, ...FORMS }, { again: false });
  const { byId } = now().messages;
  // Unchanged content is not rendered again.
  const isNews = (message: { id: number }) =>
    JSON.stringify(byId.get(message.id)) !== JSON.stringify(message);
  const before = newest.ids.slice(-NEWEST).join();
  const news = answer.messages.filter(isNews);
  const after = answer.messages.map(({ id }) => id).join();
  if (news.length === 0 && before === after) return;
  takeMessages(news);
  // More may have come than one answer holds.
  newest.to = newest.ids.at(-1) ?? newest.from;
  takeSegment(view, segmentOf(answer) ?? { from: 0, to: Infinity, ids: [] });
  touch(new Set([viewKey(view.terms)]));
}
