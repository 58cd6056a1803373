// Measures the caret's position in a text area, and the height of its text.

const COPIED_STYLES = [
  "font",
  "letterSpacing",
  "lineHeight",
  "paddingInlineStart",
  "paddingInlineEnd",
  "wordSpacing",
  "tabSize",
  "direction",
] as const;

/** The caret's distance from the start edge in pixels, measured with a hidden copy of the text. */
export function caretOffset(node: HTMLTextAreaElement, index: number): number {
  const mirror = document.createElement("div");
  const style = getComputedStyle(node);
  for (const name of COPIED_STYLES) mirror.style[name] = style[name];
  mirror.className = "compose-mirror";
  mirror.style.setProperty("inline-size", `${node.clientWidth}px`);
  const marker = document.createElement("span");
  marker.textContent = "\u200b";
  // Only the caret's own line determines its position.
  const from = node.value.lastIndexOf("\n", index - 1) + 1;
  mirror.append(node.value.slice(from, index), marker);
  document.body.append(mirror);
  const { offsetLeft } = marker;
  const { clientWidth } = mirror;
  mirror.remove();
  return style.direction === "rtl" ? clientWidth - offsetLeft : offsetLeft;
}

/** Positions a list at the caret, within the box that contains both. */
export function positionAt(list: HTMLElement, box: HTMLElement, offset: number): void {
  const space = box.clientWidth - list.offsetWidth;
  list.style.setProperty("inset-inline-start", `${Math.max(0, Math.min(offset, space))}px`);
}

/** For browsers that cannot grow a text area with its text. */
export function growToText(node: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  node.style.setProperty("block-size", "auto");
  node.style.setProperty("block-size", `${node.scrollHeight}px`);
}
