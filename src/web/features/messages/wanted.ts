// Messages that lists show a line of: those that are not known are fetched together, each once.
import { fetchMessages } from "../../api/calls.ts";
import { sync } from "../../here.ts";
import { takeMessages } from "../../feed/load.ts";
import { isStarted, now, onChange, touch } from "../../live.ts";

const AT_ONCE_MAX = 200;
const GATHER_MS = 30;

let wanted = new Set<number>();
/** Asked for, also in vain: a message may be gone by then. */
const asked = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

onChange((changed) => {
  if (!changed) asked.clear();
});

/** Rows that read `message:id` are drawn anew when it comes. */
export function want(ids: Iterable<number>): void {
  const { byId } = now().messages;
  for (const id of ids) if (id > 0 && !byId.has(id) && !asked.has(id)) wanted.add(id);
  if (wanted.size > 0) timer ??= setTimeout(() => void fetchWanted(), GATHER_MS);
}

async function fetchWanted(): Promise<void> {
  timer = undefined;
  const ids = [...wanted].slice(0, AT_ONCE_MAX);
  wanted = new Set([...wanted].slice(AT_ONCE_MAX));
  for (const id of ids) asked.add(id);
  if (wanted.size > 0) timer = setTimeout(() => void fetchWanted(), GATHER_MS);
  const forms = { client_gravatar: false, allow_empty_topic_name: true };
  try {
    const { messages } = await fetchMessages(sync, { message_ids: ids, ...forms });
    if (!isStarted.value) return;
    takeMessages(messages);
    touch(new Set(messages.map(({ id }) => `message:${id}`)));
  } catch {
    for (const id of ids) asked.delete(id);
  }
}
