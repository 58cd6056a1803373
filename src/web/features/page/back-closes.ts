// The browser's Back closes layers above the view first, one at a time.
import { effect } from "@preact/signals";
import { view } from "../../store/address.ts";
import { enter } from "../../ui/history-entry.ts";
import { closeTopLayer, over } from "../../ui/layers.ts";
import { type Layer, layers } from "../../ui/layer-state.ts";
import { isOver } from "../people/panel-state.ts";
import { closeDrawer, isDrawerOpen } from "../sidebar/drawer-state.ts";
import { searching } from "../search/open-state.ts";

/** State of a history entry that was made for a layer. */
interface LayerEntry {
  /** Time of the first entry above the view's own. Identifies the view. */
  of: number;
  /** The number of open layers above the view; 0 at its own entry. */
  depth: number;
}

const markHere = (): LayerEntry | undefined => history.state?.layer;
const hasFingers = () => matchMedia("(pointer: coarse)").matches;
/** A dialog with its own URL has a history entry already. */
function hasEntry({ id }: Layer): boolean {
  const shown = view.peek();
  return shown.kind === "page" && (shown.page === "user" ? "profile" : shown.page) === id;
}
const countOpen = () =>
  layers.value.filter((one) => !hasEntry(one)).length +
  over.value.length +
  Number(isDrawerOpen.value) +
  Number(isOver.value) +
  Number(searching.value !== undefined);

let last = markHere();
let wasOpen = 0;
/** The client itself is navigating, past entries of layers that are closed. */
let isPassing = false;

// Runs after the view has changed, so that the left entry is known.
effect(() => {
  void view.value;
  setTimeout(() => (last = markHere()));
});

effect(() => {
  const open = countOpen();
  if (open > wasOpen && hasFingers()) mark(open);
  wasOpen = open;
});

/** Entries of closed layers are reused. */
function mark(open: number): void {
  const { of, depth } = markHere() ?? { of: Date.now(), depth: 0 };
  const stateAt = (at: number) => ({ ...history.state, layer: { of, depth: at } });
  if (depth === 0) enter("replaceState", stateAt(0));
  for (let at = depth + 1; at <= open; at += 1) enter("pushState", stateAt(at));
  last = markHere();
}

addEventListener("popstate", () => {
  const [before, here] = [last, markHere()];
  last = here;
  const isSame = here !== undefined && here.of === before?.of;
  if (isPassing) isPassing = false;
  else if (isSame && here.depth < before.depth) goBack(here.depth);
  else if (isSame) history.forward();
  // The entry belonged to layers above the view that are all closed now.
  else if (here !== undefined && here.depth > 0) pass(here.depth);
});

function goBack(depth: number): void {
  if (countOpen() <= depth) return history.back();
  while (countOpen() > depth) closeTop();
}

function pass(by: number): void {
  isPassing = true;
  history.go(-by);
}

function closeTop(): void {
  if (closeTopLayer()) return;
  if (isDrawerOpen.peek()) closeDrawer();
  else if (searching.peek()) searching.value = undefined;
  else if (isOver.peek()) isOver.value = false;
  else {
    const all = over.peek();
    // A layer signals its end only after it is unmounted.
    over.value = all.slice(0, -1);
    all.at(-1)?.();
  }
}
