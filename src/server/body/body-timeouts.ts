// Reads request bodies while bytes arrive, and aborts those that stall or are too slow.
import { withTimeout } from "../../async/with-timeout.ts";
import { requestTooSlow } from "../../contract/errors/general.ts";

interface Pace {
  readonly silence_ms: number;
  readonly window_ms: number;
  readonly bytes_per_second: number;
}

export const PACE: Pace = { silence_ms: 30_000, window_ms: 60_000, bytes_per_second: 100 };

/** Yields the chunks of a body. @throws if it arrives too slowly */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  pace = PACE,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let [since, size] = [performance.now(), 0];
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), pace.silence_ms, tooSlow);
      if (done) return;
      size += value.length;
      const passed_ms = performance.now() - since;
      if (passed_ms >= pace.window_ms) {
        if (size < (pace.bytes_per_second * passed_ms) / 1_000) throw requestTooSlow();
        [since, size] = [performance.now(), 0];
      }
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function tooSlow(): never {
  throw requestTooSlow();
}
