// Emoji by name and code, and the clients' table of them.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emojiCode, emojiData, emojiName } from "../../src/text/emoji.ts";

const NAMES: readonly (readonly [name: string, code: string])[] = [
  ["+1", "1f44d"],
  ["tada", "1f389"],
  ["heart", "2764"],
  ["octopus", "1f419"],
  ["working_on_it", "1f6e0"],
  ["smile", "1f604"],
  ["smiley", "1f603"],
  ["slight_smile", "1f642"],
  ["frown", "1f641"],
  ["neutral", "1f610"],
  ["oh_no", "1f615"],
  ["wink", "1f609"],
  ["open_mouth", "1f62e"],
  ["stuck_out_tongue", "1f61b"],
  ["copyright", "00a9"],
  ["one", "0031-20e3"],
];

test.each(NAMES)("%s is the name of %s", (name, code) => {
  expect(emojiCode(name)).toBe(code);
  expect(emojiName(code)).toBe(name);
});

/** Each line of the protocol's list: a code, its canonical name, its further names. */
function protocolNames(): [code: string, names: string[]][] {
  const list = readFileSync(join(import.meta.dir, "../../src/text/emoji-names.tsv"), "utf8");
  const lines = list.split("\n").filter((line) => /^[0-9a-f]/.test(line));
  return lines.map((line) => {
    const [code, canonical, further] = line.split("\t") as [string, string, string];
    return [code, [canonical, ...further.split(",").filter(Boolean)]];
  });
}

test("knows every name of the protocol, before own names", () => {
  const { code_to_names } = emojiData();
  const list = protocolNames();
  expect(list).toHaveLength(1875);
  for (const [code, names] of list) {
    expect(code_to_names[code]?.slice(0, names.length)).toEqual(names);
    for (const name of names) expect(emojiCode(name)).toBe(code);
  }
});

test("keeps names beyond the protocol", () => {
  expect(emojiCode("thumbsup")).toBe("1f44d");
  expect(emojiCode("big_smile")).toBe("1f604");
  expect(emojiCode("clock12")).toBe("1f55b");
});

test("an emoji has further names", () => {
  expect(emojiCode("thumbs_up")).toBe("1f44d");
  expect(emojiCode("slight_frown")).toBe("1f641");
  expect(emojiCode("no_such")).toBeUndefined();
  expect(emojiCode("constructor")).toBeUndefined();
  expect(emojiName("constructor")).toBeUndefined();
});

test("the clients' table has all names of every code, and no name twice", () => {
  const { code_to_names } = emojiData();
  const names = Object.values(code_to_names).flat();
  expect(code_to_names["1f44d"]?.slice(0, 2)).toEqual(["+1", "thumbs_up"]);
  expect(names.length).toBeGreaterThan(4_000);
  expect(new Set(names).size).toBe(names.length);
  for (const code in code_to_names) expect(code).toMatch(/^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/);
  for (const name of names) expect(name).toMatch(/^[\p{L}\p{N}_+-]+$/u);
});
