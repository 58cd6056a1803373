// Formats that other programs copy, and the resulting Markdown.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

type PasteCase = readonly [from: string, html: string, becomes: string];

const katex = (tex: string, isDisplayed = false) => {
  const math =
    `<math xmlns="http://www.w3.org/1998/Math/MathML"${isDisplayed ? ' display="block"' : ""}>` +
    `<semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow>` +
    `<annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`;
  const combined =
    `<span class="katex"><span class="katex-mathml">${math}</span>` +
    `<span class="katex-html" aria-hidden="true"><span class="base">E=m</span></span></span>`;
  return isDisplayed ? `<span class="katex-display">${combined}</span>` : combined;
};

const FORMULAS: PasteCase[] = [
  [
    "ChatGPT: a formula in a line",
    `<p data-start="0">So ${katex("E = mc^2")} holds.</p>`,
    "So $$E = mc^2$$ holds.",
  ],
  [
    "ChatGPT: a formula of its own",
    `<p>As in</p>${katex(String.raw`\int_0^1 x\,dx`, true)}<p>above.</p>`,
    ["As in", "", "```math", String.raw`\int_0^1 x\,dx`, "```", "", "above."].join("\n"),
  ],
  [
    "Wikipedia: MathML beside a picture",
    `<p>Euler: <span class="mwe-math-element mwe-math-element-inline">
       <span class="mwe-math-mathml-a11y" style="display: none;">
       <math alttext="{\\displaystyle e^{i\\pi }}"><semantics><mrow><mi>e</mi></mrow>
       <annotation encoding="application/x-tex">{\\displaystyle e^{i\\pi }}</annotation>
       </semantics></math></span><img aria-hidden="true" class="mwe-math-fallback-image-inline"
       src="https://wikimedia.org/api/rest_v1/media/math/render/svg/4b7"
       alt="{\\displaystyle e^{i\\pi }}"></span>.</p>`,
    "Euler: $$e^{i\\pi }$$.",
  ],
  [
    "Wikipedia: the picture alone",
    `Mass <img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/9f"
       class="mwe-math-fallback-image-inline" alt="{\\displaystyle m}">!`,
    "Mass $$m$$!",
  ],
  [
    "Skein: a formula as a message shows it",
    `<p>So <math aria-label="a^2"><msup><mi>a</mi><mn>2</mn></msup></math> it is</p>`,
    "So $$a^2$$ it is",
  ],
  [
    "Skein: a formula of its own, as a message shows it",
    `<div class="math"><math aria-label="a^2"
       display="block"><msup><mi>a</mi><mn>2</mn></msup></math></div>`,
    "```math\na^2\n```",
  ],
  [
    "MathJax: a formula beside its MathML",
    `<p>So <mjx-container class="MathJax"><mjx-math><mjx-mi>x</mjx-mi></mjx-math>
       <mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container> is</p>`,
    "So x is",
  ],
  [
    "a page with MathML that names no TeX",
    `<p>So <math><mi>x</mi><mo>+</mo><mn>1</mn></math> it is</p>`,
    "So x+1 it is",
  ],
  [
    "Notion: an equation in a line",
    `<!-- notionvc: 1 --><p>With <span class="notion-text-equation-token">${katex("k_B")}</span>
       known</p>`,
    "With $$k_B$$ known",
  ],
];

