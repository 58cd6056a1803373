// Tools are one stop of Tab, which is what sends; from it arrows lead to the others.

/** Makes one button the stop: without any said what sends, and where that is off, the first. */
export function settle(bar: Element, at?: EventTarget | null): void {
  const buttons = [...bar.querySelectorAll("button")];
  const stop =
    buttons.find((button) => button === at) ??
    buttons.find(({ type, disabled }) => type === "submit" && !disabled) ??
    buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

/** Arrows, and to the ends. */
export function walk(event: KeyboardEvent): void {
  const bar = event.currentTarget as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = [...bar.querySelectorAll("button")].filter(
    (button) => !button.disabled && button.checkVisibility(),
  );
  const at = all.findIndex((button) => button === event.target);
  const to = { Home: 0, End: -1, ...stepsIn(bar, at, all.length) }[event.key];
  if (to === undefined) return;
  all.at(to)!.focus();
  event.preventDefault();
  event.stopPropagation();
}

function stepsIn(bar: Element, at: number, count: number): Record<string, number> {
  const [next, before] = bar.matches(":dir(rtl)") ? ["Left", "Right"] : ["Right", "Left"];
  return { [`Arrow${next}`]: (at + 1) % count, [`Arrow${before}`]: at - 1 };
}
