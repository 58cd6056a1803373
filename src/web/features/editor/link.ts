// Adds a link to the selected text, and removes it.
import { type Edit, linesAt, type EditorText } from "./edit-rules.ts";

/**
 * Selected text becomes a link whose URL is to be typed; a selected URL becomes a link with the
 * placeholder text `words`. If a link, its text or its URL is selected, replaces it by its text, or
 * by its URL if it has none.
 */
export function withLink(editorText: EditorText, words: string): Edit {
  const { text, start, end } = editorText;
  const selectedText = text.slice(start, end);
  const link = linkAt(editorText);
  if (link) {
    const replacement = link.words === words ? link.address : link.words;
    return { ...link, replacement, select: [link.start, link.start + replacement.length] };
  }
  const address = addressIn(selectedText);
  if (address !== undefined) {
    const replacement = `[${words}](${address})`;
    return { start, end, replacement, select: [start + 1, start + 1 + words.length] };
  }
  const label = selectedText === "" ? words : selectedText;
  const replacement = `[${label}](url)`;
  const position = start + label.length + 3;
  return { start, end, replacement, select: [position, position + 3] };
}

const LINK = /\[([^[\]\n]*)\]\(([^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)/g;

/** The link whose text, URL or whole is selected. */
function linkAt({ text, start, end }: EditorText) {
  if (start === end) return undefined;
  const { from, to } = linesAt({ text, start, end });
  for (const { index, 0: all, 1: words = "", 2: address = "" } of text
    .slice(from, to)
    .matchAll(LINK)) {
    const open = from + index;
    const close = open + all.length;
    const middle = open + 1 + words.length;
    const isPart =
      (start === open && end === close) ||
      (start === open + 1 && end === middle) ||
      (start === middle + 2 && end === close - 1);
    if (isPart) return { start: open, end: close, words, address };
  }
  return undefined;
}

/** Whether the selection is the URL of a link. */
export const isAddressOfLink = (editorText: EditorText): boolean => {
  const link = linkAt(editorText);
  return link !== undefined && editorText.start === link.end - 1 - link.address.length;
};

const WEB = /^https?:\/\/\S+$/i;
const MAIL = /^(?:mailto:)?([^\s@:<>()[\]]+@[^\s@:<>()[\].]+\.[^\s@:<>()[\]]+)$/i;

/** The URL for a text that is a web or email address. */
export function addressIn(text: string): string | undefined {
  const url = text.trim();
  if (WEB.test(url)) return url;
  const mail = MAIL.exec(url)?.[1];
  return mail === undefined ? undefined : `mailto:${mail}`;
}
