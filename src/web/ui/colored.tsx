// An element in a channel's color, set by script because of the page's policy.
import type { ComponentChildren } from "preact";

interface ColoredProps {
  color: string | undefined;
  class?: string;
  children: ComponentChildren;
}

export function Colored({ color, children, ...rest }: ColoredProps) {
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
