// The maximum number of combining marks per character.
import { describe, expect, test } from "bun:test";
import {
  hasStackedMarks,
  isTall,
  withoutStackedMarks,
} from "../../src/text/input/combining-marks.ts";

const accents = (count: number) => "\u0301".repeat(count);

describe("accepts", () => {
  test.each([
    ["Vietnamese", "Nguyễn Thị Hồng Thuý".normalize("NFD")],
    ["Thai", "น้ำผึ้งที่นี่"],
    ["pointed and cantillated Hebrew", "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים"],
    ["Arabic", "مُحَمَّدٌ"],
    ["Tibetan", "རྣམ་པར་སྣང་མཛད་ཧཱུྃ"],
    ["Devanagari", "क्षत्रिय श्री"],
    ["emoji", "👩🏽‍🚀❤️‍🔥🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["eight marks", `e${accents(8)}x${accents(8)}`],
  ])("%s", (_, text) => {
    expect(hasStackedMarks(text)).toBe(false);
    expect(withoutStackedMarks(text)).toBe(text);
  });
});

describe("rejects and truncates", () => {
  test.each([
    ["nine marks", `e${accents(9)}`, `e${accents(8)}`],
    ["forty marks of several kinds", `Z${"\u0300\u0489\u20dd\u0336".repeat(10)}b`, undefined],
    ["marks without a character", accents(40), accents(8)],
    [
      "marks between characters without a width",
      `e${`${accents(2)}\u200b\u200d`.repeat(9)}`,
      undefined,
    ],
  ])("%s", (_, text, truncated) => {
    expect(hasStackedMarks(text)).toBe(true);
    const stripped = withoutStackedMarks(text);
    expect(stripped.match(/\p{M}/gu)?.length).toBe(8);
    if (truncated !== undefined) expect(stripped).toBe(truncated);
  });
});

test("detects lines that may be higher than others", () => {
  expect(["plain", `e${accents(2)}`, `e${accents(3)}`].map(isTall)).toEqual([false, false, true]);
});

test("takes linear time", () => {
  const long = `e${"\u200b".repeat(100_000)}${`${accents(3)}${"\u200d".repeat(50)}`.repeat(2_000)}`;
  expect(withoutStackedMarks(long).length).toBeLessThan(long.length);
});