const PICTURES: PasteCase[] = [
  [
    "Slack: an emoji with a skin tone",
    `Hi <img data-stringify-type="emoji" alt=":wave::skin-tone-3:" src="https://a.example/w.png">
       <b>now</b>`,
    "Hi :wave: **now**",
  ],
  [
    "a page: emoji that only their label names",
    `Well <img role="img" aria-label="\u{1f600}" src="data:image/svg+xml,x"> <b>done</b>`,
    "Well \u{1f600} **done**",
  ],
  [
    "mail: pictures that nobody sees, in each way",
    `<b>a</b> <img hidden src="https://t.example/p.gif"><img src="https://t.example/p.gif"
       style="max-height:0;max-width:0"><img src="https://t.example/p.gif" style="opacity: 0.0">
       <span style="display:none">preview <img src="https://t.example/p.gif"></span>b`,
    "**a** b",
  ],
  [
    "Slack: emoji as a picture",
    `<span>Done <img data-stringify-type="emoji" alt=":tada:" data-stringify-emoji=":tada:"
       src="https://a.slack-edge.com/production/google-medium/1f389.png"> <b>now</b></span>`,
    "Done :tada: **now**",
  ],
  [
    "Gmail: emoji as a data URI",
    `<div dir="ltr">Well <img data-emoji="🎉" class="an1" alt="🎉" aria-label="🎉"
       src="data:image/png;base64,iVBORw0KGgo="> <i>done</i></div>`,
    "Well 🎉 *done*",
  ],
  [
    "Mastodon: an emoji of the server",
    `<p>so <img draggable="false" class="emojione custom-emoji" alt=":blob_cat:" title=":blob_cat:"
       src="https://files.mastodon.example/blob.png"> <b>it</b> is</p>`,
    "so :blob_cat: **it** is",
  ],
  [
    "GitHub: emoji",
    `<p><g-emoji class="g-emoji" alias="tada">🎉</g-emoji> <b>x</b></p>`,
    "🎉 **x**",
  ],
  [
    "Gmail: a tracking pixel by its size",
    `<p><b>News</b></p><img src="https://mail.example/open?id=1" alt="" width="1" height="1">`,
    "**News**",
  ],
  [
    "a letter: a tracking pixel by its style",
    `<p><b>News</b></p><img src="https://mail.example/open.gif?id=1"
       style="border:0;width:1px;height:1px"><img src="https://x.example/y.gif" style="display:
       none">`,
    "**News**",
  ],
  [
    "a letter: an empty description and no file name",
    `<p><b>News</b></p><img src="https://mail.example/wf/open?upn=abc" alt="">`,
    "**News**",
  ],
  [
    "a page: a picture with a description",
    `<p>See <img src="https://x.example/a(1).png" alt="A cat"></p>`,
    "See [A cat](https://x.example/a%281%29.png)",
  ],
  [
    "a page: a picture without one",
    `<p>See <img src="https://x.example/cat.png?w=9"></p>`,
    "See [cat.png](https://x.example/cat.png?w=9)",
  ],
  [
    "GitHub: a picture in a link",
    `<p><a href="https://ci.example/runs"><img src="https://ci.example/badge.svg"
       alt="build"></a></p>`,
    "[build](https://ci.example/runs)",
  ],
];

const PEOPLE_AND_TIMES: PasteCase[] = [
  [
    "a page: times with a zone in other notations",
    `<p><time datetime="2026-11-28 10:00:00 UTC">a</time>, <time
       datetime="2026-11-28T10:00:00+05">b</time>, <time
       datetime="2026-11-28t10:00:00z">c</time></p>`,
    "<time:2026-11-28T10:00:00Z>, <time:2026-11-28T10:00:00+05:00>, <time:2026-11-28T10:00:00Z>",
  ],
  [
    "Mastodon: a link to a person",
    `<p><span class="h-card"><a href="https://m.example/@bo" class="u-url
       mention">@<span>bo</span></a></span> hi</p>`,
    "[@bo](https://m.example/@bo) hi",
  ],
  [
    "Discourse: a name without a link",
    `<p><span class="mention">@bo</span> <b>hi</b></p>`,
    "@bo **hi**",
  ],
  [
    "Skein: a mention",
    `<p><span class="mention" dir="auto" data-act="card" data-on="9">@Bo</span> <b>hi</b></p>`,
    "@_**Bo|9** **hi**",
  ],
  [
    "a page: a time with a zone",
    `<p>At <time datetime="2026-11-28T10:00:00+01:00">ten</time> then</p>`,
    "At <time:2026-11-28T10:00:00+01:00> then",
  ],
  [
    "GitHub: a relative time",
    `<p>opened <relative-time datetime="2026-11-28T09:00:00Z">2 days ago</relative-time> by</p>`,
    "opened <time:2026-11-28T09:00:00Z> by",
  ],
  [
    "a page: a date, and a time without a zone",
    `<p><time datetime="2026-11-28">28 Nov</time>, <time datetime="2026-11-28T10:00">10
       am</time></p>`,
    "28 Nov, 10 am",
  ],
];

const word = (level: number, marker: string, text: string, path = "Middle") =>
  `<p class="MsoListParagraphCxSp${path}" style="text-indent:-.25in;mso-list:l0 level${level}
       lfo1">` +
  `<!--[if !supportLists]--><span style="font-family:Symbol"><span
       style="mso-list:Ignore">${marker}` +
  `<span style="font:7.0pt &quot;Times New Roman&quot;">&nbsp;&nbsp;&nbsp; </span></span></span>` +
  `<!--[endif]-->${text}<o:p></o:p></p>\n`;

