// Links of the Markdown dialect: titled, bare, to channels and topics, and by linkifiers.
import { describe, expect, test } from "bun:test";
import type { RenderContext } from "../../src/text/markdown/context.ts";
import { render } from "../../src/text/markdown/render.ts";
import { renderContext } from "./markdown-fixture.ts";

type Case = readonly [source: string, html: string];

function cases(title: string, rows: readonly Case[], changes: Partial<RenderContext> = {}) {
  describe(title, () => {
    test.each(rows)("%j", (source, html) => {
      expect(render(source, renderContext(changes)).html).toBe(`<p>${html}</p>`);
    });
  });
}

const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;

cases("worded links", [
  ["[Docs](https://example.com/d)", link("https://example.com/d", "Docs")],
  ["[](https://example.com)", link("https://example.com")],
  ['[x](https://example.com "T & Q")', '<a href="https://example.com" title="T &amp; Q">x</a>'],
  ["[x](https://example.com 'T')", '<a href="https://example.com" title="T">x</a>'],
  ["[x](example.com)", link("http://example.com", "x")],
  ["[x](localhost:9000/a)", link("http://localhost:9000/a", "x")],
  ["[x](me@example.com)", link("mailto:me@example.com", "x")],
  ["[x](/path) [y](#narrow/dm)", `${link("/path", "x")} ${link("#narrow/dm", "y")}`],
  ["[x](//example.com)", link("http://example.com", "x")],
  ["[x](<https://example.com/a b>)", link("https://example.com/a%20b", "x")],
  ["[x](https://example.com/a b)", `[x](${link("https://example.com/a")} b)`],
  ["[x](https://example.com/w_(y))", link("https://example.com/w_(y)", "x")],
  ["[a [b] c](https://example.com)", link("https://example.com", "a [b] c")],
  ["[**x** :tada:](https://example.com)", link("https://example.com", "**x** :tada:")],
  ["[`x`](https://example.com)", link("https://example.com", "<code>x</code>")],
  ["[x] (/path)", "[x] (/path)"],
  ["[x](javascript:y)", "[x](javascript:y)"],
  ["[x](JavaScript:y) [x](data:y)", "[x](JavaScript:y) [x](data:y)"],
  ["[x](java&#115;cript:y)", link("http://java&amp;#115;cript:y", "x")],
  ["[x](tel:123) [y](magnet:?z)", `${link("tel:123", "x")} ${link("magnet:?z", "y")}`],
  ["[x](mid:9.1@example.com/part@example.com)", link("mid:9.1@example.com/part@example.com", "x")],
  ["[x](mid:9.1@example.com)", link("mid:9.1@example.com", "x")],
  ["[x](asanadesktop://task/1)", link("asanadesktop://task/1", "x")],
  ["[f](https://chat.example.com/user_uploads/2/ab/f.pdf)", link("user_uploads/2/ab/f.pdf", "f")],
  ["[f](/user_uploads/2/ab/f.pdf)", link("/user_uploads/2/ab/f.pdf", "f")],
  ["[x](https://chat.example.com/#narrow/is/starred)", link("#narrow/is/starred", "x")],
  ["[x](https://chat.example.com/#channels/all)", link("#channels/all", "x")],
  ["[x](https://chat.example.com/not:own)", link("https://chat.example.com/not:own", "x")],
  [
    "[x](https://chat.example.community/#narrow/x)",
    link("https://chat.example.community/#narrow/x", "x"),
  ],
  ["**[x](/y)**", `<strong>${link("/y", "x")}</strong>`],
  ["[x](/y)[z](/w)", link("/y", "x") + link("/w", "z")],
]);

cases("bare addresses", [
  ["http://[::1]/", link("http://[::1]/")],
  ["(see https://[2001:db8::ff]:8080/a?b)", `(see ${link("https://[2001:db8::ff]:8080/a?b")})`],
  ["http://[::ffff:10.0.0.1].", `${link("http://[::ffff:10.0.0.1]")}.`],
  ["http://[zz]/ http://[] http://[1]", "http://[zz]/ http://[] http://[1]"],
  ["見てhttps://a.example/x。次", `見て${link("https://a.example/x")}。次`],
  [
    "（https://a.example/x）「http://a.example」",
    `（${link("https://a.example/x")}）「${link("http://a.example")}」`,
  ],
  [
    "https://a.example/文書、https://b.example！",
    `${link("https://a.example/文書")}、${link("https://b.example")}！`,
  ],
  ["“https://a.example/x”，", `“${link("https://a.example/x")}”，`],
  ["« https://a.example/x »…", `« ${link("https://a.example/x")} »…`],
  [
    "„https://a.example/x“ ‘https://b.example’",
    `„${link("https://a.example/x")}“ ‘${link("https://b.example")}’`,
  ],
  [
    "https://a.example/x… https://b.example؟",
    `${link("https://a.example/x")}… ${link("https://b.example")}؟`,
  ],
  ["https://a.example/“x”/y", link("https://a.example/“x”/y")],
  ["example.com。", `${link("http://example.com", "example.com")}。`],
  ["https://example.com", link("https://example.com")],
  ["obsidian://open?vault=a", link("obsidian://open?vault=a")],
  ["(zotero://select/items/1)", `(${link("zotero://select/items/1")})`],
  ["日本語https://example.com", `日本語${link("https://example.com")}`],
  ["「example.com", `「${link("http://example.com", "example.com")}`],
  ["xhttps://example.com xobsidian://a", "xhttps://example.com xobsidian://a"],
  ["see example.com/a.", `see ${link("http://example.com/a", "example.com/a")}.`],
  [
    "example.com:8080/a?b=c&d#e",
    link("http://example.com:8080/a?b=c&amp;d#e", "example.com:8080/a?b=c&amp;d#e"),
  ],
  ["https://example.com?q=1", link("https://example.com?q=1")],
  ["(https://example.com/w_(x))", `(${link("https://example.com/w_(x)")})`],
  ["<https://example.com>", `&lt;${link("https://example.com")}&gt;`],
  [
    `"https://example.com", 'a.org':`,
    `"${link("https://example.com")}", '${link("http://a.org", "a.org")}':`,
  ],
  ["http://localhost:9000/x!?", `${link("http://localhost:9000/x")}!?`],
  ["me@example.com", link("mailto:me@example.com", "me@example.com")],
  [
    "bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
    link("bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT"),
  ],
  [
    "https://chat.example.com/#narrow/is/dm",
    link("#narrow/is/dm", "https://chat.example.com/#narrow/is/dm"),
  ],
  ["münchen.de", link("http://münchen.de", "münchen.de")],
  ["notes.md x.py a.zip b.mov C.java", "notes.md x.py a.zip b.mov C.java"],
  ["a.run() me@example.com/z", "a.run() me@example.com/z"],
  ["xhttps://example.com", "xhttps://example.com"],
  ["https://example.com/a(b", "https://example.com/a(b"],
  ["e.g. 3.14 a..com .com", "e.g. 3.14 a..com .com"],
  [
    `https://example.com/${"(".repeat(7)}${")".repeat(7)}`,
    `https://example.com/${"(".repeat(7)}${")".repeat(7)}`,
  ],
  ["`x`example.com", "<code>x</code>example.com"],
]);

