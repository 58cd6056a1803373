// Opens user cards by click, by key, and when hovering over a name.
import { registerCommands } from "../../ui/keys/commands.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { closeLayer, isLayered } from "../../ui/layers.ts";
import { closestTo } from "../../content/elements.ts";
import { openCard } from "./open-card.tsx";
import { isInFeed, selectedMessage, selectedRow } from "../conversation/selection-state.ts";

const HOVER_MS = 350;
/** Time for the pointer to move from the name to the card. */
const LEAVE_MS = 250;

let timer: ReturnType<typeof setTimeout> | undefined;
let isByHover = false;

function open(node: Element, user_id: number, isByKeys: boolean): void {
  clearTimeout(timer);
  isByHover = !isByKeys;
  if (node.isConnected) void openCard(node, user_id, isByKeys);
}

onRowAction("card", ({ node, on }) => open(node, Number(on), true));

registerCommands({
  id: "author-card",
  textKey: "author-card",
  keys: ["u"],
  when: () => isInFeed() && selectedMessage() !== undefined,
  run: () => {
    const [row, message] = [selectedRow(), selectedMessage()];
    if (!row || !message) return;
    open(row.querySelector(".msg-name") ?? row, message.sender_id, true);
  },
});

document.addEventListener(
  "pointerover",
  ({ target, pointerType }) => {
    // Browsers simulate mouse events after touches.
    if (pointerType !== "mouse" || !matchMedia("(hover: hover)").matches) return;
    const node = closestTo(target, '[data-act="card"]');
    const isInCard = Boolean(closestTo(target, ".people-card"));
    clearTimeout(timer);
    if (isInCard) return;
    if (isByHover) timer = setTimeout(closeHoverCard, LEAVE_MS);
    if (!node || isLayered()) return;
    timer = setTimeout(() => open(node, Number(node.dataset["on"]), false), HOVER_MS);
  },
  { passive: true },
);

function closeHoverCard(): void {
  if (isByHover) closeLayer("card");
  isByHover = false;
}
