// Bulleted and numbered lists, nested by indenting two spaces.
import { element, flow, isElement, type Place } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

interface Kind {
  tag: "ol" | "ul";
  first: RegExp;
}

export const numbered: Kind = { tag: "ol", first: /^ ?([0-9]+)\. +/ };
export const bulleted: Kind = { tag: "ul", first: /^ ?([*+-]) +/ };

type ParseBlock = (container: Place, lines: readonly string[]) => void;

/** A line that starts with a marker. */
export function readList(
  { parent, depth }: Place,
  lines: readonly string[],
  kind: Kind,
  parse: ParseBlock,
) {
  const items = itemsOf(lines, kind);
  const sibling = parent.children.at(-1);
  let list: Element;
  if (isElement(sibling) && sibling.tag === kind.tag) {
    list = sibling;
    wrapInParagraphs(list.children.at(-1));
    const item = flow("li");
    list.children.push(item);
    parse({ parent: item, mode: "", depth: depth + 1 }, items.shift()!);
  } else if (isList(parent)) {
    list = parent;
  } else {
    list = flow(kind.tag, startOf(lines[0]!, kind));
    parent.children.push(list);
  }

  for (const item of items) {
    const last = list.children.at(-1);
    if (item[0]!.startsWith("  ") && isElement(last)) {
      parse({ parent: last, mode: "tight", depth: depth + 1 }, item);
      continue;
    }
    const listItem = flow("li");
    list.children.push(listItem);
    parse({ parent: listItem, mode: "tight", depth: depth + 1 }, item);
  }
}

function startOf(line: string, kind: Kind): Record<string, string> {
  const number = kind.first.exec(line)![1]!;
  return kind.tag === "ol" && number !== "1" ? { start: number } : {};
}

const INDENTED = /^ {2,3}(?:[0-9]+\.|[*+-]) +/;

/** The lines of each item; indented lines belong to the preceding item. */
function itemsOf(lines: readonly string[], kind: Kind): string[][] {
  const items: string[][] = [];
  for (const line of lines) {
    const match = kind.first.exec(line);
    const last = items.at(-1);
    if (match !== null) items.push([line.slice(match[0].length)]);
    else if (last === undefined) items.push([line]);
    else if (INDENTED.test(line) && !last[0]!.startsWith("  ")) items.push([line]);
    else last.push(line);
  }
  return items;
}

/** Wraps the text of a tight item in a paragraph. */
function wrapInParagraphs(item: Node | undefined) {
  if (!isElement(item)) return;
  item.children = item.children.map((child, i) => {
    if (typeof child !== "string") return child;
    return element("p", {}, [i === 0 ? child : child.trimStart()]);
  });
}

export function continuesList({ parent, mode }: Place): boolean {
  if (mode === "detabbed") return false;
  return parent.tag === "li" || isList(parent.children.at(-1));
}

function isList(node: Node | undefined): node is Element & { tag: "ul" | "ol" } {
  return isElement(node) && (node.tag === "ul" || node.tag === "ol");
}

/** An indented block below a list belongs to the item that its indent selects. */
export function continueList(container: Place, lines: readonly string[], parse: ParseBlock) {
  const { level, item: itemElement } = levelOf(container, lines[0]!);
  const indent = "  ".repeat(level);
  const block = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const appendTo = (parent: Element) =>
    parse({ parent, mode: "detabbed", depth: container.depth + 1 }, block);

  const last = itemElement.children.at(-1);
  if (container.parent.tag === "li") {
    const list = container.parent.children.at(-1);
    appendTo(isList(list) ? list : container.parent);
  } else if (itemElement.tag === "li") {
    appendTo(itemElement);
  } else if (isElement(last) && last.tag === "li") {
    if (typeof last.children[0] === "string")
      last.children[0] = element("p", {}, [last.children[0]]);
    appendTo(last);
  } else {
    const item = flow("li");
    itemElement.children.push(item);
    appendTo(item);
  }
}

function levelOf({ parent, mode }: Place, line: string): { level: number; item: Element } {
  const indent = Math.floor((line.length - line.trimStart().length) / 2);
  let level = mode === "tight" ? 1 : 0;
  let element: Element = parent;
  while (indent > level) {
    const child = element.children.at(-1);
    if (!isElement(child) || (!isList(child) && child.tag !== "li")) break;
    if (isList(child)) level++;
    element = child;
  }
  return { level, item: element };
}
