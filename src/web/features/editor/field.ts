// The text area: edits that its own undo takes back.
import type { Edit, Written } from "./edits.ts";

export function writtenIn(node: HTMLTextAreaElement): Written {
  return { text: node.value, start: node.selectionStart, end: node.selectionEnd };
}

/** Applies the edit as typed input, so that Ctrl+Z undoes it. */
export function apply(node: HTMLTextAreaElement, { start, end, put, select }: Edit): void {
  node.focus({ preventScroll: true });
  node.setSelectionRange(start, end);
  if (put !== "" || start !== end) {
    // The only way to write into a field that browsers undo.
    const isDone =
      put === "" ? document.execCommand("delete") : document.execCommand("insertText", false, put);
    if (!isDone) {
      node.setRangeText(put, start, end, "end");
      node.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  node.setSelectionRange(...select);
}

/** Another text altogether, as when another conversation opens. */
export function setText(node: HTMLTextAreaElement, text: string): void {
  if (node.value === text) return;
  node.value = text;
  node.setSelectionRange(text.length, text.length);
  node.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Puts words from here to there, without moving the caret from its words. */
export function putWords(node: HTMLTextAreaElement, [start, end]: Span, words: string): void {
  node.setRangeText(words, start, end, "preserve");
  node.dispatchEvent(new Event("input", { bubbles: true }));
}

type Span = readonly [start: number, end: number];