const channel = (path: string, text: string, kind = "stream-topic") =>
  `<a class="${kind}" data-stream-id="9" ` +
  `href="/#narrow/channel/9-design${path}">#design${text}</a>`;
const message = (path: string, text: string) =>
  `<a class="message-link" href="/#narrow/channel/9-design${path}">#design${text}</a>`;

cases("channels, topics and messages", [
  ["#**design**", channel("", "", "stream")],
  ["#**design>new logo**", channel("/topic/new.20logo/with/214", " &gt; new logo")],
  ["#**design>a/b c.d**", channel("/topic/a.2Fb.20c.2Ed/with/214", " &gt; a/b c.d")],
  ["#**design>quiet**", channel("/topic/quiet", " &gt; quiet")],
  ["#**design>**", channel("/topic//with/214", " &gt; <em>general chat</em>")],
  ["#**design>new logo@214**", message("/topic/new.20logo/near/214", " &gt; new logo @ 💬")],
  ["#**design>@214**", message("/topic//near/214", " &gt; <em>general chat</em> @ 💬")],
  [
    "#**R&D / ops v1.2**",
    '<a class="stream" data-stream-id="10" ' +
      'href="/#narrow/channel/10-R.26D-.2F-ops-v1.2E2">#R&amp;D / ops v1.2</a>',
  ],
  ["#**Design**", "#<strong>Design</strong>"],
  ["#**secret>x**", "#<strong>secret&gt;x</strong>"],
  ["a#**design**", "a#<strong>design</strong>"],
  ["(#**design**)", `(${channel("", "", "stream")})`],
]);

const ticket = { pattern: "T(?P<n>[0-9]+)", url_template: "https://t.example.com/{n}" };
const repository = {
  pattern: "(?P<repo>[a-z/]+)#(?P<id>[0-9]+)",
  url_template: "https://g.example.com/{+repo}/i{?id}",
};
const linkifiers = [ticket, repository, { pattern: "(", url_template: "https://example.com" }];
const t12 = link("https://t.example.com/12", "T12");

cases(
  "linkifiers",
  [
    ["fix T12", `fix ${t12}`],
    ["(T12), T12.", `(${t12}), ${t12}.`],
    ["T12 T12", `${t12} ${t12}`],
    ["T12a xT12", "T12a xT12"],
    ["**T12**", "<strong>T12</strong>"],
    ["`T12` [T12](/x)", `<code>T12</code> ${link("/x", "T12")}`],
    ["a/b#7", link("https://g.example.com/a/b/i?id=7", "a/b#7")],
  ],
  { linkifiers },
);

test("a linkifier creates no link of a forbidden scheme", () => {
  const linkifiers = [{ pattern: "(?P<all>.*)", url_template: "{+all}" }];
  expect(render("javascript:x", renderContext({ linkifiers })).html).toBe("<p>javascript:x</p>");
});

describe("finds", () => {
  test("links and uploads, also in quotes; pages to preview outside of them", () => {
    const source =
      "https://a.org [f](/user_uploads/2/ab/f.pdf) https://a.org\n\n> https://b.org\n\n" +
      "> [g](https://chat.example.com/user_uploads/2/ab/g%20h.pdf) [f](/user_uploads/2/ab/f.pdf)";
    const html = render(source, renderContext());
    expect(html.has_link).toBe(true);
    expect(html.upload_path_ids).toEqual(["2/ab/f.pdf", "2/ab/g h.pdf"]);
    expect(html.preview_urls).toEqual(["https://a.org"]);
  });

  test("links to channels, topics and messages", () => {
    for (const path of ["design", "design>new", "design>new@3"]) {
      expect(render(`> #**${path}**`, renderContext()).has_link).toBe(true);
    }
    expect(render("#**unknown**", renderContext()).has_link).toBe(false);
    const links = Array.from({ length: 24 }, (_, index) => `#**design>${index}**`).join(" ");
    expect(render(`${links} https://a.org/x.png`, renderContext()).html).not.toContain("<img");
  });

  test("finds no links in plain text and in code", () => {
    const html = render("rain `https://a.org`", renderContext());
    expect(html.has_link).toBe(false);
    expect(html.preview_urls).toEqual([]);
    expect(html.upload_path_ids).toEqual([]);
  });
});
