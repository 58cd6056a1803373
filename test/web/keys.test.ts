// Names of key presses: the same commands on every keyboard.
import { expect, test } from "bun:test";
import { keyLabels } from "../../src/web/ui/keys/key-names.ts";
import { nameOfPress, type Press } from "../../src/web/ui/keys/keys.ts";

const press = (extra: Partial<Press>): Press => {
  const modifiers = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return { key: "", code: "", ...modifiers, ...extra };
};

test.each([
  ["a letter", { key: "j", code: "KeyJ" }, "j"],
  ["a capital", { key: "U", code: "KeyU", shiftKey: true }, "U"],
  ["a sign that takes shift", { key: "?", code: "Slash", shiftKey: true }, "?"],
  ["with Ctrl", { key: "k", code: "KeyK", ctrlKey: true }, "Mod+K"],
  ["with Ctrl and shift", { key: "L", code: "KeyL", ctrlKey: true, shiftKey: true }, "Mod+Shift+L"],
  ["an arrow with Alt", { key: "ArrowUp", code: "ArrowUp", altKey: true }, "Alt+ArrowUp"],
  ["space with shift", { key: " ", code: "Space", shiftKey: true }, "Shift+Space"],
  ["Cyrillic", { key: "о", code: "KeyJ" }, "j"],
  ["Cyrillic with Ctrl", { key: "л", code: "KeyK", ctrlKey: true }, "Mod+K"],
  ["Greek with shift", { key: "Ξ", code: "KeyJ", shiftKey: true }, "J"],
  ["Alt that makes a sign", { key: "π", code: "KeyP", altKey: true }, "Alt+P"],
  [
    "a sign by AltGr, which is Ctrl with Alt for some",
    { key: "@", code: "KeyQ", ctrlKey: true, altKey: true, getModifierState: () => true },
    "@",
  ],
  ["a letter in another place", { key: "z", code: "KeyY" }, "z"],
] as const)("%s", (_, input, name) => {
  expect(nameOfPress(press(input), false)).toBe(name);
});

test("uses the command key as Mod on a Mac, and Ctrl as itself", () => {
  const input = { key: "k", code: "KeyK" };
  expect(nameOfPress(press({ ...input, metaKey: true }), true)).toBe("Mod+K");
  expect(nameOfPress(press({ ...input, ctrlKey: true }), true)).toBe("Ctrl+K");
  expect(nameOfPress(press({ key: "@", code: "KeyL", altKey: true }), true)).toBe("@");
  expect(nameOfPress(press({ key: "π", code: "KeyP", altKey: true }), true)).toBe("Alt+P");
  expect(keyLabels("Mod+K", true)).toEqual(["⌘", "K"]);
  expect(keyLabels("Mod++", false)).toEqual(["Ctrl", "+"]);
  expect(keyLabels("U", false)).toEqual(["Shift", "U"]);
});
