// A surface beside an element; a click elsewhere closes it.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { closeLayer } from "./layers.ts";
import { elementOf } from "../content/elements.ts";
import { type Box } from "./anchor-box.ts";
import { positionBeside } from "./measure.ts";

interface PopoverProps {
  /** The id of its layer. */
  id: string;
  anchor: Box;
  label: string;
  role?: "menu" | "dialog" | "listbox";
  class?: string;
  /** Takes the focus, so that keys do not reach the view behind. */
  isFocused?: boolean;
  children: ComponentChildren;
}

export function Popover({ id, anchor, label, role = "dialog", children, ...rest }: PopoverProps) {
  const node = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (rest.isFocused) node.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    const { current } = node;
    if (!current) return undefined;
    positionBeside(current, anchor);
    // Content that loads later, such as a picture, changes its size.
    const watch = new ResizeObserver(() => positionBeside(current, anchor));
    watch.observe(current);
    return () => watch.disconnect();
  }, [anchor]);
  useEffect(() => {
    const closeOnOutsidePress = (event: PointerEvent) => {
      if (node.current?.contains(elementOf(event.target) ?? null)) return;
      // Clicking the button of an open menu closes the menu.
      onOutsidePress(event, role === "menu" && isWithin(anchor, event));
      closeLayer(id);
    };
    addEventListener("pointerdown", closeOnOutsidePress, true);
    return () => removeEventListener("pointerdown", closeOnOutsidePress, true);
  }, [id, anchor]);
  // A layout effect, since the element may be gone after going back.
  useLayoutEffect(() => {
    const closeOnBack = () => closeLayer(id);
    addEventListener("popstate", closeOnBack);
    return () => removeEventListener("popstate", closeOnBack);
  }, [id]);
  return (
    <div class={`pop ${rest.class ?? ""}`} role={role} aria-label={label} ref={node} tabIndex={-1}>
      {children}
    </div>
  );
}

const isWithin = ({ left, right, top, bottom }: Box, { clientX, clientY }: PointerEvent) =>
  clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;

/** The click after a touch would hit whatever is below the closed layer by then. */
export function onOutsidePress({ pointerType }: PointerEvent, isOwn = false): void {
  if (pointerType === "mouse" && !isOwn) return;
  const abortController = new AbortController();
  const stopEvent = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    abortController.abort();
  };
  const options = { capture: true, signal: abortController.signal };
  addEventListener("click", stopEvent, options);
  // There was no click. The next press is independent.
  addEventListener("pointerdown", () => abortController.abort(), options);
  addEventListener("keydown", () => abortController.abort(), options);
}
