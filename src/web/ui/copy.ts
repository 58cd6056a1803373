// Puts text into the clipboard, where the browser lets us; and says so.
import { say } from "../words/words.ts";
import { showToast } from "./toast.tsx";

/** On plain HTTP there is no clipboard, but there is the older way. */
export function copyText(text: string, words: string): void {
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"));
  written.then(
    () => showToast({ words }),
    () => {
      const isDone = copyBySelection(text);
      showToast(isDone ? { words } : { words: say("copy-failed"), isAlert: true });
    },
  );
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "vh";
  const { activeElement } = document;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  return isDone;
}
