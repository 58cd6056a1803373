// Text without markup keeps its characters when it becomes Markdown.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { markdownOfBlocks } from "../../src/features/moving/source/blocks.ts";
import { markdownOf } from "../../src/features/moving/source/mrkdwn.ts";
import { markdownOfHtml } from "../../src/text/html/markdown.ts";
import {
  escapeEmojiNames,
  escapeMarkdown,
  withEntities,
} from "../../src/text/html/escape-markdown.ts";
import { render } from "../../src/text/markdown/render.ts";
import { plainText } from "../../src/text/plain-text.ts";
import { SEED } from "../random.ts";
import { countOf } from "../repetitions.ts";
import { renderContext } from "./markdown-fixture.ts";

const PIECES = [
  ..."*_~`$[]()<>#|!:&+=".split(""),
  ...["**", "***", "~~", "~~~", "```", "$$", "](", "&lt;", "&#42;", "&amp;", "@**all**"],
  ...["#**design**", "@*support*", "# head", "> said", "| a | b |", "|---|---|", "---", "___"],
  ...["/me waves", "/poll x", "<time:2024-01-01>", "![a](b.png)", "a", "b", " ", "\n", "\n\n"],
  ...[" https://a.example/b*c*d_e ", "x*y*z", "{", "}", "=====", "\\", "\\*"],
];
const piece = fc.constantFrom(...PIECES);
/** Lists are left as they are, because they look the same. */
const text = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join("").trim())
  .filter((joined) => joined !== "" && !/^\s*[*-]\s/m.test(joined));

const context = renderContext({ translate_emoticons: false });
const visible = (given: string) => given.replaceAll(/[\s\u00a0]+/g, " ").trim();
const shown = (markdown: string) => visible(plainText(render(markdown, context).html));
const asHtml = (given: string) =>
  given.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>");
const names = { user: (id: string) => id, channel: (id: string) => id };

test("the renderer displays escaped text as it is", () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(shown(escapeMarkdown(given))).toBe(visible(given));
    }),
    { seed: SEED, numRuns: countOf("messages") },
  );
});

test("text in HTML and in Slack's rich text keeps its characters", () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(shown(markdownOfHtml(`<p>${asHtml(given)}</p>`))).toBe(visible(given));
      const elements = [{ type: "rich_text_section", elements: [{ type: "text", text: given }] }];
      const markdown = markdownOfBlocks([{ type: "rich_text", elements }], names);
      expect(shown(markdown)).toBe(visible(given));
    }),
    { seed: SEED, numRuns: countOf("messages") },
  );
});

test.each(["# 1 is not a heading", "a**b**c", "&amp;lt;b&amp;gt;", "2*3*4", "[x](y)", "a\n---"])(
  "Slack's plain text %j keeps its characters",
  (given) => {
    expect(shown(markdownOf(given, names))).toBe(visible(given.replaceAll("&amp;", "&")));
  },
);

test("names between colons are no emoji in text of Teams", () => {
  expect(escapeEmojiNames("a :smile: at 10:30:45 :none:")).toBe("a &#58;smile: at 10:30:45 :none:");
  expect(shown(markdownOfHtml("<p>:smile:</p>"))).toBe(":smile:");
});

test("code is not escaped", () => {
  expect(markdownOfHtml("<p><code>*x* &amp;lt;</code></p><pre># y</pre>")).toBe(
    "`*x* &lt;`\n\n```\n# y\n```",
  );
});

test("indented text of Slack is no code", () => {
  expect(shown(markdownOf("    indented", names))).toBe("indented");
  expect(render(markdownOf("    indented", names), context).html).not.toContain("<code>");
});

test("a backslash before a punctuation mark has it displayed", () => {
  expect(withEntities("https://a.example/b\\_c")).toBe("https://a.example/b_c");
  expect(shown(withEntities("\\*a\\* C:\\dir \\_b\\_ \\\\"))).toBe("*a* C:\\dir _b_ \\");
});
