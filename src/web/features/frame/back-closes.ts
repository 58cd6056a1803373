// The browser's Back closes layers above the view first, one at a time.
import { effect } from "@preact/signals";
import { enter, view } from "../../address.ts";
import { closeTopLayer, type Layer, layers } from "../../ui/layers.ts";
import { over } from "../../ui/over.ts";
import { isOver } from "../people/panel-open.ts";
import { closeDrawer, isDrawerOpen } from "../rail/drawer.ts";
import { searching } from "../search/open.ts";

/** State of a history entry that was made for a layer. */
interface Mark {
  /** Time of the first entry above the view's own. Identifies the view. */
  of: number;
  /** How many things lay over the view; none at its own entry. */
  depth: number;
}

const markHere = () => (history.state as { layer?: Mark } | null)?.layer;
const hasFingers = () => matchMedia("(pointer: coarse)").matches;
/** A dialog that is shown by its own address has an entry already. */
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
/** We go on ourselves, past what was made for things that are closed by now. */
let isPassing = false;

// The view hears of another entry first: by then it is known which one was left.
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
  // From what was done above it, of which nothing is open any more.
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
