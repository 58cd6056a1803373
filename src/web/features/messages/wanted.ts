// Messages that lists show a line of: those that are not known are fetched together, each once.
import { fetchMessages } from "../../api/calls.ts";
import { takeMessages } from "../../feed/load.ts";
import { sync } from "../../here.ts";
import { flown, isStarted, now, onChange, touch } from "../../live.ts";
import type { KeptWindow } from "../../sync/layout.ts";
import { mayKeep } from "./keeping.ts";
import { takeKept } from "./kept.ts";
import { LINES } from "./lines.ts";

const AT_ONCE_MAX = 200;
const GATHER_MS = 30;
/** Number of messages in lists that are cached on disk. */
const KEPT_MAX = 400;
/** so long after one of them came. */
const KEEP_MS = 2000;

let wanted = new Set<number>();
/** Asked for, also in vain: a message may be gone by then. */
const asked = new Set<number>();
/** In the order in which they were shown. */
const shown = new Set<number>();
/** The disk has them from before events were lost: they are asked for all the same. */
const doubted = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;
let keeping: ReturnType<typeof setTimeout> | undefined;

onChange((changed) => {
  if (changed) return;
  asked.clear();
  doubted.clear();
  void recallLines();
  // Another state knows no message yet.
  want([...shown]);
});

/** Rows that read `message:id` are drawn anew when it comes. */
export function want(ids: Iterable<number>): void {
  const { byId } = now().messages;
  for (const id of ids) {
    if (id <= 0) continue;
    shown.delete(id);
    shown.add(id);
    if ((!byId.has(id) || doubted.has(id)) && !asked.has(id)) wanted.add(id);
  }
  for (const id of shown) {
    if (shown.size <= KEPT_MAX) break;
    shown.delete(id);
  }
  keeping ??= setTimeout(keepLines, KEEP_MS);
  if (wanted.size > 0) timer ??= setTimeout(() => void fetchWanted(), GATHER_MS);
}

/** Loads the messages that lists displayed last before they are rendered, if possible. */
async function recallLines(): Promise<void> {
  const { recall } = sync;
  const known = recall.atOnce(LINES);
  if (known) return takeLines(known);
  const found = recall.mayHave(LINES) ? await recall.find(LINES) : undefined;
  if (!found || !isStarted.value) return;
  takeLines(found);
  touch(new Set(found.messages.map(({ id }) => `message:${id}`)));
}

function takeLines({ messages, queue_id }: KeptWindow): void {
  if (queue_id !== sync.place?.queue_id) for (const { id } of messages) doubted.add(id);
  takeKept(now(), messages);
}

function keepLines(): void {
  keeping = undefined;
  const { byId } = now().messages;
  const messages = [...shown].flatMap((id) => byId.get(id) ?? []).filter(mayKeep);
  const kept = { key: LINES, stream_id: null, isDear: true, messages, ranges: [] };
  if (messages.length > 0) void sync.recall.keep(kept);
}

async function fetchWanted(): Promise<void> {
  timer = undefined;
  const ids = [...wanted].slice(0, AT_ONCE_MAX);
  wanted = new Set([...wanted].slice(AT_ONCE_MAX));
  for (const id of ids) asked.add(id);
  if (wanted.size > 0) timer = setTimeout(() => void fetchWanted(), GATHER_MS);
  const forms = { client_gravatar: false, allow_empty_topic_name: true };
  try {
    const [{ messages }, came] = await flown(() =>
      fetchMessages(sync, { message_ids: ids, ...forms }),
    );
    if (!isStarted.value) return;
    const { byId } = now().messages;
    // Removes messages that the server does not have anymore.
    for (const id of ids) if (doubted.delete(id)) byId.delete(id);
    takeMessages(messages, came);
    touch(new Set(ids.map((id) => `message:${id}`)));
    keeping ??= setTimeout(keepLines, KEEP_MS);
  } catch {
    for (const id of ids) asked.delete(id);
  }
}

// Its script may come after the first state.
if (isStarted.value) void recallLines();
