// Suggestions of emoji for the word before the caret.
import { expect, test } from "bun:test";
import type { EmojiTables } from "../../src/web/render/render.ts";
import { Suggester } from "../../src/web/features/typeahead/suggest.ts";
import type { State } from "../../src/web/store/state.ts";

const state = { organization: { emoji: {} } } as unknown as State;

test("suggests the emoji that the user has used before others with the same letters", () => {
  const emoji = ["wavy", "wave", "water_wave", "waving_white_flag", "smile", "sm"].map((name) => {
    return { name, code: `code of ${name}` };
  });
  const tables = { emoji, glyphOf: () => "", languages: [] } as unknown as EmojiTables;
  const namesFor = (query: string) =>
    new Suggester()
      .suggest({ kind: "emoji", query, start: 0 }, state, undefined, tables)
      .map((suggestion) => "name" in suggestion && suggestion.name);
  expect(namesFor("wav")).toEqual(["wave", "wavy", "waving_white_flag", "water_wave"]);
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  const used = { "code of water_wave": 3, "code of smile": 9 };
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    value: { getItem: () => JSON.stringify(used) },
  });
  try {
    expect(namesFor("wav")[0]).toBe("water_wave");
    expect(namesFor("sm")).toEqual(["sm", "smile"]);
  } finally {
    if (before) Object.defineProperty(globalThis, "localStorage", before);
    else Reflect.deleteProperty(globalThis, "localStorage");
  }
});
