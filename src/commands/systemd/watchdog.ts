// Reports to systemd's watchdog as long as every organization accepts writes.
import type { Realm } from "../../realm.ts";

type Notify = (words: Readonly<Record<string, string>>) => void;

/** Twice per watchdog timeout. */
export function startWatchdog(
  realms: () => readonly Realm[],
  notify: Notify,
  microseconds = Number(process.env["WATCHDOG_USEC"]),
): () => void {
  if (!Number.isFinite(microseconds) || microseconds <= 0) return () => {};
  let isAsking = false;
  const report = async () => {
    // If a write never completes, no report is sent, and systemd restarts the server.
    if (isAsking) return;
    isAsking = true;
    await Promise.all(realms().map(checkWrites));
    isAsking = false;
    notify({ WATCHDOG: "1" });
  };
  const timer = setInterval(() => void report(), microseconds / 2_000);
  timer.unref();
  void report();
  return () => clearInterval(timer);
}

/** A full disk rejects writes, which a restart does not fix, so the server counts as alive. */
async function checkWrites(realm: Realm): Promise<void> {
  try {
    await realm.write(() => undefined);
  } catch {}
}
