// Alert words, and the addresses of channels and topics.
import { describe, expect, test } from "bun:test";
import { alertWordsIn, beginningOf } from "../../src/text/alert-words.ts";
import { narrowUrl } from "../../src/text/channel-fragment.ts";
import { encodeFragment } from "../../src/text/narrow-fragment.ts";

/** Returns which of the words are found; each way of looking them up must agree. */
const alertWordsFound = (content: string, ...words: string[]) => {
  const beginningWith = (beginning: string) =>
    words.filter((word) => beginningOf(word) === beginning);
  return [...alertWordsIn(content, beginningWith)];
};

describe("an alert word", () => {
  test.each([
    ["milk", true],
    ["MILK", true],
    ["we need milk\nsoon", true],
    ...Array.from(
      `("., ';[*\`>`.replaceAll(" ", ""),
      (character) => [`x ${character}milk`, true] as const,
    ),
    ...Array.from(`)"?:.,';]!*\``, (character) => [`milk${character} x`, true] as const),
    ["milkshake", false],
    ["buttermilk", false],
    ["milkshake and milk", true],
    ["@milk", false],
    ["milk-free", false],
    ["", false],
  ])("in %j: %p", (content, isFound) => {
    expect(alertWordsFound(content, "rain", "milk")).toEqual(isFound ? ["milk"] : []);
  });

  test("accepts alert words of several words and with symbols", () => {
    expect(alertWordsFound("more oat milk, please", "oat milk", "oat", "milk shake")).toEqual([
      "oat milk",
      "oat",
    ]);
    expect(alertWordsFound("more oat, milk", "oat milk")).toEqual([]);
    expect(
      alertWordsFound("use .net, c++ and a.b.c.", ".net", "c++", "a.b.c", "a.b", ".."),
    ).toEqual([".net", "c++", "a.b.c", "a.b"]);
    expect(alertWordsFound("...", "..", "...", ".")).toEqual(["..", "...", "."]);
    expect(alertWordsFound("anything", "")).toEqual([]);
  });

  test("skips an alert word if no word of the content starts like it", () => {
    const requests: string[] = [];
    alertWordsIn("oat milk (oat)", (beginning) => {
      requests.push(beginning);
      return [];
    });
    expect(requests).toEqual(["oat", "milk", "(oat"]);
  });
});

describe("a URL", () => {
  const channel = { stream_id: 9, name: "R&D / ops v1.2" };

  test.each([
    ["plain_Text-1~", "plain_Text-1~"],
    ["a/b c.d", "a.2Fb.20c.2Ed"],
    ["ü!*'()", ".C3.BC.21.2A.27.28.29"],
    ["\ud800", ".EF.BF.BD"],
  ])("encodes %j", (text, encoded) => expect(encodeFragment(text)).toBe(encoded));

  test("leads to a channel, a topic or a message", () => {
    const start = "/#narrow/channel/9-R.26D-.2F-ops-v1.2E2";
    expect(narrowUrl(channel)).toBe(start);
    expect(narrowUrl(channel, "a b")).toBe(`${start}/topic/a.20b`);
    expect(narrowUrl(channel, "", { with: 7 })).toBe(`${start}/topic//with/7`);
    expect(narrowUrl(channel, "a", { near: 7 })).toBe(`${start}/topic/a/near/7`);
  });
});
