// The blocks of the Markdown dialect, one case for each rule.
import { describe, expect, test } from "bun:test";
import { render, RenderTooLarge } from "../../src/text/markdown/render.ts";
import { renderContext } from "./markdown-fixture.ts";

const code = (text: string, language = "") =>
  `<div class="codehilite"${language}><pre><span></span><code>${text}\n</code></pre></div>`;
const span = (name: string, text: string) => `<span class="${name}">${text}</span>`;
const codeInLanguage = (text: string, language: string) =>
  code(text, ` data-code-language="${language}"`);
const spoiler = (header: string, content: string) =>
  `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div>` +
  `<div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`;

function cases(title: string, rows: readonly (readonly [source: string, html: string])[]) {
  describe(title, () => {
    test.each(rows)("%j", (source, html) =>
      expect(render(source, renderContext()).html).toBe(html),
    );
  });
}

cases("paragraphs", [
  ["", ""],
  ["  \n ", ""],
  ["rain", "<p>rain</p>"],
  ["rain\nsun", "<p>rain<br>\nsun</p>"],
  ["rain\r\nsun", "<p>rain<br>\nsun</p>"],
  ["rain\n\nsun", "<p>rain</p>\n<p>sun</p>"],
  ["rain\n\n\n\nsun", "<p>rain</p>\n<p>sun</p>"],
  ["rain \n  sun", "<p>rain <br>\n  sun</p>"],
  ["a\tb", "<p>a   b</p>"],
  ["a\u0002b\u0003c", "<p>abc</p>"],
  ["1 < 2 & &para; <i>z</i>", "<p>1 &lt; 2 &amp; &para; &lt;i&gt;z&lt;/i&gt;</p>"],
  [`"so" 'be' &#x41; &bad`, `<p>"so" 'be' &#x41; &amp;bad</p>`],
  ["<!-- hush -->", "<p>&lt;!-- hush --&gt;</p>"],
  ["Top\n===", "<p>Top<br>\n===</p>"],
  ["[x]: https://", "<p>[x]: https://</p>"],
  ["1) one", "<p>1) one</p>"],
  ["- [ ] task", "<ul>\n<li>[ ] task</li>\n</ul>"],
  ["/me sings", "<p>/me sings</p>"],
]);

cases("headings and rules", [
  ["# A", "<h1>A</h1>"],
  ["###### F", "<h6>F</h6>"],
  ["## Plan ##", "<h2>Plan</h2>"],
  ["####### G", "<p>####### G</p>"],
  ["#tag", "<p>#tag</p>"],
  ["rain\n# A\nsun", "<p>rain</p>\n<h1>A</h1>\n<p>sun</p>"],
  ["# A\n# B", "<h1>A</h1>\n<h1>B</h1>"],
  ["# A\n    x", `<h1>A</h1>\n${code("x")}`],
  ["# *A* `b`", "<h1><em>A</em> <code>b</code></h1>"],
  ["---", "<hr>"],
  ["* * *", "<hr>"],
  ["___", "<hr>"],
  ["--", "<p>--</p>"],
  ["-   -   -", "<ul>\n<li>\n<ul>\n<li>-</li>\n</ul>\n</li>\n</ul>"],
  ["rain\n---\nsun", "<p>rain</p>\n<hr>\n<p>sun</p>"],
  ["rain\n***\nsun\n___", "<p>rain</p>\n<hr>\n<p>sun</p>\n<hr>"],
]);

