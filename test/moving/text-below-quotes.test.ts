// Quotes and lists end where they ended in the other product.
import { describe, expect, test } from "bun:test";
import { markdownOf as ofDiscord } from "../../src/features/moving/discord/markdown.ts";
import { markdownOf as ofRocketChat } from "../../src/features/moving/rocketchat/markdown.ts";
import { markdownOfCard } from "../../src/features/moving/source/cards.ts";
import { cardsOf, textOf, withFiles } from "../../src/features/moving/source/message-text.ts";
import { markdownOf as ofSlack } from "../../src/features/moving/source/mrkdwn.ts";
import type { SourceMessage } from "../../src/features/moving/source/records-rules.ts";
import { htmlOf, names } from "./rendered.ts";

const flat = (html: string) => html.replaceAll("\n", "").replaceAll(/<(\/?)div[^>]*>/g, "");
const NO_NAMES = { user: () => undefined, channel: () => undefined };

const inSlack = (text: string) => {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return flat(htmlOf(ofSlack(escaped, names)));
};
const inDiscord = (text: string) =>
  flat(
    htmlOf(
      ofDiscord(text, {
        ...{ mentioned: new Map(), shortNames: new Map(), isUser: () => false },
        ...{ channel: () => undefined, role: () => undefined, emoji: (_id, name) => name },
      }),
    ),
  );
const inRocketChat = (text: string) =>
  flat(htmlOf(ofRocketChat(text, { ...NO_NAMES, emoji: (value) => value })));

const quote = (text: string) => `<blockquote><p>${text}</p></blockquote>`;
const code = (text: string) => `<pre><span></span><code>${text}</code></pre>`;

describe.each([
  ["Slack", inSlack],
  ["Discord", inDiscord],
  ["Rocket.Chat", inRocketChat],
])("in %s", (_product, rendered) => {
  test.each([
    ["> quoted\nmy reply", `${quote("quoted")}<p>my reply</p>`],
    ["> a\n> b\nc\n> d\ne", `${quote("a<br>b")}<p>c</p>${quote("d")}<p>e</p>`],
    ["before\n> a\n\nb", `<p>before</p>${quote("a")}<p>b</p>`],
    ["- a\n- b\nafter", "<ul><li>a</li><li>b</li></ul><p>after</p>"],
    ["1. a\n2. b\nafter", "<ol><li>a</li><li>b</li></ol><p>after</p>"],
    ["- a\n  more\nafter", "<ul><li>a<br>  more</li></ul><p>after</p>"],
    ["> - a\n> b\nc", `<blockquote><ul><li>a</li></ul><p>b</p></blockquote><p>c</p>`],
    ["- a\n> b\nc", `<ul><li>a</li></ul>${quote("b")}<p>c</p>`],
    ["> a\n```\n> b\n```\nc", `${quote("a")}${code("&gt; b")}<p>c</p>`],
    [
      "> a\n> ```\n> b\n> ```\n> c\nd",
      /^<blockquote><p>a<\/p><pre>.*>b<.*<p>c<\/p><\/blockquote><p>d/,
    ],
    ["```\n- a\nb\n```\nc", `${code("- ab")}<p>c</p>`],
  ])("ends the block in %p", (text, expected) => {
    if (typeof expected === "string") expect(rendered(text)).toBe(expected);
    else expect(rendered(text)).toMatch(expected);
  });
});

test("quotes the rest of the message after the mark for it", () => {
  for (const rendered of [inSlack, inDiscord]) {
    expect(rendered("a\n>>> b\nc\n\nd")).toBe(
      "<p>a</p><blockquote><p>b<br>c</p><p>d</p></blockquote>",
    );
    expect(rendered("```\n>>> print(1)\n```\nb")).toMatch(/^<pre>.*&gt;&gt;&gt; .*<p>b<\/p>$/);
    expect(rendered(">>> a\n```\nb\n```\nc")).toMatch(/^<blockquote>.*<pre>.*<p>c<\/p><\/bl/);
  }
});

const slack = (message: object) => flat(htmlOf(textOf(message as SourceMessage, names)));
const card = (message: object) => flat(htmlOf(cardsOf(message as SourceMessage, names)));

test("ends Slack's lists before the next element, section or field", () => {
  const text = (value: string) => ({ type: "text", text: value });
  const section = (value: string) => ({ type: "rich_text_section", elements: [text(value)] });
  const list = (indent: number, value: string) => ({
    ...{ type: "rich_text_list", style: "bullet", indent, elements: [section(value)] },
  });
  const elements = [list(0, "a"), list(1, "b"), section("after")];
  expect(slack({ blocks: [{ type: "rich_text", elements }] })).toBe(
    "<ul><li>a<ul><li>b</li></ul></li></ul><p>after</p>",
  );
  expect(slack({ text: "• one\n◦ two\nafter" })).toContain("</ul><p>after</p>");
  const block = { type: "section", text: { text: "&gt; a" }, fields: [{ text: "b" }] };
  expect(slack({ blocks: [block] })).toBe(`${quote("a")}<p>b</p>`);
  const attachments = [{ text: "• a", fields: [{ title: "K", value: "&gt; v" }, { value: "w" }] }];
  expect(card({ attachments })).toContain("</ul><p><strong>K</strong>: &gt; v<br>w</p>");
});

test("ends quotes before other texts of a card, and before files", () => {
  const fields = [{ title: "K", value: "v" }];
  const markdown = markdownOfCard({ text: "> a", fields, footer: "f" }, (text) => text);
  expect(flat(htmlOf(markdown))).toContain(`${quote("a")}<p><strong>K</strong>: v<br>f</p>`);
  expect(flat(htmlOf(withFiles("> a", ["b", "c"])))).toBe(`${quote("a")}<p>b<br>c</p>`);
  expect(flat(htmlOf(withFiles("* a\n  * b", ["c"])))).toContain("</ul><p>c</p>");
  expect(withFiles("", ["b"])).toBe("b");
});

test("keeps the lines that Mattermost continues itself", () => {
  expect(slack({ markdown: "> a\nb" })).toBe(quote("a<br>b"));
});

test("converts many lines with marks in steps that grow no faster than the text", () => {
  const lines = "> a\n- b\n```\n> c\n".repeat(100_000);
  expect(ofDiscord(lines, { mentioned: new Map(), shortNames: new Map() } as never)).toContain("a");
  expect(ofSlack(`${"&gt;".repeat(500_000)}\n${"&gt; a\nb\n".repeat(100_000)}`, names)).toContain(
    "b",
  );
});
