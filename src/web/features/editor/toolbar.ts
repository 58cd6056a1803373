// Makes the toolbar a single Tab stop, at the send button; arrow keys reach the other tools.

import type { TargetedKeyboardEvent } from "preact";
/**
 * Makes one button the Tab stop: by default the send button, or the first one if that is disabled.
 */
export function makeTabStop(bar: Element, target?: EventTarget | null): void {
  const buttons = [...bar.querySelectorAll("button")];
  const stop =
    buttons.find((button) => button === target) ??
    buttons.find(({ type, disabled }) => type === "submit" && !disabled) ??
    buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

/** Moves with arrow keys, Home and End. */
export function moveInToolbar(event: TargetedKeyboardEvent<HTMLElement>): void {
  const bar = event.currentTarget;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = [...bar.querySelectorAll("button")].filter(
    (button) => !button.disabled && button.checkVisibility(),
  );
  const index = all.findIndex((button) => button === event.target);
  const to = { Home: 0, End: -1, ...stepsIn(bar, index, all.length) }[event.key];
  if (to === undefined) return;
  all.at(to)?.focus();
  event.preventDefault();
  event.stopPropagation();
}

function stepsIn(bar: Element, index: number, count: number): Record<string, number> {
  const [next, before] = bar.matches(":dir(rtl)") ? ["Left", "Right"] : ["Right", "Left"];
  return { [`Arrow${next}`]: (index + 1) % count, [`Arrow${before}`]: index - 1 };
}
