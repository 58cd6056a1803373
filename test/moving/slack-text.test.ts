// Converts Slack's two text formats, mrkdwn and blocks, to Markdown.
import { expect, test } from "bun:test";
import { markdownOfBlocks } from "../../src/features/moving/source/blocks.ts";
import type { SlackBlock } from "../../src/features/moving/source/records-rules.ts";
import { markdownOf } from "../../src/features/moving/source/mrkdwn.ts";
import { inParts } from "../../src/features/moving/source/message-parts.ts";
import { MESSAGE_LENGTH_MAX } from "../../src/features/messages/rules.ts";
import { firstLine, Threads } from "../../src/features/moving/import/thread-topics.ts";

const names = {
  user: (id: string) => `@**${id}**`,
  channel: (id: string, name?: string) => `#**${name ?? id}**`,
};

test.each([
  ["*bold* and _italic_ and ~gone~", "**bold** and *italic* and ~~gone~~"],
  ["2*3*4 snake_case_name a~b~c", "2&#42;3&#42;4 snake_case_name a~b~c"],
  ["(*bold*), *two words*!", "(**bold**), **two words**!"],
  ["* no bold * and _ none _", "* no bold * and _ none _"],
  ["`*code* _stays_`", "`*code* _stays_`"],
  ["```\n*fence* <https://a.example|b>\n```", "\n```\n*fence* b\n```\n"],
  ["<https://a.example>", "https://a.example"],
  ["<https://a.example|the [a]>", "[the &#91;a&#93;](https://a.example)"],
  ["<https://a.example/x_(y)|x>", "[x](https://a.example/x_%28y%29)"],
  ["<mailto:a@example.com|a@example.com>", "[a@example.com](mailto:a@example.com)"],
  ["<@U1> <@W2|old>", "@**U1** @**W2**"],
  ["<#C1|general> <#C2>", "#**general** #**C2**"],
  ["<!here> <!channel|channel> <!everyone>", "@**all** @**all** @**all**"],
  ["<!subteam^S1|@team>", "@team"],
  ["<!date^1516449600^{date}|Jan 20>", "<time:2018-01-20T12:00:00Z>"],
  ["<!subteam^S1> <@here>", "@user-group @**all**"],
  ["*<https://a.example|b>* _*<!here>*_ *<@U1>*", "**[b](https://a.example)** @**all** @**U1**"],
  ["*Hey <@U1>, read this*", "**Hey @**U1**, read this**"],
  ["*bold _both_* ~*_all_*~ __init__", "**bold** ***both*** ***~~all~~*** __init__"],
  ["*see `x` here*", "**see `x` here**"],
  ["&lt;b&gt; &amp;amp;", "<b> &#38;amp;"],
  ["&gt; quoted", "> quoted"],
  ["• one\n◦ two", "* one\n* two"],
  ["<javascript:alert(1)|x>", "<javascript:alert(1)|x>"],
])("converts mrkdwn %p", (value, expected) => {
  expect(markdownOf(value, names)).toBe(expected);
});

const rich = (...elements: object[]): SlackBlock[] => [{ type: "rich_text", elements }];
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const text = (text: string, style?: object) => ({
  type: "text",
  text,
  ...(style && { style }),
});

