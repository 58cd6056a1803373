// Opens and closes layers above the view, of which the top one closes first, and other open parts.
import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { useIsRemoved } from "./loading/is-removed.ts";
import { layers } from "./layer-state.ts";

/** Opens a layer; replaces one with the same id. */
export function openLayer(id: string, node: VNode, onClose?: () => void): void {
  const before = layers.peek().find((layer) => layer.id === id);
  const from = before?.from ?? document.activeElement;
  const isWithoutTransition = before?.isWithoutTransition === true;
  const others = layers.peek().filter((layer) => layer.id !== id);
  layers.value = [...others, { id, node, from, isWithoutTransition, ...(onClose && { onClose }) }];
}

/** Layers that are about to open, by id. */
const scheduled = new Map<string, VNode>();

/**
 * Opens a layer after the current change of the view, with which the layers of the previous view
 * close. Returns false if the layer was closed, or opened again, before it could open.
 */
export async function openLayerSoon(
  id: string,
  node: VNode,
  onClose?: () => void,
): Promise<boolean> {
  scheduled.set(id, node);
  await Promise.resolve();
  if (scheduled.get(id) !== node) return false;
  scheduled.delete(id);
  openLayer(id, node, onClose);
  return true;
}

/**
 * Returns a function that replaces the placeholder that is open now, unless the user has closed it
 * meanwhile, perhaps to open the same layer for something else.
 */
export function replacerOf(id: string): (node: VNode) => void {
  const placeholder = layers.peek().find((layer) => layer.id === id)?.node;
  return (node) => {
    if (layers.peek().some((layer) => layer.node === placeholder)) openLayer(id, node);
  };
}

/** Closes a layer and all above it; the focus returns to its previous element. */
export function closeLayer(id: string): void {
  scheduled.delete(id);
  const all = layers.peek();
  const index = all.findIndex((layer) => layer.id === id);
  if (index === -1) return;
  layers.value = all.slice(0, index);
  for (const { onClose } of all.slice(index).reverse()) onClose?.();
  const { from } = all[index]!;
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
}

/** Returns a function that closes the layer of the component, but no later one with its id. */
export function useCloseLayer(id: string): () => void {
  const isRemoved = useIsRemoved();
  return () => {
    if (!isRemoved.current) closeLayer(id);
  };
}

/** Returns whether there was one. */
export function closeTopLayer(): boolean {
  const top = layers.peek().at(-1);
  if (top) closeLayer(top.id);
  return top !== undefined;
}

export const isLayered = (): boolean => layers.value.length > 0;

/**
 * Functions with which Back closes parts that are not layers, such as an editor's suggestions. The
 * last one closes first.
 */
export const backHandlers = signal<readonly (() => unknown)[]>([]);

/** While the component is rendered. */
export function useBackHandler(close: () => unknown): void {
  useEffect(() => {
    backHandlers.value = [...backHandlers.peek(), close];
    return () => (backHandlers.value = backHandlers.peek().filter((item) => item !== close));
  }, []);
}
