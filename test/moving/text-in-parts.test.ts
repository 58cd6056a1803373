// A text of several messages has the same formatting in each of them.
import { describe, expect, test } from "bun:test";
import { MESSAGE_LENGTH_MAX } from "../../src/features/messages/rules.ts";
import { inParts } from "../../src/features/moving/source/message-parts.ts";
import { cardsOf } from "../../src/features/moving/source/message-text.ts";
import { markdownOf as ofSlack } from "../../src/features/moving/source/mrkdwn.ts";
import type { SourceMessage } from "../../src/features/moving/source/records-rules.ts";
import { markdownOfHtml } from "../../src/text/html/markdown.ts";
import { htmlOf, names } from "./rendered.ts";

/** Splits the text, and checks the length of its parts. */
function htmlsOf(markdown: string): string[] {
  const parts = inParts(markdown);
  for (const part of parts) expect([...part].length).toBeLessThanOrEqual(MESSAGE_LENGTH_MAX);
  expect(parts.length).toBeGreaterThan(1);
  return parts.map(htmlOf);
}

const count = (text: string, part: string) => text.split(part).length - 1;
const total = (htmls: readonly string[], part: string) => count(htmls.join(""), part);
const LINES = 800;
const lines = (line: string, between = "\n") => Array<string>(LINES).fill(line).join(between);
const CODE_LINE = "const *a* = `b`; // 1";

describe.each([
  ["backticks", "```", "```"],
  ["backticks with a language", "```js", "```"],
  ["tildes", "~~~", "~~~"],
  ["more backticks", "`````", "`````"],
])("code in %s", (_title, opening, closing) => {
  test("is code in each message, and text behind it is text", () => {
    const htmls = htmlsOf(`Start\n${opening}\n${lines(CODE_LINE)}\n${closing}\nAfter **bold**`);
    for (const html of htmls) expect(html).toContain("<pre>");
    expect(total(htmls, "*a*") + total(htmls, '<span class="o">*</span>')).toBeGreaterThanOrEqual(
      LINES,
    );
    expect(total(htmls, "<em>")).toBe(0);
    expect(htmls.at(-1)).toEndWith("<p>After <strong>bold</strong></p>");
    expect(htmls.join("")).not.toContain(`${closing}`);
  });
});

test("keeps code of Slack and Teams as code", () => {
  const slack = ofSlack(`Start\n\`\`\`${lines(CODE_LINE)}\`\`\`\nAfter *bold* text`, names);
  const teams = markdownOfHtml(
    `<p>Start</p><pre>${lines(CODE_LINE)}</pre><p>After <b>bold</b></p>`,
  );
  for (const markdown of [slack, teams]) {
    const htmls = htmlsOf(markdown);
    expect([total(htmls, CODE_LINE), total(htmls, "<em>")]).toEqual([LINES, 0]);
    expect(htmls.at(-1)).toMatch(/<p>After <strong>bold<\/strong>(?: text)?<\/p>$/);
  }
});

test("keeps cards, quotes and spoilers, and what they contain", () => {
  const attachments = [
    { text: `${lines("words *b* here")}\n\`\`\`${lines(CODE_LINE)}\`\`\`\nend` },
  ];
  const card = htmlsOf(cardsOf({ attachments } as SourceMessage, names));
  for (const html of card) expect(html).toMatch(/^<blockquote>[^]*<\/blockquote>$/);
  expect([total(card, "<strong>b</strong>"), total(card, CODE_LINE)]).toEqual([LINES, LINES]);
  expect(card.at(-1)).toEndWith("<p>end</p>\n</blockquote>");

  const spoiler = htmlsOf(`\`\`\`spoiler Title\n${lines("hidden words")}\n\`\`\`\nshown`);
  for (const html of spoiler) expect(html).toContain("<p>Title</p>");
  expect(spoiler.at(-1)).toEndWith("<p>shown</p>");
});

test("keeps quoted lines, however long they are", () => {
  const [first, ...rest] = htmlsOf(`> ${lines("quoted words", " ")}\nown words`);
  expect(first).toMatch(/^<blockquote>[^]*<\/blockquote>$/);
  expect(rest.at(-1)).toMatch(/^<blockquote>\n<p>quoted|^<blockquote>\n<p>words/);
  const own = htmlsOf(`${lines("> quoted words")}\n\nown words`);
  expect(own.at(-1)).toMatch(/^<blockquote>[^]*<\/blockquote>\n<p>own words<\/p>$/);
});

test("keeps the columns of tables and the items of lists", () => {
  const table = htmlsOf(`| A | B |\n|---|---|\n${lines("| first cell | **second** |")}\n\nafter`);
  for (const html of table) expect(html).toContain("<th>A</th>");
  expect(total(table, "<td><strong>second</strong></td>")).toBe(LINES);
  expect(table.at(-1)).toEndWith("<p>after</p>");

  const list = htmlsOf(`* first\n${lines("  * nested item\n    * more nested")}\n* last`);
  expect(total(list, "<li>")).toBe(2 * LINES + 2);
  expect(total(list, "<pre>")).toBe(0);
});

const FILLER_LENGTH = MESSAGE_LENGTH_MAX - 10;

describe.each([
  ["a link", "[a text of words](https://e.com/x)", "<a href"],
  ["an address", "https://e.com/a/long/path", "<a href"],
  ["a mention", "@**Olga Owner|4**", "user-mention"],
  ["a channel link", "#**design**", 'class="stream"'],
  ["code", "`code with spaces`", "<code>"],
])("%s", (_title, inline, expected) => {
  test.each(["x", "語", "😀"])("stays whole after %p", (letter) => {
    const words = `${letter.repeat(9)} `.repeat(FILLER_LENGTH / 10);
    expect(total(htmlsOf(`${words}${inline} end`), expected)).toBe(1);
    const noSpaces = `${letter.repeat(FILLER_LENGTH - 1)}\u3000`;
    const [, second] = htmlsOf(`${noSpaces}${inline}${letter.repeat(30)}`);
    if (!inline.startsWith("https")) expect(second).toContain(expected);
  });
});

test("splits text in steps that grow no faster than the text, whatever its fences", () => {
  for (const text of [
    "```quote\n",
    "`".repeat(9_000) + "\n",
    "~~~\na\n",
    "| a |\n|---|\n",
    "> ",
    "[",
  ]) {
    const parts = inParts(text.repeat(Math.ceil(1_000_000 / text.length)));
    expect(parts.length).toBeLessThan(1_000);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(MESSAGE_LENGTH_MAX);
  }
});
