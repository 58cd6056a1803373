// Differences of HTML, word by word.
import { describe, expect, test } from "bun:test";
import { htmlDiff } from "../../src/text/word-diff.ts";

const deletedSpan = (html: string) => `<span class="highlight_text_deleted">${html}</span>`;
const insertedSpan = (html: string) => `<span class="highlight_text_inserted">${html}</span>`;

const CASES: [string, string, string][] = [
  ["<p>a b</p>", "<p>a b</p>", "<p>a b</p>"],
  ["<p>a b c</p>", "<p>a x c</p>", `<p>a ${deletedSpan("b")}${insertedSpan("x")} c</p>`],
  ["<p>a</p>", "<p>a b</p>", `<p>a${insertedSpan(" b")}</p>`],
  ["<p>a b</p>", "<p>a</p>", `<p>a${deletedSpan(" b")}</p>`],
  ["<p>a</p>", "<p><em>a</em></p>", "<p><em>a</em></p>"],
  ["<p>a</p><p>b</p>", "<p>c</p>", `<p>${deletedSpan("a b")}${insertedSpan("c")}</p>`],
  ['<p><a title="x>y">z</a></p>', "<p>z</p>", "<p>z</p>"],
  [
    "<p>1 &lt; 2</p>",
    "<p>1 &gt; 2</p>",
    `<p>1 ${deletedSpan("&lt;")}${insertedSpan("&gt;")} 2</p>`,
  ],
  [
    '<p><a href="http://one.example">page</a></p>',
    '<p><a href="http://two.example/?a&amp;b">page</a></p>',
    `<p><a href="http://two.example/?a&amp;b">page` +
      `${deletedSpan(" Link: http://one.example")}` +
      `${insertedSpan(" Link: http://two.example/?a&amp;b")}</a></p>`,
  ],
  [
    '<p><a href="http://one.example">http://one.example</a></p>',
    '<p><a href="http://two.example">http://two.example</a></p>',
    `<p>${deletedSpan("http://one.example")}<a href="http://two.example">` +
      `${insertedSpan("http://two.example")}</a></p>`,
  ],
  [
    '<p><img alt="x" class="inline-image" data-original-src="/a.png" src="/a.webp"> b</p>',
    '<p><img alt="x" class="inline-image" data-original-src="/b.png" src="/b.webp"> b</p>',
    `<p>${deletedSpan(" Picture: /a.png")}` +
      '<img alt="x" class="inline-image" data-original-src="/b.png" src="/b.webp">' +
      `${insertedSpan(" Picture: /b.png")} b</p>`,
  ],
  [
    '<p><img alt=":a:" class="emoji" src="/1.webp" title="a"></p>',
    '<p><img alt=":b:" class="emoji" src="/2.webp" title="b"></p>',
    `<p>${deletedSpan(" :a:")}<img alt=":b:" class="emoji" src="/2.webp" title="b">` +
      `${insertedSpan(" :b:")}</p>`,
  ],
  [
    '<p><a href="/x">a</a></p>',
    '<p><a href="/x">a</a> b</p>',
    `<p><a href="/x">a</a>${insertedSpan(" b")}</p>`,
  ],
  ["", "<p>a</p>", `<p>${insertedSpan("a")}</p>`],
];

describe("shows added and deleted words in the newer version", () => {
  for (const [before, after, marked] of CASES) {
    test(`${before} → ${after}`, () => {
      expect(htmlDiff(before, after)).toBe(`<div>${marked}</div>`);
    });
  }
});

test("too long texts are all deleted and all added, in the newer elements", () => {
  const numberedWords = (word: string) =>
    Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(" ");
  const marked = htmlDiff(`<p>${numberedWords("a")}</p>`, `<p>${numberedWords("b")}</p>`);
  expect(marked).toBe(
    `<div><p>${deletedSpan(numberedWords("a"))}${insertedSpan(numberedWords("b"))}</p></div>`,
  );
});

test("shows a few changes however long the text is", () => {
  const numberedWords = (word: string) =>
    Array.from({ length: 5_000 }, (_, n) => (n % 1_000 === 500 ? word : `w${n}`)).join(" ");
  const marked = htmlDiff(`<p>${numberedWords("a")}</p>`, `<p>${numberedWords("b")}</p>`);
  expect(marked).toBe(
    `<div><p>${numberedWords(`${deletedSpan("a")}${insertedSpan("b")}`)}</p></div>`,
  );
});
