// Pickers for emoji, times, targets and sizes.
import { expect, test } from "bun:test";
import { emojiCode, emojiName } from "../../src/text/emoji.ts";
import {
  searchEmoji,
  moveInGrid,
  type EmojiSection,
  sectionsOf,
  withTone,
} from "../../src/web/features/emoji/choices.ts";
import { synonymsIn } from "../../src/web/features/emoji/synonyms.ts";
import de from "../../src/web/words/de.json";
import en from "../../src/web/words/en.json";
import { pan, UNZOOMED, clampOffset, zoomBy } from "../../src/web/features/files/zoom.ts";
import { countLosingAccess, countOf } from "../../src/web/features/move/effects.ts";
import { quoteOf } from "../../src/web/features/messages/quote-rules.ts";
import { presetsAt } from "../../src/web/features/reminders/times.ts";
import { filledProfileFields } from "../../src/web/features/people/selectors.ts";
import type { KnownChannel } from "../../src/web/features/channels/state.ts";
import type { Person, ProfileField } from "../../src/web/features/people/state.ts";

const choice = (emoji_code: string, names: string) => {
  const [emoji_name = ""] = names.split(" ");
  return { emoji_name, emoji_code, reaction_type: "unicode_emoji" as const, names };
};
const SECTIONS: EmojiSection[] = [
  {
    id: "smileys",
    choices: [choice("1", "smile big_smile"), choice("2", "happy_cat"), choice("3", "cat")],
  },
];

test("finds emoji by prefixes of words in their names, best match first", () => {
  const names = (text: string) => searchEmoji(SECTIONS, text).map(({ emoji_name }) => emoji_name);
  expect(names("cat")).toEqual(["cat", "happy_cat"]);
  expect(names(":cat:")).toEqual(["cat", "happy_cat"]);
  expect(names("big sm")).toEqual(["smile"]);
  expect(names("xyz")).toEqual([]);
  expect(names("  ")).toEqual([]);
});

test("finds emoji by keywords and synonyms, after those with the word in their names", () => {
  const keywords = new Map([
    ["1", "happy glad"],
    ["3", "animal"],
  ]);
  const synonyms = synonymsIn("laugh, lol = smile\nlaughter, haha = cat");
  const names = (text: string) =>
    searchEmoji(SECTIONS, text, { keywords, synonyms }).map(({ emoji_name }) => emoji_name);
  expect(names("happy")).toEqual(["happy_cat", "smile"]);
  expect(names("anim")).toEqual(["cat"]);
  expect(names("laugh")).toEqual(["smile", "cat"]);
  expect(names("laughter")).toEqual(["cat"]);
  // Two letters are the start of too many words.
  expect(names("la")).toEqual([]);
});

test.each([
  ["en", en],
  ["de", de],
])("the synonyms of %s lead to emoji by their primary names", (_, words) => {
  const all = [...synonymsIn(words["emoji-other-words"]).values()].flat();
  expect(all.length).toBeGreaterThan(100);
  const isPrimary = (name: string) => emojiName(emojiCode(name) ?? "") === name;
  expect(all.filter((name) => !isPrimary(name))).toEqual([]);
});

test.each([
  ["1f44b", "1f3fd", "👋🏽"],
  ["261d", "1f3fb", "☝🏻"],
  ["1f469-200d-1f680", "1f3ff", "👩🏿‍🚀"],
  ["1f3cc-200d-2642", "1f3fc", "🏌🏼‍♂️"],
  // No skin tone applies to no person, to several persons, or for the default.
  ["1f600", "1f3fd", undefined],
  ["1f46a", "1f3fd", undefined],
  ["1f468-200d-1f469-200d-1f466", "1f3fd", undefined],
  ["1f44b", "", undefined],
])("gives %s the skin tone %s", (code, tone, character) => {
  expect(withTone(code, tone)).toBe(character);
});

test("offers custom emoji while they are active", () => {
  const custom = { id: "7", name: "skein", source_url: "/user_avatars/7.png", deactivated: false };
  const sections = sectionsOf([custom, { ...custom, id: "8", deactivated: true }], ["7", "gone"]);
  expect(
    sections.map(({ id, choices }) => [id, choices.map(({ emoji_code }) => emoji_code)]),
  ).toEqual([
    ["used", ["7"]],
    ["own", ["7"]],
  ]);
  expect(sections[0]!.choices[0]).toMatchObject({
    reaction_type: "realm_emoji",
    url: "/user_avatars/7.png",
  });
});

test("arrow keys move through the grid, from a short last row to the next group", () => {
  const lengths = [4, 5];
  const to = (index: number, key: string) => moveInGrid(lengths, index, key, 3);
  expect(to(0, "ArrowRight")).toBe(1);
  expect(to(0, "ArrowLeft")).toBe(0);
  expect(to(2, "ArrowDown")).toBe(3);
  expect(to(3, "ArrowDown")).toBe(4);
  expect(to(5, "ArrowDown")).toBe(8);
  expect(to(8, "ArrowDown")).toBe(8);
  expect(to(4, "ArrowUp")).toBe(3);
  expect(to(0, "a")).toBeUndefined();
  expect(moveInGrid([], 0, "ArrowDown", 3)).toBeUndefined();
});

