// The names of keys as on the user's keyboard: `Ctrl K`, `Strg K`, `⌘ K`, `↑`.
import { ownValue } from "../../../text/input/own-value.ts";
import { isMac } from "./commands.ts";
import { t, type TextKey } from "../../words/words.ts";

/** Keys whose names are words in the user's language. */
const WORDS: Readonly<Record<string, TextKey>> = {
  Ctrl: "key-ctrl",
  Shift: "key-shift",
  Enter: "key-enter",
  Space: "key-space",
  Esc: "key-escape",
  Tab: "key-tab",
  PageUp: "key-page-up",
  PageDown: "key-page-down",
  Home: "key-home",
  End: "key-end",
};

/** `Ctrl K` for a name such as `Mod+K`. */
export const keyName = (name: string): string =>
  keyLabels(name, isMac())
    .map((keyName) => {
      const word = ownValue(WORDS, keyName);
      return word === undefined ? keyName : t(word);
    })
    .join(" ");

/** The display name of a shortcut; for a sequence, those of all its keys. */
export function keyLabels(name: string, onMac: boolean): string[] {
  const signs: Readonly<Record<string, string>> = {
    Mod: onMac ? "⌘" : "Ctrl",
    Alt: onMac ? "⌥" : "Alt",
    Shift: onMac ? "⇧" : "Shift",
    ArrowUp: "↑",
    ArrowDown: "↓",
    ArrowLeft: "←",
    ArrowRight: "→",
    Escape: "Esc",
  };
  return name.split(" ").flatMap((press) => {
    const keyNames = press.split(/\+(?=.)/);
    const isCapital = keyNames.length === 1 && /^\p{Lu}$/u.test(press);
    return (isCapital ? ["Shift", press] : keyNames).map((keyName) => signs[keyName] ?? keyName);
  });
}
