// Slack's markup and messages, as webhooks bring them, in our Markdown.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { render } from "../../src/text/markdown/render.ts";
import { markdownOfSlackMessage } from "../../src/text/slack/message.ts";
import { codeBlock, linkTo, markdownOfMrkdwn } from "../../src/text/slack/mrkdwn.ts";
import { isShallow } from "../../src/text/unsure.ts";
import { town } from "./markdown-town.ts";

describe("markup", () => {
  test.each([
    ["plain", "plain"],
    ["*bold* and *two words*", "**bold** and **two words**"],
    ["_slanted_, ~gone~", "*slanted*, ~~gone~~"],
    ["_*both*_ *_both_*", "***both*** ***both***"],
    ["snake_case_name 2*3*4 a~b~c", "snake_case_name 2*3*4 a~b~c"],
    ["* no * _ no _", "* no * _ no _"],
    ["*not\nover lines*", "*not\nover lines*"],
    ["a &lt;b&gt; &amp;amp;", "a <b> &amp;"],
    ["<https://a.example/x_y_z>", "https://a.example/x_y_z"],
    ["<https://a.example|a *bold* name>", "[a &#42;bold&#42; name](https://a.example)"],
    ["*see <https://a.example/?a=1&amp;b=2|it>*", "**see [it](https://a.example/?a=1&b=2)**"],
    ["<https://a.example/(x)|a [b]>", "[a &#91;b&#93;](https://a.example/%28x%29)"],
    ["<mailto:a@b.example|a@b.example>", "[a@b.example](mailto:a@b.example)"],
    ["<javascript:alert(1)|x>", "<javascript:alert(1)|x>"],
    ["<@U12|bob> in <#C1|general>", "@bob in #general"],
    ["<@U12> <#C1>", "@U12 #C1"],
    ["<!here> <!channel|channel> <!everyone>", "@**all** @**all** @**all**"],
    ["<!subteam^S1|@devs>", "@devs"],
    ["<!date^1700000000^{date}|then>", "<time:1700000000>"],
    ["`*a* &lt;b&gt;` *c*", "`*a* <b>` **c**"],
    ["so: ```a *b*\nc```", "so: \n```\na *b*\nc\n```\n"],
    ["\uE0000\uE001", "0"],
  ])("%s", (given, wanted) => expect(markdownOfMrkdwn(given)).toBe(wanted));

  test("a person of Slack is nobody here, whatever the name", () => {
    const text = fc.string({ unit: fc.constantFrom("@", "*", "|", "<", ">", "U", "~", "_", " ") });
    fc.assert(
      fc.property(text, (given) => {
        const { mentioned_user_ids } = render(markdownOfMrkdwn(`<@${given}>`), town());
        expect(mentioned_user_ids).toEqual([]);
      }),
    );
  });

  test("long lines of signs take no long time", () => {
    for (const sign of ["*", "_a ", "~", "<", "```", "`", "<!", "*a "]) {
      expect(markdownOfMrkdwn(sign.repeat(200_000)).length).toBeGreaterThan(0);
    }
  });

  test("a fence is longer than any in it", () => {
    expect(codeBlock("a\n```\nb", "json")).toBe("````json\na\n```\nb\n````");
    expect(linkTo("ftp://x", "words")).toBe("words");
  });
});

const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
const plain = (text: string) => ({ type: "plain_text", text });
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const text = (words: string, style?: object) => ({ type: "text", text: words, style });
const rich = (...elements: object[]) => ({ blocks: [{ type: "rich_text", elements }] });

