// The browser's Back closes layers above the view first, one at a time.
import { effect } from "@preact/signals";
import { follow, view } from "../../store/address.ts";
import { currentEntry, enter, type LayerEntry, openLayers } from "../../ui/history-entry.ts";
import { closeTopLayer, backHandlers } from "../../ui/layers.ts";
import { type Layer, layers } from "../../ui/layer-state.ts";
import { hasTouchScreen } from "../../touch-screen.ts";
import { isDialog } from "../../views.ts";
import { isOver } from "../people/panel-state.ts";
import { closeDrawer, isDrawerOpen } from "../sidebar/drawer-state.ts";
import { searching } from "../search/open-state.ts";

const layerEntryHere = (): LayerEntry | undefined => currentEntry().layer;
/** A dialog with its own URL has a history entry already. */
function hasEntry({ id }: Layer): boolean {
  const currentView = view.peek();
  return (
    currentView.kind === "page" &&
    (currentView.page === "user" ? "profile" : currentView.page) === id
  );
}
/** Layers below a dialog with its own URL have entries before the dialog's. */
function countOpen(): number {
  const all =
    layers.value.length +
    backHandlers.value.length +
    Number(isDrawerOpen.value) +
    Number(isOver.value) +
    Number(searching.value !== undefined);
  if (!isDialog(view.peek())) return all;
  const index = layers.value.findIndex(hasEntry);
  // The dialog is not open yet, or is closing.
  return index === -1 ? 0 : layers.value.length - index - 1;
}

effect(() => {
  void view.value;
  openLayers.value = countOpen();
});

let last = layerEntryHere();
let wasOpen = 0;
/** Whether the client itself navigates past entries of closed layers. */
let isPassing = false;
/** Identifies the view of the open layers that have entries. */
let openAbove: number | undefined;

// Runs after the view has changed, so that the left entry is known.
effect(() => {
  void view.value;
  setTimeout(() => (last = layerEntryHere()));
});

effect(() => {
  const open = countOpen();
  if (open > wasOpen && hasTouchScreen()) mark(open);
  wasOpen = open;
});

/** Adds history entries for open layers. Entries that remain from closed layers are used again. */
function mark(open: number): void {
  const { of, depth } = layerEntryHere() ?? { of: Date.now(), depth: 0 };
  openAbove = of;
  // The entry may be the target of Back, so it is compared with the entry before.
  if (depth >= open) return;
  const stateAt = (entryDepth: number) => ({ ...history.state, layer: { of, depth: entryDepth } });
  if (depth === 0) enter("replaceState", stateAt(0));
  for (let entryDepth = depth + 1; entryDepth <= open; entryDepth += 1)
    enter("pushState", stateAt(entryDepth));
  last = layerEntryHere();
}

addEventListener("popstate", () => {
  const [before, currentEntry] = [last, layerEntryHere()];
  last = currentEntry;
  const isSame = currentEntry !== undefined && currentEntry.of === before?.of;
  if (isPassing) isPassing = false;
  else if (isSame && currentEntry.depth < before.depth) goBack(currentEntry.depth);
  else if (isSame) history.forward();
  else if (currentEntry !== undefined) returnTo(currentEntry);
});

/** A link in a layer replaces the entry of the layer, like any other navigation to a view. */
addEventListener("click", (event: MouseEvent) => {
  if (event.defaultPrevented || !layerEntryHere()?.depth) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a");
  if (!link || link.target === "_blank" || !link.getAttribute("href")?.startsWith("#")) return;
  if (link.hash === location.hash) return;
  event.preventDefault();
  follow(link.hash);
});

function goBack(depth: number): void {
  if (countOpen() <= depth) return history.back();
  while (countOpen() > depth) closeTop();
}

/**
 * Called after going back to the entry of a layer, from another view or from a dialog with its own
 * URL. The layer may be closed by now.
 */
function returnTo({ of, depth }: LayerEntry): void {
  const open = of === openAbove ? countOpen() : 0;
  if (depth > open) goBackBy(depth - open);
}

function goBackBy(steps: number): void {
  isPassing = true;
  history.go(-steps);
}

function closeTop(): void {
  if (closeTopLayer()) return;
  if (isDrawerOpen.peek()) closeDrawer();
  else if (searching.peek()) searching.value = undefined;
  else if (isOver.peek()) isOver.value = false;
  else {
    const all = backHandlers.peek();
    // A layer signals its end only after it is unmounted.
    backHandlers.value = all.slice(0, -1);
    all.at(-1)?.();
  }
}
