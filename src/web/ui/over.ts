// Open parts that are no layers and that Back closes, such as an editor's suggestions.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** How each is closed, from below to above. */
export const over = signal<readonly (() => unknown)[]>([]);

/** While the component is rendered. */
export function useOver(close: () => unknown): void {
  useEffect(() => {
    over.value = [...over.peek(), close];
    return () => (over.value = over.peek().filter((one) => one !== close));
  }, []);
}
