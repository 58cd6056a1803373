/** Clock, timers and randomness, which tests replace. */

export interface Runtime {
  now(): number;
  random(): number;
  after(ms: number, callback: () => void): () => void;
}

export const browserRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const NAME_BYTES = 12;

/** Returns a random name. `crypto.randomUUID` exists only over HTTPS. */
export function uniqueName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Resolves after this time, or when the signal is aborted. */
export function pause(runtime: Runtime, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = runtime.after(ms, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
}
