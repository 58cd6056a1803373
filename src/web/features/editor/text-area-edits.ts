// Edits the text area so that the browser's own undo works.
import type { Edit, EditorText } from "./edit-rules.ts";

export function selectedIn(node: HTMLTextAreaElement): EditorText {
  return { text: node.value, start: node.selectionStart, end: node.selectionEnd };
}

/** Applies the edit as typed input, so that Ctrl+Z undoes it. */
export function apply(
  node: HTMLTextAreaElement,
  { start, end, replacement: put, select }: Edit,
): void {
  node.focus({ preventScroll: true });
  node.setSelectionRange(start, end);
  if (put !== "" || start !== end) {
    // The only way to change a field that the browser's undo supports.
    const isDone =
      put === "" ? document.execCommand("delete") : document.execCommand("insertText", false, put);
    if (!isDone) {
      node.setRangeText(put, start, end, "end");
      node.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  node.setSelectionRange(...select);
}

/** Replaces the whole text, as when another conversation opens. */
export function setText(node: HTMLTextAreaElement, text: string): void {
  if (node.value === text) return;
  node.value = text;
  node.setSelectionRange(text.length, text.length);
  node.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Replaces a range without moving the caret relative to the text around it. */
export function replaceRange(
  node: HTMLTextAreaElement,
  [start, end]: TextRange,
  text: string,
): void {
  node.setRangeText(text, start, end, "preserve");
  node.dispatchEvent(new Event("input", { bubbles: true }));
}

type TextRange = readonly [start: number, end: number];