cases("lists", [
  ["- a\n+ b\n* c", "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>"],
  ["1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"],
  ["7. a\n7. b", '<ol start="7">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ["- a\n  - b", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"],
  [
    "- a\n  - b\n    - c\n- d",
    "<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>",
  ],
  ["- a\n  1. b", "<ul>\n<li>\n<p>a</p>\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>"],
  ["- a\n\n- b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>"],
  ["- a\n\n  b", "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>"],
  ["- a\n  b", "<ul>\n<li>a<br>\n  b</li>\n</ul>"],
  ["rain\n- a", "<p>rain</p>\n<ul>\n<li>a</li>\n</ul>"],
  ["rain\n10. a", "<p>rain<br>\n10. a</p>"],
  ["1. a\n\n1. b\nc", "<ol>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b<br>\nc</p>\n</li>\n</ol>"],
  ["- a\n1. b", "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>"],
  ["-a", "<p>-a</p>"],
  ["- a\n\nrain", "<ul>\n<li>a</li>\n</ul>\n<p>rain</p>"],
  ["- > a", "<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n</ul>"],
  ["- a\n\n      x", `<ul>\n<li>a${code("x")}\n</li>\n</ul>`],
]);

cases("quotes", [
  ["> a", "<blockquote>\n<p>a</p>\n</blockquote>"],
  ["> a\nb", "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>"],
  ["> a\n\n> b", "<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>"],
  ["> a\n>\n> b", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"],
  ["> a\n      >\n> b", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"],
  [">\n>\na", "<blockquote>\n<p>a</p>\n</blockquote>"],
  [">>>", `${"<blockquote>\n".repeat(2)}<p>&gt;</p>\n</blockquote>\n</blockquote>`],
  [">> a", "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>"],
  ["rain\n> a", "<p>rain</p>\n<blockquote>\n<p>a</p>\n</blockquote>"],
  [">", "<p>&gt;</p>"],
  ["```quote\na\n```", "<blockquote>\n<p>a</p>\n</blockquote>"],
  ["~~~ quoted\na\n\nb\n~~~", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"],
  ["```quote\nx\n- a\n```", "<blockquote>\n<p>x</p>\n<ul>\n<li>a</li>\n</ul>\n</blockquote>"],
  ["```quote\n~~~\na\n~~~\n```\nb", `<blockquote>\n${code("a")}\n</blockquote>\n<p>b</p>`],
  ["```quote\n```", ""],
]);

cases("tables", [
  [
    "Item|Cost|Note|x\n:--|--:|:-:|---\nTea|3",
    '<table>\n<thead>\n<tr>\n<th style="text-align: left;">Item</th>\n' +
      '<th style="text-align: right;">Cost</th>\n<th style="text-align: center;">Note</th>\n' +
      '<th>x</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">Tea</td>\n' +
      '<td style="text-align: right;">3</td>\n<td style="text-align: center;"></td>\n' +
      "<td></td>\n</tr>\n</tbody>\n</table>",
  ],
  [
    "|a|b|\n|-|-|\n|`x|y`|*z*|gone|",
    "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n" +
      "<td><code>x|y</code></td>\n<td><em>z</em></td>\n</tr>\n</tbody>\n</table>",
  ],
  [
    "a|b\n-|-",
    "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n" +
      "<td></td>\n<td></td>\n</tr>\n</tbody>\n</table>",
  ],
  ["a|b\n-|-|-", "<p>a|b<br>\n-|-|-</p>"],
  ["a|b\nc|d", "<p>a|b<br>\nc|d</p>"],
]);

cases("code blocks", [
  ["```\nn = 1\n```", code("n = 1")],
  ["```\n\n  n\n\nm  \n\n```", code("  n\n\nm")],
  ["~~~\n```\n~~~", code("```")],
  ["````\n```\n````", code("```")],
  ["```\nopen", code("open")],
  ["```\n```", ""],
  [
    "```js\nlet n;\n```",
    codeInLanguage(
      span("kd", "let") + span("w", " ") + span("nx", "n") + span("p", ";"),
      "JavaScript",
    ),
  ],
  ["``` {.py}\nn\n```", codeInLanguage(span("n", "n"), "Python")],
  ["```zzZ\nn\n```", codeInLanguage("n", "zzz")],
  ["```none\nn\n```", codeInLanguage("n", "none")],
  ["```latex\nn\n```", codeInLanguage("n", "TeX")],
  ["```\n\"a\" 'b' <&amp;\n```", code("&quot;a&quot; &#39;b&#39; &lt;&amp;amp;")],
  ["```zzz\n\"a\" 'b' <&amp;\n```", codeInLanguage("\"a\" 'b' &lt;&amp;amp;", "zzz")],
  [
    "```c++\n<&amp;\n```",
    codeInLanguage(span("o", "&lt;&amp;") + span("n", "amp") + span("p", ";"), "C++"),
  ],
  [
    "```js\n#!python\nn\n```",
    codeInLanguage(`${span("o", "#!")}${span("nx", "python")}\n${span("nx", "n")}`, "JavaScript"),
  ],
  ["    n", code("n")],
  ["    n  \nrain", `${code("n")}\n<p>rain</p>`],
  ["    n\n\n\n    m\nrain", `${code("n\n\n\nm")}\n<p>rain</p>`],
  ["rain\n```\nn\n```\nsun", `<p>rain</p>\n${code("n")}\n<p>sun</p>`],
  ["```x``` y", "<p><code>x</code> y</p>"],
  ["- a\n  ```\n  b\n  ```", "<ul>\n<li>a<br>\n  <code>\n  b\n  </code></li>\n</ul>"],
]);

cases("spoilers", [
  ["```spoiler Ending\nThey win.\n```", spoiler("<p>Ending</p>\n", "<p>They win.</p>\n")],
  [
    "```spoiler The `end` ~now~\nThey win.\n```\nafter",
    `${spoiler("<p>The <code>end</code> ~now~</p>\n", "<p>They win.</p>\n")}\n<p>after</p>`,
  ],
  ["```spoiler A ` B\nThey win.\n```", spoiler("<p>A ` B</p>\n", "<p>They win.</p>\n")],
  [
    "```spoiler A ```b\nThey win.\n```\nafter",
    `${spoiler("<p>A ```b</p>\n", "<p>They win.</p>\n")}\n<p>after</p>`,
  ],
  ["```spoiler one line```", "<p><code>spoiler one line</code></p>"],
  ["```spoiler\nThey win.\n```", spoiler("", "<p>They win.</p>\n")],
  ["```spoiler *A*\nx\n- a\n```", spoiler("<p><em>A</em></p>\n", "<p>x<br>\n- a</p>\n")],
  [
    "````spoiler A\n```spoiler B\nx\n```\n````",
    spoiler("<p>A</p>\n", `${spoiler("<p>B</p>\n", "<p>x</p>\n")}\n`),
  ],
  [
    "```quote\n~~~spoiler A\nx\n~~~\n```",
    `<blockquote>\n${spoiler("<p>A</p>\n", "<p>x</p>\n")}\n</blockquote>`,
  ],
]);

test("the organization's default language applies to fences without one, not in spoilers", () => {
  const html = (source: string, default_code_block_language: string) =>
    render(source, renderContext({ default_code_block_language })).html;
  expect(html("```\nn\n```", "rust")).toBe(codeInLanguage(span("n", "n"), "Rust"));
  expect(html("```\nn\n```", "quote")).toBe("<blockquote>\n<p>n</p>\n</blockquote>");
  expect(html("```js\nn\n```", "rust")).toBe(codeInLanguage(span("nx", "n"), "JavaScript"));
  expect(html("~~~spoiler A\n```\nn\n```\n~~~", "rust")).toBe(
    spoiler("<p>A</p>\n", `${code("n")}\n`),
  );
});

describe("math blocks", () => {
  test("renders math blocks with KaTeX in one paragraph", () => {
    const { html } = render("```math\nn+1\n\nm\n```", renderContext());
    expect(html).toStartWith('<p><span class="katex-display"><span class="katex"><span class=');
    expect(html).toContain('<annotation encoding="application/x-tex">n+1</annotation>');
    expect(html).toContain('</span>\n\n<span class="katex-display">');
    expect(html).toEndWith("</span></p>");
  });

  test("show faulty source", () => {
    expect(render("```math\n\\frac{'\"<\n```", renderContext()).html).toBe(
      '<p><span class="tex-error">\\frac{&#x27;&quot;&lt;</span></p>',
    );
  });

  test("that would expand without end show their source", () => {
    const bomb = "\\def\\a{\\b\\b}\\def\\b{\\a\\a}\\a";
    expect(render(`\`\`\`math\n${bomb}\n\`\`\``, renderContext()).html).toContain(
      'class="tex-error"',
    );
  });

  test("renders formulas only up to a limit", () => {
    const { html } = render("```math\nx+y\n```\n".repeat(700), renderContext());
    expect(html).toContain("katex-display");
    expect(html).toEndWith('<p><span class="tex-error">x+y</span></p>');
  });
});

describe("code without a tag", () => {
  const code = (inside: string) =>
    `<div class="codehilite"><pre><span></span><code>${inside}\n</code></pre></div>`;

  test.each(["#!python", ":::python", "#!/usr/bin/python", "::::PYTHON", "#!/usr/bin/env python"])(
    "is colored by its own first line, which stays: %s",
    (first) => {
      const { html } = render(`\`\`\`\n${first}\nreturn 1\n\`\`\``, renderContext());
      expect(html.replace(/<[^>]*>/g, "")).toBe(`${first}\nreturn 1\n`);
      expect(html).toStartWith('<div class="codehilite"><pre><span></span><code>');
      expect(html).toContain('<span class="k">return</span>');
    },
  );

  test("stays plain if that names no language", () => {
    for (const first of ["#!zzz", "::  python", ":python", "#!"]) {
      const { html } = render(`\`\`\`\n${first}\nreturn 1\n\`\`\``, renderContext());
      expect(html).toBe(code(`${first}\nreturn 1`));
    }
  });

  test("ignores a block without lines, but not one with empty lines", () => {
    for (const source of ["```\n```", "```python\n```", "```"]) {
      expect(render(source, renderContext()).html).toBe("");
    }
    expect(render("```\n\n\n```", renderContext()).html).toBe(code(""));
    expect(render("a\n```\n```\nb", renderContext()).html).toBe("<p>a</p>\n<p>b</p>");
  });
});

test("too deep nesting becomes text", () => {
  expect(render(">".repeat(60), renderContext()).html.split("<blockquote>").length).toBeLessThan(
    30,
  );
  expect(render(`${"- ".repeat(60)}x`, renderContext()).html.split("<ul>").length).toBeLessThan(30);
});

test("rejects too long HTML", () => {
  const matrix = `\`\`\`math\n\\begin{matrix}${"a&".repeat(2_400)}\\end{matrix}\n\`\`\``;
  expect(() => render(matrix, renderContext())).toThrow(RenderTooLarge);
  expect(() => render("a".repeat(100_001), renderContext())).toThrow(RenderTooLarge);
});
