/** Typed access to the elements of events and the document. */

/** The element where an event happened. */
export const elementOf = (target: EventTarget | null | undefined): Element | undefined =>
  target instanceof Element ? target : undefined;

/** The closest element that matches the selector, from where the event happened. */
export const closestTo = (
  target: EventTarget | null | undefined,
  selector: string,
): HTMLElement | null | undefined => elementOf(target)?.closest<HTMLElement>(selector);

/** The name of an error of the browser; such errors differ only in their names. */
export const nameOfError = (error: unknown) => error instanceof Error && error.name;
