// Layers above the view, such as menus and dialogs, from below to above.
import { signal } from "@preact/signals";
import type { VNode } from "preact";

export interface Layer {
  id: string;
  node: VNode;
  /** The element that had the focus and gets it back. */
  from: Element | null;
  onClose?: () => void;
  /** It replaces a placeholder, and therefore appears without an animation. */
  isWithoutTransition?: boolean;
}

export const layers = signal<readonly Layer[]>([]);

export const isTopWithoutTransition = (): boolean =>
  layers.value.at(-1)?.isWithoutTransition === true;
