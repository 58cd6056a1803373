// Creates DOM nodes for parts that are rendered without a framework.
import type { IconName } from "./icon-names.ts";

declare const SKEIN_ICONS: string;

const SVG = "http://www.w3.org/2000/svg";

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  if (className !== "") node.className = className;
  node.append(...children);
  return node;
}

export function icon(name: IconName, size: 16 | 18 | 20 = 20): SVGSVGElement {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("class", size === 20 ? "i" : `i i-${size}`);
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${SKEIN_ICONS}#i-${name}`);
  drawing.append(use);
  return drawing;
}

/** An icon button; `action` names the click action, which the feed looks up. */
export function iconButton(name: IconName, label: string, action: string): HTMLButtonElement {
  const button = element("button", "icon-btn", icon(name, 18));
  button.type = "button";
  button.dataset["size"] = "s";
  button.dataset["act"] = action;
  button.setAttribute("aria-label", label);
  button.title = label;
  return button;
}

/** Arranges the children in this order, without touching those that are in place already. */
export function setChildren(parent: Element, elements: readonly Element[]): void {
  const remaining = new Set<Element>(elements);
  for (const child of [...parent.children]) if (!remaining.has(child)) child.remove();
  let element = parent.firstElementChild;
  for (const node of elements) {
    if (node === element) element = element.nextElementSibling;
    else parent.insertBefore(node, element);
  }
}
