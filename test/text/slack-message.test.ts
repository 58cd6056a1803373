// Converts messages that Slack sends to webhooks into Markdown.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { markdownOfSlackMessage } from "../../src/text/slack/message.ts";

const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
const plain = (text: string) => ({ type: "plain_text", text });
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const text = (text: string, style?: object) => ({ type: "text", text, style });
const rich = (...elements: object[]) => ({ blocks: [{ type: "rich_text", elements }] });

describe("a message", () => {
  const cases: [string, object, string][] = [
    ["text", { text: "*a*" }, "**a**"],
    ["text without markup", { text: "*a*", mrkdwn: false }, "&#42;a&#42;"],
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
      "plain text in blocks, which is not formatted",
      {
        blocks: [
          { type: "header", text: plain("*a* `b`") },
          { type: "section", text: plain("# *c*") },
          rich(section(text("*d* "), text("*e*", { bold: true }), text("*f*", { code: true })))
            .blocks[0],
        ],
      },
      "## &#42;a&#42; &#96;b&#96;\n\n&#35; &#42;c&#42;\n\n&#42;d&#42; **&#42;e&#42;**`*f*`",
    ],
    [
      "a table beside a header",
      {
        text: "fallback",
        blocks: [
          { type: "header", text: plain("H") },
          {
            type: "table",
            column_settings: [{ align: "right" }, null, { align: "center" }],
            rows: [
              [
                { type: "raw_text", text: "a|b" },
                { type: "raw_text", text: "c\nd" },
              ],
              [
                rich(section(text("e|f", { code: true }))).blocks[0],
                rich(section({ type: "link", url: "https://a.example/x|y", text: "L" })).blocks[0],
                { type: "raw_text", text: "*g*" },
              ],
              "no row",
            ],
          },
        ],
      },
      "## H\n\n| a&#124;b | c d |  |\n| --: | --- | :-: |\n" +
        "| `e|f` | [L](https://a.example/x%7Cy) | &#42;g&#42; |\n|  |  |  |",
    ],
    ["a table without rows", { text: "t", blocks: [{ type: "table", rows: 3 }] }, "t"],
    [
      "the text where a block cannot be shown",
      { text: "*t*", blocks: [{ type: "divider" }, { type: "unheard of" }] },
      "**t**\n\n---",
    ],
    [
      "URLs in fields, footers and titles, and the value false",
      {
        attachments: [
          {
            pretext: "https://ci.example/_p_",
            fields: [
              { title: "*K*", value: false },
              { title: "U", value: "https://ci.example/_foo_/bar" },
            ],
            footer: "https://ci.example/?q=*",
          },
        ],
      },
      "https://ci.example/_p_\n\n* **&#42;K&#42;**: false\n" +
        "* **U**: https://ci.example/_foo_/bar\n\nhttps://ci.example/?q=*",
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
  test.each(cases)("%s", (_, message, expected) => {
    expect(markdownOfSlackMessage(message as Record<string, unknown>)).toBe(expected);
  });

  test("accepts any JSON", () => {
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
