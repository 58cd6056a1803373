// State that is stored with the current entry of the browser's history.
import { signal } from "@preact/signals";
import type { SavedPosition } from "../feed/anchor.ts";

/** State that is stored with a history entry. */
interface HistoryEntry {
  left?: SavedPosition;
  /** In a list: the selected row, and the scroll position. */
  row?: string;
  /** Neighboring rows, nearest first: one of them is selected if the row was removed. */
  near?: readonly string[];
  top?: number;
  /** The number of history entries between this page and the view below it. */
  over?: number;
  /**
   * The number of history entries between this dialog, if it has a URL, and the view or page below
   * it.
   */
  above?: number;
  /** The number of entries of layers between this entry and the entry of the previous view. */
  under?: number;
  layer?: LayerEntry;
}

/** For entries of layers above a view, and for the entry of that view. */
export interface LayerEntry {
  /** Time of the first layer's entry. Identifies the entry of the view. */
  of: number;
  /** The number of open layers above the view; 0 at its own entry. */
  depth: number;
}

/** Only this client writes the state of its entries. */
export const currentEntry = (): HistoryEntry => history.state ?? {};

/** State of the current history entry. */
export const remembered = signal(currentEntry());

/** Last positions of views that were left from the entry of a layer, until they return. */
const leftFrom = new Map<number, HistoryEntry>();

/** Must be called after the browser has moved to another entry. */
export function readEntry(): void {
  const { layer } = currentEntry();
  const entry = layer && leftFrom.get(layer.of);
  if (entry) {
    leftFrom.delete(layer.of);
    updateEntry(entry);
  }
  remembered.value = currentEntry();
}

/** The number of open layers that need a history entry. */
export const openLayers = signal(0);

/**
 * Enters another view. It replaces the entry of a layer: if Back had to skip that, the browser
 * would drop another Back that is pressed meanwhile. A dialog leaves layers below it open, and
 * Back returns to their entries.
 */
export function enterView(address: string, isDialog = false): void {
  const { layer, ...position } = currentEntry();
  if (!layer || layer.depth === 0) return enter("pushState", {}, address);
  const { of, depth } = layer;
  if (isDialog && depth <= openLayers.peek()) {
    return enter("pushState", { under: depth }, address);
  }
  leftFrom.set(of, position);
  enter("replaceState", { under: depth - 1 }, address);
}

/**
 * Creates a history entry, or changes the current one. Safari allows a hundred calls in ten
 * seconds, which a held key exceeds; then only the URL changes, without state.
 */
export function enter(method: "pushState" | "replaceState", state: object, address?: string): void {
  try {
    history[method](state, "", address);
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error;
    if (address === undefined) return;
    const fragment = address.startsWith("#") ? address : "#";
    if (method === "pushState") location.hash = fragment;
    else location.replace(fragment);
  }
}

/** Stores the position with the current entry, so that going back restores it. */
export function updateEntry(more: HistoryEntry): void {
  enter("replaceState", { ...currentEntry(), ...more });
}