describe("a message", () => {
  const cases: [string, object, string][] = [
    ["text", { text: "*a*" }, "**a**"],
    ["text without markup", { text: "*a*", mrkdwn: false }, "*a*"],
    ["an icon", { text: "a", icon_emoji: ":tada:" }, ":tada: a"],
    ["an icon that is none", { text: "a", icon_emoji: "x" }, "a"],
    ["nothing", { username: "x", blocks: 3, attachments: [1, null, "x"] }, ""],
    [
      "blocks in the place of text",
      { text: "fallback", blocks: [{ type: "header", text: plain("A\nB") }, { type: "divider" }] },
      "## A B\n\n---",
    ],
    [
      "a section with fields and a button",
      {
        blocks: [
          {
            type: "section",
            text: mrkdwn("*a*"),
            fields: [mrkdwn("_b_"), plain("_c_")],
            accessory: { type: "button", text: plain("Go"), url: "https://a.example" },
          },
        ],
      },
      "**a**\n\n* *b*\n* _c_\n\n[Go](https://a.example)",
    ],
    [
      "context, actions, pictures",
      {
        blocks: [
          { type: "context", elements: [plain("a"), { type: "image", image_url: "x" }, 3] },
          { type: "actions", elements: [{ type: "button", text: plain("No address") }] },
          { type: "image", image_url: "https://a.example/i.png", alt_text: "I" },
          { type: "markdown", text: "**m**" },
          { type: "unheard of", text: plain("x") },
        ],
      },
      "a\n\nNo address\n\n[I](https://a.example/i.png)\n\n**m**",
    ],
    [
      "an attachment beside text",
      {
        text: "t",
        attachments: [
          {
            pretext: "*p*",
            author_name: "Al",
            title: "T",
            title_link: "https://a.example",
            text: "x",
            fields: [{ title: "K", value: "v" }, { value: "w" }],
            image_url: "https://a.example/i.png",
            actions: [{ type: "button", text: "Go", url: "https://a.example/go" }, { text: "No" }],
            footer: "f",
            ts: "1700000000.12",
          },
        ],
      },
      "t\n\n**p**\n\nAl\n\n## [T](https://a.example)\n\nx\n\n* **K**: v\n* w\n\n" +
        "https://a.example/i.png\n\n[Go](https://a.example/go)\n\nf | <time:1700000000>",
    ],
    ["an attachment's fallback", { attachments: [{ fallback: "f", color: "good" }] }, "f"],
    [
      "an attachment of blocks",
      { attachments: [{ blocks: [{ type: "section", text: plain("a") }], text: "no" }] },
      "a",
    ],
    [
      "rich text",
      rich(
        section(text("a "), text(" b ", { bold: true }), text("c", { italic: true, code: true })),
        { type: "rich_text_quote", elements: [text("q\nr", { strike: true })] },
        { type: "rich_text_preformatted", elements: [text("x = `1`")] },
        section({ type: "emoji", name: "tada" }, { type: "broadcast", range: "here" }),
      ),
      "a  **b** *`c`*\n\n> ~~q\n> r~~\n\n```\nx = `1`\n```\n\n:tada:@**all**",
    ],
    [
      "lists in rich text",
      rich(
        { type: "rich_text_list", style: "bullet", elements: [section(text("a"))] },
        { type: "rich_text_list", style: "ordered", indent: 1, offset: 2, elements: [section()] },
      ),
      "* a\n\n  3.",
    ],
    [
      "links and people in rich text",
      rich(
        section(
          { type: "link", url: "https://a.example", text: "A" },
          { type: "user", user_id: "U1" },
          { type: "channel", channel_id: "C1" },
          { type: "usergroup", usergroup_id: "S1" },
          { type: "date", timestamp: 1_700_000_000 },
          { type: "color", value: "#ff0" },
          { type: "unheard of" },
        ),
      ),
      "[A](https://a.example)@U1#C1@S1<time:1700000000>#ff0",
    ],
  ];
  test.each(cases)("%s", (_, message, wanted) => {
    expect(markdownOfSlackMessage(message as Record<string, unknown>)).toBe(wanted);
  });

  test("any JSON at all is taken in good part", () => {
    const kinds = ["section", "context", "rich_text", "rich_text_list", "image", "text"];
    const values = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 5 }, fc.jsonValue(), fc.constantFrom(...kinds), tie("fields")),
      fields: fc.dictionary(
        fc.constantFrom("type", "text", "blocks", "attachments", "elements", "fields", "style"),
        fc.oneof(tie("any"), fc.array(tie("any"), { maxLength: 3 })),
      ),
    }));
    fc.assert(
      fc.property(values.fields, (message) => {
        expect(markdownOfSlackMessage(message as Record<string, unknown>)).toBeString();
      }),
      { seed: 51_000, numRuns: 30 },
    );
  });
});

test("how deep JSON goes is told without reading it", () => {
  expect(isShallow('{"a":[{"[[[[":"\\"[["}]}', 3)).toBe(true);
  expect(isShallow("[[[[]]]]", 3)).toBe(false);
  expect(isShallow("[".repeat(1_000_000), 100)).toBe(false);
});
