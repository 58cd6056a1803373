// HTML of other products becomes Markdown, whatever its nesting.
import { expect, test } from "bun:test";
import { markdownOfHtml } from "../../src/text/html/markdown.ts";

test("leaves out the rest of HTML that is nested deeper than any product writes", () => {
  const nested = (depth: number) =>
    markdownOfHtml(`<p>before</p>${"<b>".repeat(depth)}inside${"</i>".repeat(depth)}`);
  expect(nested(100)).toContain("inside");
  expect(nested(2_000)).toBe("before");
});
