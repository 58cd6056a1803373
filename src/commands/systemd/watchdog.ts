// Says that the server is alive, as long as each organization can be written to.
import type { Realm } from "../../realm.ts";

type Notify = (words: Readonly<Record<string, string>>) => void;

/** Twice in the time after which systemd takes the server for dead. */
export function startWatchdog(
  realms: () => readonly Realm[],
  notify: Notify,
  microseconds = Number(process.env["WATCHDOG_USEC"]),
): () => void {
  if (!Number.isFinite(microseconds) || microseconds <= 0) return () => {};
  let isAsking = false;
  const tell = async () => {
    // What is asked and never answered keeps the word back: then a new start is the remedy.
    if (isAsking) return;
    isAsking = true;
    await Promise.all(realms().map(written));
    isAsking = false;
    notify({ WATCHDOG: "1" });
  };
  const timer = setInterval(() => void tell(), microseconds / 2_000);
  timer.unref();
  void tell();
  return () => clearInterval(timer);
}

/** A full disk refuses, which no new start mends: the server is alive. */
async function written(realm: Realm): Promise<void> {
  try {
    await realm.write(() => undefined);
  } catch {}
}
