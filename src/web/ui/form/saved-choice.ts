// A choice that is saved at once: shown before the server confirms it, and one after the other.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Saving } from "../saving.ts";

interface SavedChoice<T> {
  /** The saved choice. */
  value: T;
  /** The name of the part of the page. */
  part: string;
  saving: Saving;
  set: (next: T, old: T) => Promise<unknown>;
}

export function useSavedChoice<T>({ value, part, saving, set }: SavedChoice<T>) {
  const waiting = useSignal<{ choice: T } | undefined>(undefined);
  const last = useRef<Promise<void>>(Promise.resolve());
  const shown = waiting.value ? waiting.value.choice : value;
  const choose = (choice: T): void => {
    const mine = { choice };
    waiting.value = mine;
    saving.forget(part);
    last.current = last.current.then(async () => {
      await saving.save(
        part,
        () => set(choice, shown),
        () => set(shown, choice),
      );
      if (waiting.peek() === mine) waiting.value = undefined;
    });
  };
  return { value: shown, choose };
}