test.each<[SlackBlock[], string]>([
  [rich(section(text("a "), text("b ", { bold: true }), text("c"))), "a **b** c"],
  [rich(section(text("x", { italic: true, strike: true, code: true }))), "*~~`x`~~*"],
  [rich({ type: "rich_text_quote", elements: [text("q")] }), "```quote\nq\n```"],
  [rich({ type: "rich_text_preformatted", elements: [text("a\nb")] }), "```\na\nb\n```"],
  [
    rich(
      { type: "rich_text_quote", elements: [text("q")] },
      { type: "rich_text_list", style: "bullet", border: 1, elements: [section(text("in"))] },
      { type: "rich_text_preformatted", border: 1, elements: [text("code")] },
      section(text("after")),
    ),
    "````quote\nq\n* in\n```\ncode\n```\n````\n\nafter",
  ],
  [
    rich(
      { type: "rich_text_list", style: "ordered", indent: 0, elements: [section(text("one"))] },
      { type: "rich_text_list", style: "bullet", indent: 1, elements: [section(text("in"))] },
      { type: "rich_text_list", style: "ordered", offset: 1, elements: [section(text("two"))] },
    ),
    "1. one\n  * in\n2. two",
  ],
  [
    rich(
      section(
        { type: "emoji", name: "tada" },
        { type: "user", user_id: "U1" },
        { type: "channel", channel_id: "C1" },
        { type: "broadcast", range: "here" },
        { type: "link", url: "https://a.example", text: "a" },
        { type: "date", timestamp: 1_516_449_600, fallback: "x" },
      ),
    ),
    ":tada:@**U1**#**C1**@**all**[a](https://a.example)<time:2018-01-20T12:00:00Z>",
  ],
  [[{ type: "header", text: { text: "H &amp; M" } }, { type: "divider" }], "**H & M**\n\n---"],
  [[{ type: "section", text: { text: "*s*" }, fields: [{ text: "f" }] }], "**s**\nf"],
  [
    [{ type: "table", rows: [[{ elements: [section(text("a"))] }, { elements: [] }]] }],
    "| a |  |\n| --- | --- |",
  ],
  [[{ type: "call" }, { type: "actions" }], ""],
  [
    rich(
      section(
        text("see ", { bold: true }),
        text("code", { bold: true, code: true }),
        { type: "link", url: "https://a.example", text: "a", style: { bold: true } },
        text(" two\nlines ", { italic: true }),
        text("end"),
      ),
    ),
    "**see `code`[a](https://a.example)** *two*\n*lines* end",
  ],
  [[{ type: "markdown", text: "**m**" }], "**m**"],
  [
    [
      {
        type: "section",
        text: { text: "s" },
        accessory: { type: "image", image_url: "https://a.example/p.png", alt_text: "p" },
      },
    ],
    "s\n[p](https://a.example/p.png)",
  ],
  [
    [{ type: "video", title: { text: "V" }, video_url: "https://a.example/v", alt_text: "x" }],
    "[V](https://a.example/v)",
  ],
  [
    [{ type: "image", image_url: "https://a.example/p", alt_text: "alt", title: { text: "T" } }],
    "[T](https://a.example/p)",
  ],
])("converts blocks %#", (blocks, expected) => {
  expect(markdownOfBlocks(blocks, names)).toBe(expected);
});

test.each([
  ["**Ship** it\nmore", 50, "Ship it"],
  ["\n\n> quoted `x`", 50, "quoted x"],
  ["one two three four", 9, "one two…"],
  ["✔ done", 50, "done"],
  ["", 50, ""],
])("names a topic after %p", (value, length, expected) => {
  expect(firstLine(value, length)).toBe(expected);
});

const CHANNEL = { id: "C1", kind: "public", folder: "general" } as const;
const START_SECONDS = 1_500_000_000;
const THREADS = 60_000;

test("numbers threads with the same first line, however many there are", () => {
  const threads = new Threads();
  const namedThreads = Array.from({ length: THREADS }, (_, index) => {
    const message = { ts: `${START_SECONDS + index}.000100`, reply_count: 2 };
    return threads.topicFor({ conversation: CHANNEL, message, location: "" }, () => "Deployed")
      .topic;
  });
  expect(new Set(namedThreads).size).toBe(THREADS);
  const first = ["Deployed", "Deployed · 14 Jul", "Deployed (2)", "Deployed (3)"];
  expect(namedThreads.slice(0, 4)).toEqual(first);
});

const LENGTH_MAX = MESSAGE_LENGTH_MAX;

test.each([
  ["a short text", "short", [5]],
  ["no text", "", []],
  ["as many emoji as fit", "😀".repeat(LENGTH_MAX), [LENGTH_MAX]],
  ["one more", `${"😀".repeat(LENGTH_MAX)}x`, [LENGTH_MAX, 1]],
  ["a line break", `${"x".repeat(LENGTH_MAX - 5)}\n${"y".repeat(20)}`, [LENGTH_MAX - 5, 21]],
  ["an early line break", `x\n${"y".repeat(LENGTH_MAX)}`, [LENGTH_MAX, 2]],
  ["characters before", `x${"😀".repeat(2 * LENGTH_MAX)}`, [LENGTH_MAX, LENGTH_MAX, 1]],
])("splits a text with %s", (_title, text, lengths) => {
  const parts = inParts(text);
  expect(parts.map((part) => [...part].length)).toEqual(lengths);
  expect(parts.join("")).toBe(text);
});

test("splits a text of any length in steps that grow no faster than the text", () => {
  const text = "words and lines\n".repeat(1_000_000);
  const parts = inParts(text);
  expect(parts.join("").length).toBe(text.length);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(LENGTH_MAX);
});

test("converts code with very many backticks", () => {
  const code = text("` ".repeat(3_000_000), { code: true });
  const converted = markdownOfBlocks(rich(section(code)), names);
  expect(converted.slice(0, 6)).toBe("`` ` `");
});

test("names a topic after a long text with quotes that do not end", () => {
  const quotes = "```quote\nx\n".repeat(400_000);
  expect(firstLine(quotes, 50)).toBe("x");
  expect(firstLine(`${quotes}\`\`\`\nThe answer`, 50)).toBe("The answer");
});
