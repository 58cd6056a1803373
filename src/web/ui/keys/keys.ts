// Names of key presses, and parsing of these names.
import { ownValue } from "../../../text/input/own-value.ts";

/** The parts of a key event that decide which command it runs. */
export interface Press {
  key: string;
  /** The physical position of the key. */
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  getModifierState?(name: "AltGraph"): boolean;
}

/** Ctrl, and the command key on a Mac, are both called Mod. */
const CHARACTER = /^[a-z]$/i;
const CODE = /^(?:Key([A-Z])|Digit([0-9]))$/;
const NAMES: Readonly<Record<string, string>> = { " ": "Space" };

/**
 * `j`; `Shift+U` is `U`; `Mod+K`; `Alt+ArrowUp`. Non-Latin letters, and those that Alt turns into
 * symbols, count as the key at the same position of a Latin keyboard.
 */
export function nameOfPress(press: Press, isMac: boolean): string {
  const { metaKey, shiftKey } = press;
  const isBySign = isSymbolByAlt(press, isMac);
  const [ctrlKey, altKey] = [press.ctrlKey && !isBySign, press.altKey && !isBySign];
  const isMod = isMac ? metaKey : ctrlKey;
  const key = isBySign ? press.key : keyOf(press);
  const modified = [
    ...(isMac && ctrlKey ? ["Ctrl"] : []),
    ...(isMod ? ["Mod"] : []),
    ...(altKey ? ["Alt"] : []),
    // Shift is part of the character that it produces, except with other modifiers or without a
    // character.
    ...(shiftKey && (isMod || altKey || key.length > 1) ? ["Shift"] : []),
  ];
  const isAlone = modified.length === 0;
  const name = CHARACTER.test(key) && !isAlone ? key.toUpperCase() : key;
  return [...modified, name].join("+");
}

/** With AltGr, or Alt on a Mac, many keyboards type symbols. */
function isSymbolByAlt(press: Press, isMac: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey } = press;
  if (!/^[!-/:-@[-`{-~]$/.test(key)) return false;
  const isByAlt = isMac && altKey && !ctrlKey && !metaKey;
  return isByAlt || press.getModifierState?.("AltGraph") === true;
}

function keyOf({ key, code, altKey, shiftKey }: Press): string {
  const isLatin = CHARACTER.test(key) || /^[ -~]$/.test(key) || key.length > 1;
  if (isLatin && !(altKey && key.length === 1)) return ownValue(NAMES, key) ?? key;
  const [, character, digit] = CODE.exec(code) ?? [];
  if (character !== undefined) return shiftKey ? character : character.toLowerCase();
  return digit ?? key;
}
