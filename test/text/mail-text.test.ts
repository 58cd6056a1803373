// A rendered message in an email: its HTML, its plain text, and omitted parts.
import { expect, test } from "bun:test";
import { excerptOf } from "../../src/text/mail-text.ts";

const BASE = "https://chat.example.com";
const context = {
  hiddenText: "(Hidden content. Open the message to read it.)",
  moment: (time: number) => `${time} seconds`,
  hasAddresses: true,
};
/** Lists in lists, numbered and not. */
const NESTED =
  "<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul></li>\n</ul></li>\n<li><p>d</p>\n<p>e</p>\n" +
  '<ol start="9">\n<li>f</li>\n<li>g<br>\nh</li>\n</ol></li>\n</ul>\n<p>i</p>';
const CASES: [what: string, rendered: string, html: string, text: string][] = [
  [
    "lists in lists",
    NESTED,
    NESTED,
    "- a\n   - b\n      - c\n- d\n   e\n   9. f\n   10. g\n      h\ni",
  ],
  [
    "words",
    "<p>a <strong>b</strong> &lt;c&gt;</p>",
    "<p>a <strong>b</strong> &lt;c&gt;</p>",
    "a b <c>",
  ],
  ["line ends", "<p>a<br>\nb</p>\n<p>c</p>", "<p>a<br>\nb</p>\n<p>c</p>", "a\nb\nc"],
  [
    "links that name no host",
    '<p><a href="/user_uploads/1/a.png">a.png</a></p>',
    '<p><a href="https://chat.example.com/user_uploads/1/a.png">a.png</a></p>',
    "a.png (https://chat.example.com/user_uploads/1/a.png)",
  ],
  [
    "links that say themselves",
    '<p><a href="https://a.example/?x&amp;y">https://a.example/?x&amp;y</a></p>',
    '<p><a href="https://a.example/?x&amp;y">https://a.example/?x&amp;y</a></p>',
    "https://a.example/?x&y",
  ],
  ["links that run something", '<p><a href="javascript:x()">a</a></p>', "<p>a</p>", "a"],
  [
    "what would run or be loaded",
    '<p onclick="x()">a<img src="https://t.example/1.png" onerror="x()"></p><style>p{}</style>',
    "<p>a</p>p{}",
    "a\np{}",
  ],
  [
    "emoji",
    '<p><img alt=":tada:" class="emoji" src="/x.png" title="tada"></p>',
    "<p>:tada:</p>",
    ":tada:",
  ],
  [
    "emoji of the system",
    '<p>a <span aria-label="tada" class="emoji emoji-1f389" role="img">:tada:</span> ' +
      '<span class="emoji emoji-1f1e9-1f1ea" title="de">:de:</span></p>',
    "<p>a \u{1F389} \u{1F1E9}\u{1F1EA}</p>",
    "a \u{1F389} \u{1F1E9}\u{1F1EA}",
  ],
  [
    "times",
    '<p>at <time datetime="1970-01-01T00:01:30Z">1970-01-01T00:01:30Z</time></p>',
    "<p>at 90 seconds</p>",
    "at 90 seconds",
  ],
  ["what somebody does", "<p>/me waves</p>", "<p>waves</p>", "waves"],
  ["polls", "<p>/poll Lunch?<br>\nSoup</p>", "<p>Lunch?<br>\nSoup</p>", "Lunch?\nSoup"],
  ["what only looks like one", "<p>/meadow</p>", "<p>/meadow</p>", "/meadow"],
  [
    "previews",
    '<p>a</p>\n<div class="message_inline_image"><a href="/x.png"><img src="/x.png"></a></div>',
    "<p>a</p>\n",
    "a",
  ],
  [
    "spoilers",
    '<div class="spoiler-block"><div class="spoiler-header"><p>End</p></div>' +
      '<div class="spoiler-content"><p>He <em>dies</em></p></div></div><p>b</p>',
    "<p>End</p><em>(Hidden content. Open the message to read it.)</em><p>b</p>",
    "End\n(Hidden content. Open the message to read it.)\nb",
  ],
  [
    "formulas",
    '<p><span class="katex"><span><math><mi>x</mi><annotation>x^2</annotation></math></span>' +
      '<span class="katex-html"><span>x2</span></span></span> b</p>',
    "<p>x^2 b</p>",
    "x^2 b",
  ],
  [
    "quotes and lists",
    "<blockquote>\n<p>a<br>\nb</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n<p>d</p>",
    "<blockquote>\n<p>a<br>\nb</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n<p>d</p>",
    "> a\n> b\n> - c\nd",
  ],
  [
    "code",
    '<div class="codehilite"><pre><span></span><code><span class="k">if</span> x:\n  y\n' +
      "</code></pre></div>",
    "<pre><code>if x:\n  y\n</code></pre>",
    "if x:\n  y",
  ],
];

test.each(CASES)("%s", (_title, rendered, html, text) => {
  expect(excerptOf(rendered, BASE, context)).toEqual({ html, text });
});

test("text without addresses shows links by their text only", () => {
  const input = '<p><a href="/#narrow/x">#a &gt; b</a> and <a href="https://a.example/">c</a></p>';
  const { text } = excerptOf(input, BASE, { ...context, hasAddresses: false });
  expect(text).toBe("#a > b and c");
});

test("outputs only plain elements for any input", () => {
  const pieces = [
    "<p>",
    "</p>",
    "<a href='",
    "'>",
    "<script>",
    "<!--",
    "<b",
    '"',
    "&#60;",
    "x",
    "</",
  ];
  for (let seed = 1; seed < 500; seed++) {
    const value = Array.from(
      { length: 12 },
      (_, index) => pieces[(seed * (index + 7) ** 2) % 11],
    ).join("");
    const { html } = excerptOf(value, BASE, context);
    const tags = html.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) expect(tag).toMatch(/^<\/?(a|b|p)( href="https:\/\/[^"<>]*")?>$/);
  }
});
