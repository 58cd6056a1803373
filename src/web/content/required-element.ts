// Finds elements that the page always has.

/** The first element of a selector that the page always has. */
export function elementFor<T extends Element = HTMLElement>(root: ParentNode, selector: string): T {
  const element = root.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no element ${selector}.`);
  return element;
}
