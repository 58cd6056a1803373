// Copies text to the clipboard, if the browser allows it, and shows a notice.
import { t } from "../words/words.ts";
import { showToast } from "./toast.tsx";

/** There is no clipboard API over plain HTTP, so the deprecated command is used. */
export function copyText(text: string, message: string): void {
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"));
  written.then(
    () => showToast({ text: message }),
    () => {
      const isDone = copyBySelection(text);
      showToast(isDone ? { text: message } : { text: t("copy-failed"), isAlert: true });
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
