// Puts channels and folders of the sidebar in order, by keys and by dragging.
import { getState } from "../../store/store.ts";
import { registerCommands } from "../../ui/keys/commands.ts";
import { isLayered } from "../../ui/layers.ts";
import { viewOf } from "../../views.ts";
import { DOWN_KEY, moveBy, UP_KEY } from "./move-actions.ts";
import { type SortPosition, channelPosition, sectionPosition } from "./order-actions.ts";
import { openSectionMenu } from "./section-menu.ts";
import { sidebarSections, sectionName } from "./selectors.ts";

/** A row of a channel or the heading of a section, with its position in the order. */
interface SortableRow {
  node: HTMLElement;
  name: string;
  position: SortPosition;
}

const ROWS = ".sidebar-list > .row-list > li";
const HEADS = ".sidebar-list > .sidebar-head";

/** The section of a heading. The first heading is the one of direct messages. */
function sectionOf(head: Element) {
  const index = [...document.querySelectorAll(HEADS)].indexOf(head);
  return sidebarSections(getState())[index - 1];
}

function channelOf(row: Element): number | undefined {
  const address = row.querySelector(".sidebar-row")?.getAttribute("href") ?? "";
  const currentView = viewOf(address.slice(1));
  if (currentView.kind === "topics") return currentView.stream_id;
  const terms = currentView.kind === "messages" ? currentView.terms : [];
  const operand = terms.find(({ operator }) => operator === "channel")?.operand;
  return operand === undefined ? undefined : Number(operand);
}

/** Returns the item that contains the node. Users cannot reorder topics and direct messages. */
function itemOf(target: EventTarget | null): SortableRow | undefined {
  if (!(target instanceof Element) || target.closest(".sidebar-topics")) return undefined;
  const head = target.closest<HTMLElement>(HEADS);
  const row = target.closest<HTMLElement>(ROWS);
  if (head) {
    const section = sectionOf(head);
    const position = section && sectionPosition(section.key);
    return position && { node: head, name: sectionName(section), position };
  }
  const id = row ? channelOf(row) : undefined;
  const position = id === undefined ? undefined : channelPosition(id);
  const name = id === undefined ? undefined : getState().channels.channels.get(id)?.row.name;
  return row && position && name !== undefined ? { node: row, name, position } : undefined;
}

/** Moving a node in the document takes its focus away. */
function preserveFocus(node: Element | null): void {
  if (!(node instanceof HTMLElement)) return;
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) node.focus();
  });
}

const moveByKeyCommand = (
  id: "sidebar-item-up" | "sidebar-item-down",
  key: string,
  direction: 1 | -1,
) => ({
  id,
  textKey: id,
  keys: [key],
  repeats: true,
  when: () => !isLayered() && itemOf(document.activeElement) !== undefined,
  run: () => {
    const item = itemOf(document.activeElement);
    const { activeElement } = document;
    if (item && moveBy(item.position, direction, item.name)) preserveFocus(activeElement);
  },
});

registerCommands(
  moveByKeyCommand("sidebar-item-up", UP_KEY, -1),
  moveByKeyCommand("sidebar-item-down", DOWN_KEY, 1),
);

let dragged: SortableRow | undefined;
let marked: HTMLElement | undefined;

function mark(node?: HTMLElement, position = ""): void {
  if (marked !== node) marked?.removeAttribute("data-drop");
  marked = node;
  node?.setAttribute("data-drop", position);
}

/** Returns the item under the pointer whose position the dragged one can take. */
function targetOf({ target, clientY }: DragEvent): { node: HTMLElement; to: number } | undefined {
  const hoveredRow = dragged && itemOf(target);
  if (!hoveredRow || hoveredRow.node.parentElement !== dragged?.node.parentElement)
    return undefined;
  if (hoveredRow.node.matches(HEADS) !== dragged.node.matches(HEADS)) return undefined;
  const { top, height } = hoveredRow.node.getBoundingClientRect();
  const isAfter = clientY > top + height / 2;
  const from = dragged.position.at;
  const gap = hoveredRow.position.at + (isAfter ? 1 : 0);
  mark(hoveredRow.node, isAfter ? "after" : "before");
  return { node: hoveredRow.node, to: gap > from ? gap - 1 : gap };
}

/** Links are draggable by default; headings must be made draggable. */
document.addEventListener("pointerover", ({ target }) => {
  const head = target instanceof Element ? target.closest<HTMLElement>(HEADS) : null;
  if (head) head.draggable = itemOf(head) !== undefined;
});

document.addEventListener("dragstart", (event) => {
  dragged = itemOf(event.target);
  dragged?.node.setAttribute("data-dragged", "");
  if (dragged && event.dataTransfer) event.dataTransfer.effectAllowed = "copyMove";
  // Some browsers do not start a drag without data.
  if (dragged?.node.matches(HEADS)) event.dataTransfer?.setData("text/plain", dragged.name);
});

document.addEventListener("dragover", (event) => {
  if (!dragged) return;
  const dropTarget = targetOf(event);
  if (!dropTarget) return mark();
  event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const dropTarget = dragged && targetOf(event);
  if (!dropTarget || !dragged) return;
  event.preventDefault();
  const { position } = dragged;
  if (dropTarget.to !== position.at) position.moveTo(dropTarget.to);
});

document.addEventListener("dragend", () => {
  mark();
  dragged?.node.removeAttribute("data-dragged");
  dragged = undefined;
});

document.addEventListener("contextmenu", (event) => {
  const head = event.target instanceof Element ? event.target.closest(HEADS) : null;
  const section = head && sectionOf(head);
  if (!head || !section) return;
  event.preventDefault();
  openSectionMenu(head, section.key);
});
