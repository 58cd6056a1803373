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
    if (!isFree(name, own, runtime.now())) {
      await pause();
      continue;
    }
    write(name, own, runtime.now());
    // If several tabs wrote at once, the last one leads.
    await new Promise<void>((resolve) => void runtime.after(RENEW_MS / 10, resolve));
    if (holderOf(name)?.own !== own) continue;
    await whileHeld(name, own, runtime, signal, work);
  }
}

async function whileHeld(
  name: string,
  own: string,
  runtime: Runtime,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  let cancel: () => void;
  const renew = () => {
    if (holderOf(name)?.own !== own) return lost.abort();
    write(name, own, runtime.now());
    cancel = runtime.after(RENEW_MS, renew);
  };
  cancel = runtime.after(RENEW_MS, renew);
  try {
    await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    cancel();
    if (holderOf(name)?.own === own) localStorage.removeItem(name);
  }
}

function isFree(name: string, own: string, now: number): boolean {
  const holder = holderOf(name);
  return !holder || holder.own === own || Math.abs(now - holder.at) > EXPIRES_MS;
}

function holderOf(name: string): { own: string; at: number } | undefined {
  const [own, at] = (localStorage.getItem(name) ?? "").split(" ");
  return own && at ? { own, at: Number(at) } : undefined;
}

function write(name: string, own: string, now: number): void {
  localStorage.setItem(name, `${own} ${now}`);
}
