// What lies over the view and is no layer, such as what an editor proposes: Back closes it, too.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** How each is closed, from below to above. */
export const over = signal<readonly (() => unknown)[]>([]);

/** As long as who says it is drawn. */
export function useOver(close: () => unknown): void {
  useEffect(() => {
    over.value = [...over.peek(), close];
    return () => (over.value = over.peek().filter((one) => one !== close));
  }, []);
}