const LISTS_AND_BLOCKS: PasteCase[] = [
  [
    "Word: bullets of other fonts, and numbers",
    ["\u00d8", "v", "\uf0b7", "1.1.", "1.2."]
      .map(
        (sign, at) =>
          `<p class=MsoListParagraph style='mso-list:l0 level${at > 2 ? 2 : 1} x'>` +
          `<span style='mso-list:Ignore'>${sign}<span>&nbsp; </span></span>item</p>`,
      )
      .join(""),
    "- item\n- item\n- item\n  1. item\n  2. item",
  ],
  [
    "Word: a list with a list in it",
    [
      `<p class="MsoNormal">Two:</p>`,
      word(1, "·", "one", "First"),
      word(2, "o", "<b>within</b>"),
      word(1, "·", "two", "Last"),
    ].join(""),
    "Two:\n\n- one\n  - **within**\n- two",
  ],
  [
    "Word: a numbered list",
    `${word(1, "1.", "one", "First")}${word(1, "2.", "two", "Last")}<p class="MsoNormal">End</p>`,
    "1. one\n2. two\n\nEnd",
  ],
  [
    "Outlook: a list whose markers are text",
    `<p class="MsoListParagraph">·&nbsp;&nbsp;&nbsp; one</p><p class="MsoListParagraph">·&nbsp;
       two</p>`,
    "- one\n- two",
  ],
  [
    "Word: a paragraph of a list's style without a marker",
    `<p class="MsoListParagraph">Hence. <b>Not</b> an item</p>`,
    "Hence. **Not** an item",
  ],
  [
    "Google Docs: a checklist",
    `<b style="font-weight:normal;" id="docs-internal-guid-1"><ul style="list-style:none;">
       <li role="checkbox" aria-checked="true"><img src="data:image/png;base64,iVBORw0="
       alt="checked">
       <p style="display:inline;"><span style="font-weight:400">done</span></p></li>
       <li role="checkbox" aria-checked="false"><img src="data:image/png;base64,iVBORw0="
       alt="unchecked"><p style="display:inline;"><span>open</span></p></li></ul></b>`,
    "- [x] done\n- [ ] open",
  ],
  [
    "Slack: two paragraphs",
    `<div class="p-rich_text_section">one <b>bold</b><span aria-label="&nbsp;" class="c-mrkdwn__br"
       data-stringify-type="paragraph-break"></span>two</div>`,
    "one **bold**\n\ntwo",
  ],
  [
    "ChatGPT: code with its language and buttons",
    `<pre class="overflow-visible!"><div><div class="flex">python</div>
       <div><button>Copy code</button></div><div><code class="whitespace-pre! language-python">` +
      `<span>x</span> = 1\n</code></div></div></pre>`,
    "```python\nx = 1\n```",
  ],
  [
    "VS Code: lines in a font of equal widths",
    `<meta charset='utf-8'><div style="color: #ccc;font-family: Consolas, 'Courier New',
       monospace;">
       <div><span style="color: #569cd6;">let</span> a;</div><div>let b;</div></div>`,
    "```\nlet a;\nlet b;\n```",
  ],
  [
    "Wikipedia: footnotes and buttons to edit",
    `<h2>History<span class="mw-editsection">[<a href="https://x.example/e">edit</a>]</span></h2>
       <p>Old.<sup class="reference"><a href="https://x.example/w#cite_note-1">[1]</a></sup></p>`,
    "## History\n\nOld.",
  ],
  [
    "Excel: cells",
    `<table border=0><col width=64><tr height=20><td class=xl65>Name</td><td>Sum</td></tr>
       <tr><td>a</td><td align=right>1&nbsp;000</td></tr></table>`,
    "| Name | Sum |\n| --- | --- |\n| a | 1 000 |",
  ],
  [
    "Google Sheets: cells",
    `<google-sheets-html-origin><style type="text/css">td{border:1px}</style><table><tbody>
       <tr><td>x</td><td>y</td></tr><tr><td>1</td><td>2</td></tr></tbody></table>
       </google-sheets-html-origin>`,
    "| x | y |\n| --- | --- |\n| 1 | 2 |",
  ],
];

/** Dispatches a paste event; `text` is not Markdown, so missing conversions are visible. */
async function pasted(page: Page, html: string): Promise<string> {
  const area = page.locator(".compose textarea");
  await area.fill("");
  const isLines = html.includes("monospace");
  await area.evaluate(
    (node, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", data.text);
      clipboardData.setData("text/html", data.html);
      const payload = { clipboardData, bubbles: true, cancelable: true };
      node.dispatchEvent(new ClipboardEvent("paste", payload));
    },
    { html, text: isLines ? "let a;\nlet b;" : "plain" },
  );
  return (await area.inputValue()).trim();
}

test("turns what other programs copy into Markdown", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const cases = [...FORMULAS, ...PICTURES, ...PEOPLE_AND_TIMES, ...LISTS_AND_BLOCKS];
  const became: [string, string][] = [];
  for (const [from, html] of cases) became.push([from, await pasted(page, html)]);
  expect(became).toEqual(cases.map(([from, , becomes]) => [from, becomes]));
  expect(browserSession.faults).toEqual([]);
});
