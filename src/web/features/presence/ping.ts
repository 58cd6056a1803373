// Reports the user's presence to the server, and receives that of others, at the server's interval.
import { PING_SECONDS } from "../../../features/presence/rules.ts";
import { sendPresence } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { withConcurrentEvents, maybeState, getState, invalidate } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { type Presence, reducePresence, takePresences } from "./state.ts";

/** The user is idle after this time without input. */
const IDLE_MS = 5 * 60_000;

let touchedAt = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

export function startPings(): void {
  if (timer) return;
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    addEventListener(kind, onActivity, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void ping();
  });
  timer = setInterval(() => void ping(), PING_SECONDS * 1000);
  void ping();
}

/** Activity after being idle is reported at once. */
function onActivity(): void {
  const wasIdle = Date.now() - touchedAt > IDLE_MS;
  touchedAt = Date.now();
  if (wasIdle) void ping();
}

/** Hidden pages send nothing: another tab does, or the user is away. */
async function ping(): Promise<void> {
  if (!maybeState() || document.hidden || sync.connection.peek().kind !== "live") return;
  const isIdle = Date.now() - touchedAt > IDLE_MS;
  try {
    const [{ presences = {}, presence_last_update_id }, concurrent] = await withConcurrentEvents(
      () =>
        sendPresence(sync, {
          status: isIdle ? "idle" : "active",
          new_user_input: !isIdle,
          last_update_id: getState().presence.last_update_id,
        }),
    );
    const { presence } = getState();
    const changed: Changed = new Set();
    takePresences(presence, presences as Record<string, Presence>, changed);
    for (const event of concurrent)
      if (event.type === "presence") reducePresence(presence, event, changed);
    presence.last_update_id = Math.max(presence.last_update_id, presence_last_update_id);
    invalidate(changed);
  } catch {
    // The next ping repeats it.
  }
}
