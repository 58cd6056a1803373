// Positions of elements on the screen, for placing layers beside them.

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

/** The position of a pointer event. */
export function boxAt({ clientX, clientY }: MouseEvent): Box {
  return { left: clientX, top: clientY, right: clientX, bottom: clientY };
}
