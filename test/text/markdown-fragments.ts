// Unusual message fragments and a renderer context, for the fuzzer and the bench.
import { renderContext } from "./markdown-fixture.ts";

export const FRAGMENTS = [
  ..."*_~`$[]()<>|:#@!&\"'\\-+./ \n\t",
  ...["\n\n", "\r\n", "  ", "    ", "**", "***", "~~", "``", "$$", "](", "[a](", "![", "<!--"],
  ...["```", "\n```\n", "\n~~~\n", "\n```quote\n", "\n````spoiler A\n", "\n```math\n", "\n```js\n"],
  ...["> ", "\n> ", "- ", "\n- ", "\n  - ", "1. ", "\n2. ", "# ", "\n## ", "\n---\n", "\n* * *\n"],
  ...["a|b\n-|-\n", "|a|\n|-|\n", "\n:-:|-:\n", "`|`", "x", "word", "7", "/me ", "/poll a\n"],
  ...[
    "@**Mia Ruiz**",
    "@_**Otto <b>|32**",
    "@**all**",
    "@**topic**",
    "@*support*",
    "@*role:moderators*",
  ],
  ...["#**design**", "#**design>a**", "#**design>@1**", '#**R&D / ops v1.2>"><b>@2**', "#**"],
  ...[":tada:", ":big_parrot:", ":zulip:", ":)", "<3", "🎉", "👍🏽", "👩‍🚀", "\u200d"],
  ...["<time:0>", "<time:2031-01-01>", "<time:x", "&lt;", "&#60;script&#62;", "&colon;", "&amp"],
  ...[
    "https://a.org/b.png",
    "http://a.org/(x)",
    "a.com",
    "me@a.org",
    "https://youtu.be/abcdefghijk",
  ],
  ...["https://chat.example.com/#narrow/dm", "/user_uploads/2/4c/tok/cat.png", "b.mp4", "T12"],
  ...["javascript:alert(1)", "data:text/html,x", "vbscript:x", "JaVaScRiPt:", "\u0001javascript:x"],
  ...["[x](javascript:alert(1))", "[x](java&#115;cript:x)", "[x](<javascript:x>)", '[a](/b "c")'],
  ...[
    "<script>alert(1)</script>",
    "<img src=x onerror=y>",
    "<a href='javascript:x'>",
    "</p></div>",
  ],
  ...['" onload="x', "' style='", "<svg/onload=x>", "<style>", '<math><mi//xlink:href="data:x">'],
  ...["$$\\href{javascript:x}{y}$$", "$$\\htmlStyle{x:y}{z}$$", "$$\\frac{a}{b}$$", "$$</span>$$"],
  ...[
    "\\includegraphics{x}",
    "\\def\\a{\\a\\a}\\a",
    "\\url{javascript:x}",
    "\\text{<b>}",
    "\\color{red}",
  ],
  ...["\u0002㐀\u0003", "\u0002", "\u0003", "㐀", "\ud800", "\u0000", "\u2028", "\u00a0"],
  ...["\ufe0f", "\u202e"],
];

/** Linkifiers and pages with the most difficult values. */
export const context = renderContext({
  linkifiers: [
    { pattern: "T(?P<n>[0-9]+)", url_template: "https://t.example.com/{n}" },
    { pattern: "(?P<all>[a-z]+:\\S*)", url_template: "{+all}" },
    { pattern: "word|x.*", url_template: 'https://t.example.com/"><b>' },
  ],
  page: (url) => ({ title: `"><b>${url}`, description: "</div>&", image: "https://a.org/b" }),
});
