// A word at the foot about what was just done, with the way back while there is one.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../words/words.ts";

export interface Toast {
  words: string;
  undo?: () => void;
  /** What the button says, if it is not "Undo". */
  undoWords?: string;
  /** How long one can go back. */
  ms?: number;
  /** It went wrong: listeners hear it at once. */
  isAlert?: boolean;
}

const SHOWN_MS = 5000;
/** Bulk acts can be taken back for longer. */
export const UNDO_MS = 10_000;

const toast = signal<(Toast & { shown: number }) | undefined>(undefined);
let count = 0;

/** Takes the place of the one before. */
export function showToast(shown: Toast): void {
  toast.value = { ...shown, shown: ++count };
}

export function hideToast(): void {
  toast.value = undefined;
}

export function Toasts() {
  const current = toast.value;
  const left = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const start = () => {
    const begun = performance.now();
    timer.current = setTimeout(hideToast, left.current);
    return () => {
      clearTimeout(timer.current);
      left.current -= performance.now() - begun;
    };
  };
  useEffect(() => {
    if (!current) return undefined;
    left.current = current.ms ?? (current.undo ? UNDO_MS : SHOWN_MS);
    return start();
  }, [current?.shown]);
  if (!current) return null;
  return (
    <div
      class="toast"
      role={current.isAlert ? "alert" : "status"}
      key={current.shown}
      // Nothing runs out under one's hands.
      onFocusIn={() => clearTimeout(timer.current)}
      onPointerEnter={() => clearTimeout(timer.current)}
      onPointerLeave={start}
    >
      <span>{current.words}</span>
      {current.undo && (
        <button
          type="button"
          onClick={() => {
            hideToast();
            current.undo?.();
          }}
        >
          {current.undoWords ?? say("undo")}
        </button>
      )}
    </div>
  );
}
