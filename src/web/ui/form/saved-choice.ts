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
  onUndo?: () => void;
}

export function useSavedChoice<T>({ value, part, saving, set, onUndo }: SavedChoice<T>) {
  const waiting = useSignal<{ choice: T } | undefined>(undefined);
  const latest = useRef(value);
  /** The choice that the server has, also before its event arrives. */
  const known = useRef(value);
  if (!isSame(latest.current, value)) known.current = value;
  latest.current = value;
  const last = useRef<Promise<boolean>>(Promise.resolve(true));
  const shown = waiting.value ? waiting.value.choice : known.current;
  const send = (next: T, old: T) => async () => {
    const before = latest.current;
    await set(next, old);
    // Any other value is a newer one, from an event that arrived before this response.
    const isNewest = isSame(latest.current, before) || isSame(latest.current, old);
    if (isNewest) known.current = next;
  };
  /** Resolves to whether the server accepted it. */
  const choose = (choice: T): Promise<boolean> => {
    const mine = { choice };
    waiting.value = mine;
    saving.forget(part);
    last.current = last.current.then(async () => {
      const undo = () => {
        onUndo?.();
        return send(shown, choice)();
      };
      const isSaved = await saving.save(part, send(choice, shown), undo);
      if (waiting.peek() === mine) waiting.value = undefined;
      return isSaved;
    });
    return last.current;
  };
  return { value: shown, stored: known.current, choose };
}

const isSame = <T>(first: T, other: T) => JSON.stringify(first) === JSON.stringify(other);