test("offers only times in the future", () => {
  const words = (date: Date) => presetsAt(date.getTime()).map(({ textKey }) => textKey);
  // On a Sunday, "tomorrow morning" is Monday morning.
  expect(words(new Date(2026, 10, 22, 12))).toEqual([
    "in-an-hour",
    "this-evening",
    "tomorrow-morning",
  ]);
  expect(words(new Date(2026, 10, 24, 22))).toEqual([
    "in-an-hour",
    "tomorrow-morning",
    "monday-morning",
  ]);
});

test("says how many messages move, and who loses access", () => {
  const context = { before: 3, after: 4, isWhole: true };
  expect(countOf("change_one", context)).toBe("1");
  expect(countOf("change_later", context)).toBe("5");
  expect(countOf("change_all", { ...context, isWhole: false })).toBe("8+");
  const channel = (stream_id: number, invite_only: boolean, people?: number[]) =>
    ({
      row: { stream_id, invite_only },
      subscribers: people && new Set(people),
      isPartial: false,
    }) as unknown as KnownChannel;
  const open = channel(1, false, [1, 2, 3]);
  const countLosingAccessTo = (to: KnownChannel) => countLosingAccess(open, to, (id) => id === 3);
  // The only guest sees a public channel only as a subscriber.
  expect(countLosingAccessTo(channel(2, false, []))).toBe(1);
  expect(countLosingAccessTo(channel(2, false, [3]))).toBe(0);
  expect(countLosingAccessTo(channel(2, false))).toBe(0);
  expect(countLosingAccessTo(open)).toBe(0);
  expect(countLosingAccessTo(channel(2, true, [1]))).toBe(2);
  expect(countLosingAccessTo(channel(2, true))).toBeUndefined();
});

test("fences a quotation with more characters than inside, without mentions", () => {
  const quoted = { user_id: 4, full_name: "Bo", address: "http://x/#m", content: "````\nx\n````" };
  expect(quoteOf(quoted, "said")).toBe(
    "@_**Bo|4** [said](http://x/#m):\n`````quote\n````\nx\n````\n`````\n",
  );
});

test("zooms a picture at the pointer, and fits it at its smallest", () => {
  const twice = zoomBy(UNZOOMED, 2, { x: 10, y: 0 });
  expect(twice).toEqual({ scale: 2, x: -10, y: 0 });
  expect(pan(twice, { x: 3, y: 4 })).toEqual({ scale: 2, x: -7, y: 4 });
  expect(pan(UNZOOMED, { x: 3, y: 4 })).toEqual(UNZOOMED);
  expect(zoomBy(twice, 1 / 4)).toEqual(UNZOOMED);
  expect(zoomBy(twice, 100).scale).toBe(8);
  const [picture, room] = [200, 300].map((sideLength) => ({
    clientWidth: sideLength,
    clientHeight: sideLength / 2,
  }));
  expect(clampOffset({ scale: 2, x: 99, y: -60 }, picture!, room!)).toEqual({
    scale: 2,
    x: 50,
    y: -25,
  });
  expect(clampOffset({ scale: 1.2, x: 9, y: -9 }, picture!, room!)).toMatchObject({ x: 0, y: -0 });
});

test("shows profile fields in order, with links only to websites", () => {
  const field = (id: number, type: number, field_data = "") =>
    ({ id, type, name: `f${id}`, hint: "", order: -id, field_data }) as ProfileField;
  const fields = [
    field(1, 1),
    field(2, 5),
    field(3, 3, '{"a": {"text": "Apple"}}'),
    field(4, 6),
    field(5, 1),
  ];
  const value = (text: string) => ({ value: text });
  const profile_data = {
    1: value("x"),
    2: value("javascript:alert(1)"),
    3: value("a"),
    4: value("[7, 8]"),
  };
  const profileTexts = filledProfileFields(
    { profile_data } as unknown as Person,
    fields,
    (id) => `#${id}`,
  );
  expect(profileTexts.map(({ text }) => text)).toEqual([
    "#7, #8",
    "Apple",
    "javascript:alert(1)",
    "x",
  ]);
  expect(profileTexts.every(({ url }) => url === undefined)).toBe(true);
});

test("ranks primary names first, and frequently used emoji above equal matches", () => {
  const hands = [
    choice("1", "hand_with_thumb thumb"),
    choice("2", "+1 thumbs_up"),
    choice("4", "+1"),
  ];
  const used: EmojiSection = { id: "used", choices: [hands[1]!] };
  const searchNames = (sections: EmojiSection[], text: string) =>
    searchEmoji(sections, text).map(({ emoji_code }) => emoji_code);
  const people: EmojiSection = { id: "people", choices: hands };
  expect(searchNames([people], "thumb")).toEqual(["1", "2"]);
  expect(searchNames([used, people], "thumb")).toEqual(["2", "1"]);
  const cats: EmojiSection = { id: "used", choices: [choice("5", "cat_face")] };
  expect(searchNames([cats, ...SECTIONS], "cat")[0]).toBe("3");
});
