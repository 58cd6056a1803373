// Keys by their WebDriver names, each of which maps to a code point.

const CODES: Record<string, string> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
  F6: "\uE036",
  Meta: "\uE03D",
};

interface KeyStroke {
  readonly type: "keyDown" | "keyUp";
  readonly value: string;
}

/** The keys of a chord are released in reverse order. */
export function strokesOf(keys: string): KeyStroke[] {
  const combination = keys.length > 1 ? keys.split("+") : [keys];
  const values = combination.map((key) => CODES[key] ?? key);
  const down = values.map((value) => ({ type: "keyDown", value }) as const);
  return [...down, ...values.toReversed().map((value) => ({ type: "keyUp", value }) as const)];
}
