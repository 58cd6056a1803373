// Converts Slack's markup and plain text of webhooks to Markdown.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DefaultTreeAdapterMap, parseFragment } from "parse5";
import { render } from "../../src/text/markdown/render.ts";
import { codeBlock, linkTo, markdownOfMrkdwn } from "../../src/text/slack/mrkdwn.ts";
import { plainMarkdown } from "../../src/text/slack/plain.ts";
import { isShallow } from "../../src/text/untrusted-json.ts";
import { renderContext } from "./markdown-fixture.ts";

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
    ["https://ci.example/_foo_/bar", "https://ci.example/_foo_/bar"],
    ["https://ci/_foo_/bar and ftp://ci/?q=*a*", "https://ci/_foo_/bar and ftp://ci/?q=*a*"],
    ["ci.example:80/_foo_/bar?q=*a*", "ci.example:80/_foo_/bar?q=*a*"],
    ["www.ci.example/_foo_/ _then_", "www.ci.example/_foo_/ *then*"],
    ["_see ftp://ci.example/_foo_/bar_", "*see ftp://ci.example/_foo_/bar*"],
    ["_https://ci.example/_foo_/bar_", "*https://ci.example/_foo_/bar*"],
    [
      "https://ci.example/?q=* and https://ci.example/?r=*",
      "https://ci.example/?q=* and https://ci.example/?r=*",
    ],
    ["https://ci.example/~al~/?a=1&amp;b=*c*", "https://ci.example/~al~/?a=1&b=*c*"],
    ["*see https://ci.example/_a_*, _then_", "**see https://ci.example/_a_**, *then*"],
    ["_*https://ci.example/*a*/*_", "***https://ci.example/*a*/***"],
    [
      "<https://ci.example/_foo_|the `x_y` job>",
      "[the &#96;x&#95;y&#96; job](https://ci.example/_foo_)",
    ],
    ["<https://ci.example/`a`>", "https://ci.example/`a`"],
    ["`https://ci.example/*a*` *b*", "`https://ci.example/*a*` **b**"],
    [
      "```\n_x_ <https://ci.example/_a_> *y*\n```",
      "\n```\n_x_ <https://ci.example/_a_> *y*\n```\n",
    ],
  ])("%s", (value, expected) => expect(markdownOfMrkdwn(value)).toBe(expected));

  test("does not mention users of Slack, whatever the name", () => {
    const text = fc.string({ unit: fc.constantFrom("@", "*", "|", "<", ">", "U", "~", "_", " ") });
    fc.assert(
      fc.property(text, (value) => {
        const { mentioned_user_ids } = render(markdownOfMrkdwn(`<@${value}>`), renderContext());
        expect(mentioned_user_ids).toEqual([]);
      }),
    );
  });

  test("converts long runs of symbols in linear time", () => {
    for (const character of [
      "https://a*",
      "a.",
      "a-",
      "_a.bc/",
      "*https://a* ",
      "\n",
      "1",
      "*",
      "_a ",
      "~",
      "<",
      "```",
      "`",
      "<!",
      "*a ",
    ]) {
      expect(markdownOfMrkdwn(character.repeat(200_000)).length).toBeGreaterThan(0);
      expect(plainMarkdown(character.repeat(200_000)).length).toBeGreaterThan(0);
    }
  });

  test("a fence is longer than any inside", () => {
    expect(codeBlock("a\n```\nb", "json")).toBe("````json\na\n```\nb\n````");
    expect(linkTo("ftp://x", "words")).toBe("words");
  });
});

describe("plain text", () => {
  const characters = [
    "*",
    "_",
    "~",
    "`",
    "[",
    "](",
    "<",
    ">",
    "#",
    "-",
    "1.",
    "|",
    "$$",
    "&",
    " ",
    "\n",
  ];
  const words = [
    "a",
    "/me ",
    "@**Mia Ruiz**",
    "#**design**",
    "&#42;",
    "--|--",
    "&amp;",
    "<time:1>",
  ];

  /** Returns the text of HTML. */
  const visibleText = (html: string) => textOf(parseFragment(html)).trim();
  const textOf = (node: DefaultTreeAdapterMap["node"]): string => {
    if ("value" in node) return node.value;
    return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
  };

  test("displays plain text as written, without formatting and mentions", () => {
    const text = fc.array(fc.constantFrom(...characters, ...words), { maxLength: 12 });
    fc.assert(
      fc.property(text, (parts) => {
        const value = `x${parts.join("")}`.replaceAll(/[ \n]*\n[ \n]*/g, "\n").trim();
        const { html, mentioned_user_ids } = render(plainMarkdown(value), renderContext());
        expect(mentioned_user_ids).toEqual([]);
        expect(html.replaceAll(/<\/?p>|<br>/g, "")).not.toContain("<");
        expect(visibleText(html)).toBe(value);
      }),
      { seed: 31_000, numRuns: 2_000 },
    );
  });

  test("keeps URLs whole", () => {
    const url = "https://ci.example/*a*/[b]?q=~c~$$";
    expect(plainMarkdown(`- see ${url}`)).toBe(`&#45; see ${url}`);
    expect(
      render(plainMarkdown("https://a@**Mia Ruiz**"), renderContext()).mentioned_user_ids,
    ).toEqual([]);
  });
});

test("detects the depth of JSON without parsing it", () => {
  expect(isShallow('{"a":[{"[[[[":"\\"[["}]}', 3)).toBe(true);
  expect(isShallow("[[[[]]]]", 3)).toBe(false);
  expect(isShallow("[".repeat(1_000_000), 100)).toBe(false);
});
