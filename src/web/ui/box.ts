// Where a part of the page stands on the screen, so that others can stand beside it.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boxOf(node: Element): Box {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return { left, top, right, bottom };
}

/** Where a pointer or a finger was. */
export function boxAt({ clientX, clientY }: MouseEvent): Box {
  return { left: clientX, top: clientY, right: clientX, bottom: clientY };
}
