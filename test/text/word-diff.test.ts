// Differences of HTML, word by word.
import { describe, expect, test } from "bun:test";
import { htmlDiff } from "../../src/text/word-diff.ts";

const deleted = (html: string) => `<span class="highlight_text_deleted">${html}</span>`;
const added = (html: string) => `<span class="highlight_text_inserted">${html}</span>`;

const CASES: [string, string, string][] = [
  ["<p>a b</p>", "<p>a b</p>", "<p>a b</p>"],
  ["<p>a b c</p>", "<p>a x c</p>", `<p>a ${deleted("b")}${added("x")} c</p>`],
  ["<p>a</p>", "<p>a b</p>", `<p>a${added(" b")}</p>`],
  ["<p>a b</p>", "<p>a</p>", `<p>a${deleted(" b")}</p>`],
  ["<p>a</p>", "<p><em>a</em></p>", "<p><em>a</em></p>"],
  ["<p>a</p><p>b</p>", "<p>c</p>", `<p>${deleted("a b")}${added("c")}</p>`],
  ['<p><a title="x>y">z</a></p>', "<p>z</p>", "<p>z</p>"],
  ["<p>1 &lt; 2</p>", "<p>1 &gt; 2</p>", `<p>1 ${deleted("&lt;")}${added("&gt;")} 2</p>`],
  [
    '<p><a href="http://one.example">page</a></p>',
    '<p><a href="http://two.example/?a&amp;b">page</a></p>',
    `<p><a href="http://two.example/?a&amp;b">page` +
      `${deleted(" Link: http://one.example")}` +
      `${added(" Link: http://two.example/?a&amp;b")}</a></p>`,
  ],
  [
    '<p><a href="http://one.example">http://one.example</a></p>',
    '<p><a href="http://two.example">http://two.example</a></p>',
    `<p>${deleted("http://one.example")}<a href="http://two.example">` +
      `${added("http://two.example")}</a></p>`,
  ],
  [
    '<p><img alt="x" class="inline-image" data-original-src="/a.png" src="/a.webp"> b</p>',
    '<p><img alt="x" class="inline-image" data-original-src="/b.png" src="/b.webp"> b</p>',
    `<p>${deleted(" Picture: /a.png")}` +
      '<img alt="x" class="inline-image" data-original-src="/b.png" src="/b.webp">' +
      `${added(" Picture: /b.png")} b</p>`,
  ],
  [
    '<p><img alt=":a:" class="emoji" src="/1.webp" title="a"></p>',
    '<p><img alt=":b:" class="emoji" src="/2.webp" title="b"></p>',
    `<p>${deleted(" :a:")}<img alt=":b:" class="emoji" src="/2.webp" title="b">` +
      `${added(" :b:")}</p>`,
  ],
  [
    '<p><a href="/x">a</a></p>',
    '<p><a href="/x">a</a> b</p>',
    `<p><a href="/x">a</a>${added(" b")}</p>`,
  ],
  ["", "<p>a</p>", `<p>${added("a")}</p>`],
];

describe("shows added and deleted words in the newer version", () => {
  for (const [before, after, marked] of CASES) {
    test(`${before} → ${after}`, () => {
      expect(htmlDiff(before, after)).toBe(`<div>${marked}</div>`);
    });
  }
});

test("too long texts are all deleted and all added, in the newer elements", () => {
  const words = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(" ");
  const marked = htmlDiff(`<p>${words("a")}</p>`, `<p>${words("b")}</p>`);
  expect(marked).toBe(`<div><p>${deleted(words("a"))}${added(words("b"))}</p></div>`);
});

test("shows a few changes however long the text is", () => {
  const words = (word: string) =>
    Array.from({ length: 5_000 }, (_, n) => (n % 1_000 === 500 ? word : `w${n}`)).join(" ");
  const marked = htmlDiff(`<p>${words("a")}</p>`, `<p>${words("b")}</p>`);
  expect(marked).toBe(`<div><p>${words(`${deleted("a")}${added("b")}`)}</p></div>`);
});
