// Converts the selected parts of messages to Markdown.
import { markdownOf } from "../editor/markdown.ts";

interface QuotedMessage {
  readonly id: number;
  readonly markdown: string;
}

/** Content that the server has and that is displayed as text. */
const CONTENTS = ".feed .msg:not([data-state]) .md:not(:has(.poll))";

/** The selected parts of all messages. Empty if this message is not among them. */
export function selectionWith(message_id: number): readonly QuotedMessage[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  const picked = [...document.querySelectorAll<HTMLElement>(CONTENTS)].flatMap((node) => {
    if (!range.intersectsNode(node)) return [];
    const markdown = markdownOf(partOf(node, range).cloneContents());
    const id = Number(node.closest<HTMLElement>(".msg")?.dataset["id"]);
    return markdown === "" ? [] : [{ id, markdown }];
  });
  return picked.some(({ id }) => id === message_id) ? picked : [];
}

function partOf(node: Node, all: Range): Range {
  const range = new Range();
  range.selectNodeContents(node);
  if (node.contains(all.startContainer)) range.setStart(all.startContainer, all.startOffset);
  if (node.contains(all.endContainer)) range.setEnd(all.endContainer, all.endOffset);
  return range;
}
