// A notice at the top about an action, with an Undo button if the action can be undone.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../words/words.ts";
import { IconButton } from "./button.tsx";

interface Toast {
  text: string;
  undo?: () => void;
  /** Label of the button, if it is not "Undo". */
  undoLabel?: string;
  /** Time for undo. */
  ms?: number;
  /** An error, which screen readers announce at once. */
  isAlert?: boolean;
}

const TOAST_MS = 5000;
/** Bulk actions can be undone for longer. */
const UNDO_MS = 10_000;

let timer: ReturnType<typeof setTimeout> | undefined;

const toast = signal<(Toast & { shown: number }) | undefined>(undefined);
let count = 0;

/** Replaces the previous one. Returns a function that hides this one. */
export function showToast(newToast: Toast): () => void {
  const toastNumber = ++count;
  toast.value = { ...newToast, shown: toastNumber };
  return () => {
    if (toast.peek()?.shown === toastNumber) hideToast();
  };
}

/** The element that had the focus before the toast. */
let from: EventTarget | null = null;

function hideToast(): void {
  if (document.activeElement?.closest(".toast") && from instanceof HTMLElement) from.focus();
  toast.value = undefined;
}

/** Hides the toast, or only one that has the focus. Returns whether it did. */
export function dismissToast(isFocused = false): boolean {
  const canHide = toast.peek() && (!isFocused || document.activeElement?.closest(".toast"));
  if (canHide) hideToast();
  return Boolean(canHide);
}

export function Toasts() {
  const current = toast.value;
  const ms = current?.ms ?? (current?.undo ? UNDO_MS : TOAST_MS);
  const stop = () => clearTimeout(timer);
  const start = () => {
    stop();
    timer = setTimeout(hideToast, ms);
  };
  useEffect(() => {
    if (current) start();
    return stop;
  }, [current]);
  const content = current && (
    <div
      class="toast"
      role={current.isAlert ? "alert" : undefined}
      key={current.shown}
      ref={(node) => node?.style.setProperty("--ms", `${ms}ms`)}
      // The timer stops while it has the focus.
      onFocusIn={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Element && relatedTarget.closest(".toast"))) {
          from = relatedTarget;
        }
        stop();
      }}
      onFocusOut={start}
      onPointerEnter={stop}
      onPointerLeave={start}
    >
      <span>{current.text}</span>
      {current.undo && (
        <button
          type="button"
          onClick={() => {
            hideToast();
            current.undo?.();
          }}
        >
          {current.undoLabel ?? t("undo")}
        </button>
      )}
      <IconButton icon="x" size="s" label={t("dismiss")} onClick={hideToast} />
    </div>
  );
  // Only changes of an existing region are announced.
  return (
    <>
      <div class="toasts" role="status">
        {!current?.isAlert && content}
      </div>
      {current?.isAlert && content}
    </>
  );
}
