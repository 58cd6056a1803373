// Normalizes HTML that other programs put on the clipboard.
import { firstOf, lastOf } from "./item-at.ts";

type Root = DocumentFragment;

/** Changes the fragment in place, and returns it. */
export function normalizePasted(root: Root): Root {
  for (const node of all(root, "sup.reference, .mw-editsection")) node.remove();
  for (const node of all(root, ".c-mrkdwn__br")) node.replaceWith(br(), br());
  for (const node of all(root, FORMULAS)) if (root.contains(node)) uniformFormula(node);
  for (const node of all(root, "[hidden], [data-look]")) if (isHidden(node)) node.remove();
  for (const node of all(root, "img")) uniformPicture(node);
  for (const node of all(root, ".emoji:not(img)")) node.replaceWith(node.textContent ?? "");
  for (const node of all(root, ".mention"))
    if (!isOwnMention(node)) node.classList.remove("mention");
  uniformWordLists(root);
  return root;
}

const all = (root: ParentNode, selector: string) => [...root.querySelectorAll(selector)];
const br = () => document.createElement("br");

/** Complete formulas before the parts that they contain. */
const FORMULAS = [
  ...[".katex-display", ".katex", ".mwe-math-element", ".MathJax", "math"],
  ...["img.mwe-math-fallback-image-inline", "img.mwe-math-fallback-image-display"],
].join(", ");
const DISPLAY_MATH = [
  ...[".katex-display", "math[display=block]", ".mwe-math-element-block"],
  ".mwe-math-fallback-image-display",
].join(", ");

/** Formulas appear two or three times: as MathML, as boxes or as an image. */
function uniformFormula(node: Element): void {
  const tex = texIn(node);
  if (tex === "") {
    // Keeps only the MathML.
    const math = node.localName === "math" ? node : node.querySelector("math");
    if (math) node.replaceWith((math.textContent ?? "").replace(/\s+/g, " ").trim());
    return;
  }
  if (node.matches(DISPLAY_MATH) || node.querySelector(DISPLAY_MATH)) {
    const block = document.createElement("pre");
    block.className = "language-math";
    block.textContent = tex;
    return node.replaceWith(block);
  }
  const math = document.createElement("math");
  math.setAttribute("aria-label", tex);
  math.className = "tex";
  node.replaceWith(math);
}

