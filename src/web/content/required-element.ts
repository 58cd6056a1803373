// Finds elements that the page always has.

/** The first element of a selector that the page always has. */
export function elementFor<T extends Element = HTMLElement>(root: ParentNode, selector: string): T {
  const found = root.querySelector<T>(selector);
  if (!found) throw new Error(`The page has no element ${selector}.`);
  return found;
}
