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
  const step = useSignal<{ choice: T } | undefined>(undefined);
  const latest = useRef(value);
  /** The choice that the server has confirmed, even if its event has not arrived yet. */
  const confirmed = useRef(value);
  if (!isSame(latest.current, value)) confirmed.current = value;
  latest.current = value;
  const last = useRef<Promise<boolean>>(Promise.resolve(true));
  const displayed = step.value ? step.value.choice : confirmed.current;
  const send = (next: T, old: T) => async () => {
    const before = latest.current;
    await set(next, old);
    // Any other value comes from an event that arrived before this response, so it is newer.
    const isNewest = isSame(latest.current, before) || isSame(latest.current, old);
    if (isNewest) confirmed.current = next;
  };
  /** Resolves to whether the server accepted it. */
  const choose = (choice: T): Promise<boolean> => {
    const mine = { choice };
    step.value = mine;
    saving.forget(part);
    last.current = last.current.then(async () => {
      const undo = () => {
        onUndo?.();
        return send(displayed, choice)();
      };
      const isSaved = await saving.save(part, send(choice, displayed), undo);
      if (step.peek() === mine) step.value = undefined;
      return isSaved;
    });
    return last.current;
  };
  return { value: displayed, stored: confirmed.current, choose };
}

const isSame = <T>(first: T, other: T) => JSON.stringify(first) === JSON.stringify(other);
