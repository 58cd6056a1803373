// Loads messages of which lists show a line: unknown ones are requested together, each once.
import { fetchMessages } from "../../api/calls.ts";
import { storeMessages } from "../../sync/load-feed.ts";
import { sync } from "../../sync/session.ts";
import {
  withConcurrentEvents,
  isStarted,
  getState,
  onChange,
  invalidate,
} from "../../store/store.ts";
import { type CachedViewRow, LINES } from "../../sync/layout.ts";
import { isCacheable } from "./cache-selectors.ts";
import { addCachedMessages } from "./cache-selectors.ts";

const REQUESTED_MAX = 200;
const GATHER_MS = 30;
/** Number of messages in lists that are cached on disk. */
const CACHED_MAX = 400;
/** Delay after the last one has arrived. */
const CACHE_DELAY_MS = 2000;

let missing = new Set<number>();
/** Ids that are being requested, and those of messages that do not exist. */
const requested = new Set<number>();
/** Ids in the order of display. */
const displayed = new Set<number>();
/** Cached messages from before events were lost, which are requested again. */
const unverified = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;
let cacheTimer: ReturnType<typeof setTimeout> | undefined;

onChange((changed) => {
  if (changed) return;
  requested.clear();
  unverified.clear();
  void recallLines();
  // A new state has no messages yet.
  loadMissing([...displayed]);
});

/** Rows subscribed to `message:id` are rendered again when it arrives. */
export function loadMissing(ids: Iterable<number>): void {
  const { byId } = getState().messages;
  for (const id of ids) {
    if (id <= 0) continue;
    displayed.delete(id);
    displayed.add(id);
    if ((!byId.has(id) || unverified.has(id)) && !requested.has(id)) missing.add(id);
  }
  for (const id of displayed) {
    if (displayed.size <= CACHED_MAX) break;
    displayed.delete(id);
  }
  cacheTimer ??= setTimeout(saveLines, CACHE_DELAY_MS);
  if (missing.size > 0) timer ??= setTimeout(() => void fetchWanted(), GATHER_MS);
}

/** Loads the messages that lists displayed last before they are rendered, if possible. */
async function recallLines(): Promise<void> {
  const { viewCache: recall } = sync;
  const cachedRow = recall.atOnce(LINES);
  if (cachedRow) return loadCachedMessages(cachedRow);
  const storedRow = recall.canContain(LINES) ? await recall.find(LINES) : undefined;
  if (!storedRow || !isStarted.value) return;
  loadCachedMessages(storedRow);
  invalidate(storedRow.messages.map(({ id }) => `message:${id}` as const));
}

function loadCachedMessages({ messages, queue_id }: CachedViewRow): void {
  if (queue_id !== sync.cursor?.queue_id) for (const { id } of messages) unverified.add(id);
  addCachedMessages(getState(), messages);
}

function saveLines(): void {
  cacheTimer = undefined;
  const { byId } = getState().messages;
  const messages = [...displayed].flatMap((id) => byId.get(id) ?? []).filter(isCacheable);
  const lines = { key: LINES, stream_id: null, isDear: true, messages, ranges: [] };
  if (messages.length > 0) void sync.viewCache.store(lines);
}

async function fetchWanted(): Promise<void> {
  timer = undefined;
  const ids = [...missing].slice(0, REQUESTED_MAX);
  missing = new Set([...missing].slice(REQUESTED_MAX));
  for (const id of ids) requested.add(id);
  if (missing.size > 0) timer = setTimeout(() => void fetchWanted(), GATHER_MS);
  const forms = { client_gravatar: false, allow_empty_topic_name: true };
  try {
    const [{ messages }, concurrent] = await withConcurrentEvents(() =>
      fetchMessages(sync, { message_ids: ids, ...forms }),
    );
    if (!isStarted.value) return;
    const { byId } = getState().messages;
    // Removes messages that the server does not have anymore.
    for (const id of ids) if (unverified.delete(id)) byId.delete(id);
    storeMessages(messages, concurrent);
    // Messages that the memory limit removes can be requested again later.
    for (const id of ids) if (byId.has(id)) requested.delete(id);
    invalidate(ids.map((id) => `message:${id}` as const));
    cacheTimer ??= setTimeout(saveLines, CACHE_DELAY_MS);
  } catch {
    for (const id of ids) requested.delete(id);
  }
}

// This script may load after the initial state.
if (isStarted.value) void recallLines();
