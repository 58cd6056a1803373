// A word at the foot about what was just done, with the way back while there is one.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../words/words.ts";

export interface Toast {
  words: string;
  undo?: () => void;
  /** Label of the button, if it is not "Undo". */
  undoWords?: string;
  /** How long one can go back. */
  ms?: number;
  /** An error, which screen readers announce at once. */
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
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const from = useRef<EventTarget | null>(null);
  const ms = current?.ms ?? (current?.undo ? UNDO_MS : SHOWN_MS);
  const stop = () => clearTimeout(timer.current);
  const start = () => {
    stop();
    timer.current = setTimeout(hideToast, ms);
  };
  useEffect(() => {
    if (current) start();
    return stop;
  }, [current]);
  const shown = current && (
    <div
      class="toast"
      role={current.isAlert ? "alert" : undefined}
      key={current.shown}
      ref={(node) => node?.style.setProperty("--ms", `${ms}ms`)}
      // The time does not run out while it has the focus.
      onFocusIn={({ relatedTarget }) => {
        from.current = relatedTarget;
        stop();
      }}
      onFocusOut={start}
      onPointerEnter={stop}
      onPointerLeave={start}
    >
      <span>{current.words}</span>
      {current.undo && (
        <button
          type="button"
          onClick={() => {
            (from.current as HTMLElement | null)?.focus();
            hideToast();
            current.undo?.();
          }}
        >
          {current.undoWords ?? say("undo")}
        </button>
      )}
    </div>
  );
  // Only changes of an existing region are announced.
  return (
    <>
      <div class="toasts" role="status">
        {!current?.isAlert && shown}
      </div>
      {current?.isAlert && shown}
    </>
  );
}
