// A list that events leave in doubt is asked for again while it is shown.
import { useEffect } from "preact/hooks";

const AGAIN_MS = 15_000;

/**
 * Asks now, and then from time to time: what one person deletes or moves is not asked for by
 * everybody at once, nor each time. `ask` asks for nothing where nothing is in doubt.
 */
export function useAgain(ask: () => void, of?: unknown): void {
  useEffect(() => {
    ask();
    const timer = setInterval(ask, AGAIN_MS * (1 + Math.random()));
    return () => clearInterval(timer);
  }, [of]);
}
