// Links in a text: made of what is selected, and taken away again.
import { type Edit, linesAt, type Written } from "./edits.ts";

/**
 * Words become a link whose address is to be typed; an address becomes a link without words, which
 * are `words` for now. A link of which the words, the address or all is selected is its words
 * again, or its address where it has none.
 */
export function linked(written: Written, words: string): Edit {
  const { text, start, end } = written;
  const chosen = text.slice(start, end);
  const link = linkAt(written);
  if (link) {
    const put = link.words === words ? link.address : link.words;
    return { ...link, put, select: [link.start, link.start + put.length] };
  }
  const address = addressIn(chosen);
  if (address !== undefined) {
    const put = `[${words}](${address})`;
    return { start, end, put, select: [start + 1, start + 1 + words.length] };
  }
  const shown = chosen === "" ? words : chosen;
  const put = `[${shown}](url)`;
  const at = start + shown.length + 3;
  return { start, end, put, select: [at, at + 3] };
}

const LINK = /\[([^[\]\n]*)\]\(([^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)/g;

/** The link of which the selection is the words, the address or the whole. */
function linkAt({ text, start, end }: Written) {
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
export const isAddressOfLink = (written: Written): boolean => {
  const link = linkAt(written);
  return link !== undefined && written.start === link.end - 1 - link.address.length;
};

const WEB = /^https?:\/\/\S+$/i;
const MAIL = /^(?:mailto:)?([^\s@:<>()[\]]+@[^\s@:<>()[\].]+\.[^\s@:<>()[\]]+)$/i;

/** The URL for a text that is a web or email address. */
export function addressIn(text: string): string | undefined {
  const typed = text.trim();
  if (WEB.test(typed)) return typed;
  const mail = MAIL.exec(typed)?.[1];
  return mail === undefined ? undefined : `mailto:${mail}`;
}