function texIn(node: Element): string {
  if (node.matches("math.tex")) return node.getAttribute("aria-label") ?? "";
  const math = node.localName === "math" ? node : node.querySelector("math");
  const picture = node.localName === "img" ? node : node.querySelector("img");
  const sender = [
    math?.querySelector("annotation")?.textContent,
    math?.getAttribute("aria-label"),
    math?.getAttribute("alttext"),
    picture?.getAttribute("alt"),
  ].find((item) => item && item.trim() !== "");
  const tex = (sender ?? "").trim();
  // Wikipedia wraps each formula like this.
  return /^\{\\(?:display|text)style\s([^]*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

/** Slack adds the skin tone as a second name, which emoji do not have here. */
const EMOJI_NAME = /^(:[\w+-]{1,60}:)(?::skin-tone-\d:)?$/;
const GLYPHS = new RegExp(
  String.raw`^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]|` +
    String.raw`[#*0-9]\ufe0f?\u20e3|[\u{e0020}-\u{e007f}])+$`,
  "u",
);
const DISPLAY_NONE = /(?:^|;)\s*display:\s*none\b/i;
const TRANSPARENT = /(?:^|;)\s*(?:visibility:\s*hidden|opacity:\s*0(?:\.0*)?\s*(?:[;!]|$))/i;
const PICTURE_FILE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;
/** Images this thin are tracking pixels or spacers. */
const VISIBLE_PIXELS_MIN = 4;

const isHidden = (node: Element): boolean =>
  node.hasAttribute("hidden") || DISPLAY_NONE.test(node.getAttribute("data-look") ?? "");

function uniformPicture(node: Element): void {
  const alt = node.getAttribute("alt")?.trim();
  const emoji = emojiOf(node);
  if (emoji !== undefined) node.replaceWith(emoji);
  else if (isUnseen(node, alt)) node.remove();
}

/** The emoji that an image shows, by its description or its title. */
function emojiOf(node: Element): string | undefined {
  for (const attribute of ["alt", "aria-label", "title"]) {
    const text = node.getAttribute(attribute)?.trim() ?? "";
    const name = EMOJI_NAME.exec(text)?.[1] ?? (GLYPHS.test(text) ? text : undefined);
    if (name !== undefined) return name;
  }
  return undefined;
}

function isUnseen(node: Element, alt: string | undefined): boolean {
  const look = node.getAttribute("data-look") ?? "";
  const sides = ["width", "height"].map((dimension) => {
    const declared = `(?:^|;)\\s*(?:max-)?${dimension}:\\s*([\\d.]+)(?:px)?\\s*(?:[;!]|$)`;
    const styled = new RegExp(declared, "i").exec(look)?.[1];
    return Number.parseFloat(styled ?? node.getAttribute(dimension) ?? "Infinity");
  });
  if (TRANSPARENT.test(look) || sides.some((pixels) => pixels < VISIBLE_PIXELS_MIN)) return true;
  // Images without a name and with an empty description are decoration.
  return alt === "" && !PICTURE_FILE.test(node.getAttribute("src") ?? "");
}

/** Links to users of other networks have the same form. */
const isOwnMention = (node: Element) =>
  node.localName === "span" && /^\d+$/.test(node.getAttribute("data-on") ?? "");

interface WordItem {
  readonly node: Element;
  readonly level: number;
  readonly isOrdered: boolean;
}

const WORD_LIST = /mso-list:\s*l\d+\s+level(\d)/;
const WORD_MARKER = /^\s*(?:[·•o§▪●○■–-]|\(?(?:\d{1,3}|[a-z]|[ivxlc]{2,5})[.)])[\s\u00a0]+/i;
/** The marker of a numbered item; other markers that Word sets apart are bullets of any font. */
const WORD_NUMBER = /^\s*\(?(?:\d{1,3}\.)*(?:\d{1,3}|[a-z]|[ivxlc]{2,5})[.)]\s*$/i;
const LEVELS_MAX = 9;

/** Word writes lists as paragraphs whose text begins with the marker. */
function uniformWordLists(root: Root): void {
  let last: { end: Element; lists: Element[] } | undefined;
  for (const node of all(root, "p[class*=MsoList], p[data-look*=mso-list]")) {
    const item = wordItem(node);
    if (!item) continue;
    const before = last?.end === node.previousElementSibling ? last?.lists : undefined;
    const lists: Element[] = before ?? [];
    lists.splice(item.level);
    while (lists.length < item.level) {
      const list = document.createElement(item.isOrdered ? "ol" : "ul");
      const parent = lists.at(-1);
      if (parent) parent.append(list);
      else node.before(list);
      lists.push(list);
    }
    const li = document.createElement("li");
    li.append(...node.childNodes);
    lastOf(lists).append(li);
    node.remove();
    last = { end: firstOf(lists), lists };
  }
}

/** Removes its marker. */
function wordItem(node: Element): WordItem | undefined {
  const level = Number(WORD_LIST.exec(node.getAttribute("data-look") ?? "")?.[1] ?? 1);
  const ignored = all(node, "[data-look*=mso-list]").find((item) =>
    /mso-list:\s*ignore/i.test(item.getAttribute("data-look") ?? ""),
  );
  const marker = ignored
    ? (ignored.textContent ?? "")
    : WORD_MARKER.exec(node.textContent ?? "")?.[0];
  if (!marker?.trim()) return undefined;
  if (ignored) ignored.remove();
  else truncateText(node, marker.length);
  const isOrdered = WORD_NUMBER.test(marker);
  return { node, level: Math.min(Math.max(level, 1), LEVELS_MAX), isOrdered };
}

function truncateText(node: Node, length: number): void {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let remaining = length; remaining > 0;) {
    const text = walker.nextNode();
    if (!(text instanceof Text)) return;
    const count = Math.min(remaining, text.data.length);
    text.deleteData(0, count);
    remaining -= count;
  }
}
