// A stretch in a channel's colour, which is set by script, as the page's policy forbids styles.
import type { ComponentChildren } from "preact";

interface Stretch {
  color: string | undefined;
  class?: string;
  children: ComponentChildren;
}

export function Colored({ color, children, ...rest }: Stretch) {
  return (
    <span data-c="" {...rest} ref={(node) => setColor(node, color)}>
      {children}
    </span>
  );
}

/** Sets the channel's color on the element. */
export function setColor(node: HTMLElement | null, color: string | undefined): void {
  if (color !== undefined) node?.style.setProperty("--c", color);
}
