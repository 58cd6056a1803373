// What is selected of messages, as Markdown: each message has its own part of it.
import { markdownOf } from "../editor/markdown.ts";

interface Picked {
  readonly id: number;
  readonly markdown: string;
}

/** What the server has, and shows as text. */
const CONTENTS = ".feed .msg:not([data-state]) .md:not(:has(.poll))";

/** Of all that the selection reaches into; nothing where this message is not among them. */
export function pickedWith(message_id: number): readonly Picked[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  const picked = [...document.querySelectorAll<HTMLElement>(CONTENTS)].flatMap((node) => {
    if (!range.intersectsNode(node)) return [];
    const markdown = markdownOf(partOf(node, range).cloneContents());
    const id = Number(node.closest<HTMLElement>(".msg")!.dataset["id"]);
    return markdown === "" ? [] : [{ id, markdown }];
  });
  return picked.some(({ id }) => id === message_id) ? picked : [];
}

function partOf(node: Node, all: Range): Range {
  const part = new Range();
  part.selectNodeContents(node);
  if (node.contains(all.startContainer)) part.setStart(all.startContainer, all.startOffset);
  if (node.contains(all.endContainer)) part.setEnd(all.endContainer, all.endOffset);
  return part;
}
