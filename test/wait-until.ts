// Waits that fail with an error if what they wait for does not happen in time.
import { PAGE_MS } from "./patience.ts";

/** Shorter than the time limit of any test, so that no wait continues after its test. */
const WAIT_MS = PAGE_MS / 2;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 40;

/** Polls the condition, with longer pauses later; the error quotes the condition's source text. */
export async function until(condition: () => unknown): Promise<void> {
  const end_ms = performance.now() + WAIT_MS;
  for (let pause_ms = FIRST_PAUSE_MS; !(await condition());) {
    if (performance.now() > end_ms) throw new Error(`did not come true: ${condition.toString()}`);
    await Bun.sleep(pause_ms);
    pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS);
  }
}

/** Returns the promise's value, or fails if it stays pending; `event` names what is missing. */
export async function withTimeout<T>(promise: Promise<T>, event: string): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`did not happen: ${event}`)), WAIT_MS);
  try {
    return await Promise.race([promise, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
