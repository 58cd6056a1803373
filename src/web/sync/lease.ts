// Elects the leading tab by a lease that it renews, for browsers with neither locks nor workers.
import type { Runtime } from "../api/runtime.ts";

const RENEW_MS = 2000;
const EXPIRES_MS = 6000;

/** Pages without https have no locks. */
export async function withLease(
  name: string,
  runtime: Runtime,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const own = `${runtime.now()}.${runtime.random()}`;
  const pause = () => new Promise<void>((resolve) => void runtime.after(RENEW_MS, resolve));
  while (!signal.aborted) {
    if (!isLeaseFree(name, own, runtime.now())) {
      await pause();
      continue;
    }
    writeLease(name, own, runtime.now());
    // If several tabs wrote at once, the last one leads.
    await new Promise<void>((resolve) => void runtime.after(RENEW_MS / 10, resolve));
    if (leaseHolderOf(name)?.own !== own) continue;
    await whileLeaseHeld(name, own, runtime, signal, work);
  }
}

async function whileLeaseHeld(
  name: string,
  own: string,
  runtime: Runtime,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  let cancel: () => void;
  const renew = () => {
    if (leaseHolderOf(name)?.own !== own) return lost.abort();
    writeLease(name, own, runtime.now());
    cancel = runtime.after(RENEW_MS, renew);
  };
  cancel = runtime.after(RENEW_MS, renew);
  try {
    await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    cancel();
    if (leaseHolderOf(name)?.own === own) localStorage.removeItem(name);
  }
}

function isLeaseFree(name: string, own: string, now: number): boolean {
  const holder = leaseHolderOf(name);
  return !holder || holder.own === own || Math.abs(now - holder.at) > EXPIRES_MS;
}

function leaseHolderOf(name: string): { own: string; at: number } | undefined {
  const [own, at] = (localStorage.getItem(name) ?? "").split(" ");
  return own && at ? { own, at: Number(at) } : undefined;
}

function writeLease(name: string, own: string, now: number): void {
  localStorage.setItem(name, `${own} ${now}`);
}
