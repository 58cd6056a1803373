// Layers above the view, such as menus and dialogs, of which the top one closes first.
import { signal } from "@preact/signals";
import type { VNode } from "preact";

export interface Layer {
  id: string;
  node: VNode;
  /** The element that had the focus and gets it back. */
  from: Element | null;
  onClose?: () => void;
}

/** From below to above. */
export const layers = signal<readonly Layer[]>([]);

/** Opens a layer; one with the same id is replaced. */
export function openLayer(id: string, node: VNode, onClose?: () => void): void {
  const from = layers.peek().find((layer) => layer.id === id)?.from ?? document.activeElement;
  const others = layers.peek().filter((layer) => layer.id !== id);
  layers.value = [...others, { id, node, from, ...(onClose && { onClose }) }];
}

/** Closes a layer and all above it; the focus goes back to where it was. */
export function closeLayer(id: string): void {
  const all = layers.peek();
  const at = all.findIndex((layer) => layer.id === id);
  if (at === -1) return;
  layers.value = all.slice(0, at);
  for (const { onClose } of all.slice(at).reverse()) onClose?.();
  const { from } = all[at]!;
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
}

/** Says whether there was one. */
export function closeTopLayer(): boolean {
  const top = layers.peek().at(-1);
  if (top) closeLayer(top.id);
  return top !== undefined;
}

export const isLayered = (): boolean => layers.value.length > 0;
