// Elects one leading tab per session, by a lock that the browser releases when the tab dies, or by
// a lease.
import type { Runtime } from "../api/runtime.ts";

/** Runs `work` while this tab leads; resolves when `signal` ends it. */
export async function runAsLeader(
  session: string,
  runtime: Runtime,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const name = `skein-leader-${session}`;
  if (navigator.locks) return byLock(name, signal, work);
  const { withLease } = await import("./lease.ts");
  return withLease(name, runtime, signal, work);
}

async function byLock(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    await navigator.locks.request(name, { signal }, () => work(signal));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
