// HTML of other products becomes Markdown, whatever its nesting.
import { expect, test } from "bun:test";
import { markdownOfHtml } from "../../src/text/html/markdown.ts";

test("leaves out the rest of HTML that is nested deeper than any product writes", () => {
  const nested = (depth: number) =>
    markdownOfHtml(`<p>before</p>${"<b>".repeat(depth)}inside${"</i>".repeat(depth)}`);
  expect(nested(100)).toContain("inside");
  expect(nested(2_000)).toBe("before");
});

test("ignores the spaces that HTML has between rows, cells and items", () => {
  const table = `<table>\n<tbody>\n<tr>\n<td>\n<p>A</p>\n</td>\n<td>B</td>\n</tr>\n<tr>
    <td>1</td> <td>&nbsp;</td>\n</tr>\n</tbody>\n</table>`;
  expect(markdownOfHtml(`<p>before</p>\n${table}\n<p>after</p>`)).toBe(
    "before\n\n| A | B |\n| --- | --- |\n| 1 |  |\n\nafter",
  );
  const list = `<ul>\n<li>one</li><li>two\n<ul>\n<li>inner</li><li>last</li></ul>\n</li></ul>`;
  expect(markdownOfHtml(list)).toBe("* one\n* two\n  * inner\n  * last");
  expect(markdownOfHtml("<p>first<br>\n second</p>")).toBe("first\nsecond");
});
