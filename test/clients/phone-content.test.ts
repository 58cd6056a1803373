// The mobile app can display every message, however unusual its content.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { render } from "../../src/text/markdown/render.ts";
import { context, FRAGMENTS } from "../text/markdown-fragments.ts";
import { unsupportedContent } from "./phone-content.ts";

test("the app knows each part of a message", () => {
  const message = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 });
  fc.assert(
    fc.property(message, (parts) => {
      const { html } = render(parts.join(""), context);
      expect(unsupportedContent(html)).toEqual([]);
    }),
    { seed: 40_271, numRuns: 4_000 },
  );
});

const MATH = '<math><semantics><annotation encoding="application/x-tex">x</annotation>';
const FORMULA = `<span class="katex"><span class="katex-mathml">${MATH}</semantics></math></span>`;

const CASES: [string, string[]][] = [
  ["<p>a</p>\n<hr>\n<p>b</p>", []],
  ["loose", ['text "loose"']],
  ["<section>a</section>", ['<section class="">']],
  ["<p><u>a</u></p>", ['<u class="">']],
  ['<p><a class="other" href="/">a</a></p>', ['<a class="other">']],
  ['<p><span class="user-mention odd">a</span></p>', ['<span class="user-mention odd">']],
  [`<p>${FORMULA}<span class="katex-html"></span></span></p>`, []],
  [`<p>${FORMULA}</span></p>`, ['<span class="katex">']],
  ['<p><time datetime="2031-01-01T00:00:00+01:00">a</time></p>', ['<time class="">']],
  ["<ul>\n<li>a</li>\nb</ul>", ['text "\\nb"']],
  ['<div class="codehilite"><pre><code>a</code></pre></div>', ['<div class="codehilite">']],
  ["<table><thead></thead></table>", ['<table class="">']],
  [
    '<div class="message_inline_image"><a href="/a"></a></div>',
    ['<div class="message_inline_image">'],
  ],
  ['<div class="spoiler-block"></div>', ['<div class="spoiler-block">']],
];

test.each(CASES)("the app cannot show %j of %s", (html, faults) => {
  expect(unsupportedContent(html)).toEqual(faults);
});
