// Cards of people: by a click, by a key, and by resting on a name.
import { offer } from "../../commands.ts";
import { onAct } from "../../feed/acts.ts";
import { closeLayer, isLayered } from "../../ui/layers.ts";
import { boxOf } from "../../ui/box.ts";
import { isInFeed, selectedMessage, selectedRow } from "../conversation/current.ts";

const HOVER_MS = 350;
/** From the name to its card one may pass over other things. */
const LEAVE_MS = 250;

let timer: ReturnType<typeof setTimeout> | undefined;
let isByHover = false;

async function open(node: Element, user_id: number, isByKeys: boolean): Promise<void> {
  clearTimeout(timer);
  const { openCard } = await import("./card.tsx");
  isByHover = !isByKeys;
  if (node.isConnected) openCard(boxOf(node), user_id, isByKeys);
}

onAct("card", ({ node, on }) => void open(node, Number(on), true));

offer({
  id: "author-card",
  words: "author-card",
  keys: ["u"],
  when: () => isInFeed() && selectedMessage() !== undefined,
  run: () => {
    const row = selectedRow()!;
    void open(row.querySelector(".msg-name") ?? row, selectedMessage()!.sender_id, true);
  },
});

document.addEventListener(
  "pointerover",
  ({ target, pointerType }) => {
    // Behind a finger browsers move a mouse that is not there.
    if (pointerType !== "mouse" || !matchMedia("(hover: hover)").matches) return;
    const node = (target as Element).closest<HTMLElement>('[data-act="card"]');
    const isInCard = (target as Element).closest(".people-card") !== null;
    clearTimeout(timer);
    if (isInCard) return;
    if (isByHover) timer = setTimeout(leave, LEAVE_MS);
    if (!node || isLayered()) return;
    timer = setTimeout(() => void open(node, Number(node.dataset["on"]), false), HOVER_MS);
  },
  { passive: true },
);

function leave(): void {
  if (isByHover) closeLayer("card");
  isByHover = false;
}
