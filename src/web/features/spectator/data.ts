// The data of a spectator's tab, updated every half minute while it is visible.
import { signal } from "@preact/signals";
import type { getChannels } from "../../../features/channels/api/list.ts";
import { COLORS } from "../../../features/channels/rules.ts";
import { call } from "../../api/call.ts";
import { fetchMessages, fetchTopics, register } from "../../api/calls.ts";
import { NoResponse } from "../../api/http.ts";
import { goToSignIn, sessionName } from "../../api/session.ts";
import { registerCommands, restrictCommands } from "../../ui/keys/commands.ts";
import { MESSAGE_FORMAT, storeMessages, spectatorTerms } from "../../sync/load-feed.ts";
import { viewKey, wireTerms } from "../../store/narrow.ts";
import { type FeedView, newestSegment, segmentOf, addSegment } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import { itemAt } from "../../content/item-at.ts";
import { sync } from "../../sync/session.ts";
import { isStarted, getState, start, invalidate } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { UI_LANGUAGES, baseOf } from "../../words/words.ts";
import { REGISTER } from "../../sync/versions.ts";
import { current } from "../conversation/current-state.ts";
import { openChannel } from "../sidebar/topics.tsx";
import { addTopics } from "../topics/state.ts";
import { searchAsVisitor } from "./search.tsx";

const POLL_MS = 30_000;
const NEWEST = 100;

/** Commands for reading and moving; all others are for members. */
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

/** Whether the server has responded to the last request. */
export const isReached = signal(true);

/** Loads the public content. Returns a function that stops the updates. */
export function visit(): () => void {
  const session = sessionName();
  restrictCommands(COMMANDS);
  registerCommands({
    id: "visit-search",
    textKey: "search-messages",
    keys: ["/"],
    run: searchAsVisitor,
  });
  spectatorTerms.splice(0, spectatorTerms.length, {
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
      await (isStarted.peek() ? refetchChannels() : registerSpectator());
      isReached.value = true;
    } catch (error) {
      if (!(error instanceof NoResponse)) {
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

async function registerSpectator(): Promise<void> {
  const { idle_queue_timeout: _, ...wanted } = REGISTER;
  const snapshot = await register(sync, { ...wanted, include_subscribers: "false" });
  // Spectators have no settings: the browser's language and time format apply.
  const browserLanguage = baseOf(navigator.language);
  const { hour12 } = new Intl.DateTimeFormat([], { hour: "numeric" }).resolvedOptions();
  snapshot.user_settings = {
    ...snapshot.user_settings,
    default_language: UI_LANGUAGES.includes(browserLanguage) ? browserLanguage : "en",
    twenty_four_hour_time: !hour12,
  };
  // Colors are personal; without an account, channels get colors by their ids.
  for (const row of snapshot.subscriptions ?? [])
    row.color = itemAt(COLORS, row.stream_id % COLORS.length);
  start(snapshot);
}

async function refetchChannels(): Promise<void> {
  const { streams } = await fetchChannels(sync, {}, { isRetried: false });
  const rows = [...getState().channels.channels.values()].map(({ row }) => row);
  // A channel became public or private, or was renamed: everything is rendered again.
  if (signatureOf(streams) !== signatureOf(rows)) return registerSpectator();
  const open = openChannel();
  if (open !== undefined && getState().channels.channels.has(open)) await askTopics(open);
  const terms = current.peek()?.terms;
  if (terms) await fetchNewest(viewFor(terms));
}

interface PublicChannel {
  stream_id: number;
  name: string;
  description: string;
}

const signatureOf = (rows: readonly PublicChannel[]): string =>
  JSON.stringify(
    rows
      .toSorted((a, b) => a.stream_id - b.stream_id)
      .map((row) => [row.stream_id, row.name, row.description]),
  );

async function askTopics(stream_id: number): Promise<void> {
  const { topics } = await fetchTopics(sync, { stream_id, allow_empty_topic_name: true });
  const changed: Changed = new Set();
  addTopics(getState().topics, stream_id, topics, changed);
  invalidate(changed);
}

/** The newest messages of the view: added, changed and deleted ones. */
async function fetchNewest(view: FeedView): Promise<void> {
  const newest = newestSegment(view);
  if (!newest) return;
  const narrow = wireTerms([...view.terms, ...spectatorTerms]);
  const window = { anchor: "newest", num_before: NEWEST, num_after: 0 };
  const response = await fetchMessages(
    sync,
    { narrow, ...window, ...MESSAGE_FORMAT },
    { isRetried: false },
  );
  const { byId } = getState().messages;
  // Unchanged content is not rendered again.
  const isNews = (message: { id: number }) =>
    JSON.stringify(byId.get(message.id)) !== JSON.stringify(message);
  const before = newest.ids.slice(-NEWEST).join();
  const news = response.messages.filter(isNews);
  const after = response.messages.map(({ id }) => id).join();
  if (news.length === 0 && before === after) return;
  storeMessages(news);
  // There may be more new messages than one response contains.
  newest.to = newest.ids.at(-1) ?? newest.from;
  addSegment(view, segmentOf(response) ?? { from: 0, to: Infinity, ids: [] });
  invalidate([viewKey(view.terms)]);
}
