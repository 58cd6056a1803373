// Link previews: metadata that is read from a page, and the resulting HTML.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { linkedPage } from "../../src/text/linked-page.ts";
import { render } from "../../src/text/markdown/render.ts";
import { renderContext } from "./markdown-fixture.ts";

const ADDRESS = "https://news.example/2031/p?a=1#x";
const IMAGE = '<meta property="og:image" content="https://news.example/i.png">';
const read = (head: string) => linkedPage(`<!doctype html><html><head>${head}</head>`, ADDRESS);
const page = { title: "", description: "", image: "https://news.example/i.png" };

describe("metadata of a page", () => {
  test.each([
    ["nothing", "", undefined],
    ["no picture", '<title>T</title><meta property="og:title" content="T">', undefined],
    ["a picture alone", IMAGE, page],
    ["its title", `<title> A\n &amp; B </title>${IMAGE}`, { ...page, title: "A & B" }],
    [
      "a title of its own for previews",
      `<title>A</title>${IMAGE}<meta property="og:title" content="B">`,
      { ...page, title: "B" },
    ],
    ["the first of several", `${IMAGE}<meta property="og:image" content="/2.png">`, page],
    [
      "a description",
      `${IMAGE}<META NAME='og:description' CONTENT='a &lt;b>&#10;c'>`,
      { ...page, description: "a <b> c" },
    ],
    ["blank words", `${IMAGE}<meta property="og:description" content=" "><title> </title>`, page],
    ["a picture by its path", '<meta property="og:image" content=" /i.png ">', page],
    ["a picture by another name", '<meta property="og:image:url" content="../i.png">', page],
    ["a picture that is none", '<meta property="og:image" content="javascript:x">', undefined],
    [
      "a picture that is within",
      '<meta property="og:image" content="data:image/png,x">',
      undefined,
    ],
    [
      "what the body says",
      `</head><body><p><meta property="og:image" content="/i.png">`,
      undefined,
    ],
    ["what comments say", `<!-- ${IMAGE} -->`, undefined],
    ["what scripts say", `<script>"${IMAGE.replaceAll('"', "'")}"</script>`, undefined],
    [
      "a title in a drawing",
      `${IMAGE}<title>A</title><svg><title>B</title></svg>`,
      { ...page, title: "A" },
    ],
  ])("%s", (_title, head, read_as) => expect(read(head)).toEqual(read_as));

  test("the image's URL cannot end its style", () => {
    const linkedPage = read('<meta property="og:image" content="/a?&quot;);x:url(\\&#39;">');
    expect(linkedPage?.image).toBe("https://news.example/a?%22%29;x:url%28%5c%27");
  });

  test("truncates long words, and drops an image with an endless URL", () => {
    const linkedPage = read(`${IMAGE}<title>${"a".repeat(301)}</title>`);
    expect(linkedPage?.title).toBe(`${"a".repeat(299)}…`);
    expect(read(`<meta property="og:image" content="/${"a".repeat(2_000)}">`)).toBeUndefined();
  });

  test("does not follow endless nesting", () => {
    expect(read("<svg>".repeat(100_000) + IMAGE)).toBeUndefined();
    expect(read("<meta>".repeat(1_000) + IMAGE)).toEqual(page);
  });

  test("parts are plain and bounded for any input", () => {
    const bits = [
      "<meta ",
      "property=",
      "og:image",
      '"',
      "'",
      " content=",
      "<title>",
      "</title",
      ">",
    ];
    const parts = fc.constantFrom(...bits, IMAGE, "\\", "(", ")", "<head>", "<!--", "\ud800", "\0");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (all) => {
        const details = linkedPage(all.join(""), ADDRESS);
        if (details === undefined) return true;
        expect(details.image).toMatch(/^https?:\/\/[^"'()\\\s]*$/);
        expect(details.title + details.description).not.toMatch(/[\0\n]/);
        return true;
      }),
      { seed: 62_000, numRuns: 2_000 },
    );
  });
});

describe("in a message", () => {
  const renderContextWith = (pages: Record<string, object>) =>
    renderContext({ page: (url) => pages[url] && { ...page, ...pages[url] } });
  const a = (url: string) => `<a href="${url}">${url}</a>`;
  const A = "https://a.org/p";
  const picture = (url: string) =>
    `<a class="message_embed_image" href="${url}" style="background-image: ` +
    'url(&quot;https://news.example/i.png&quot;)"></a>';
  const embedHtml = (url: string, text = "") =>
    `<div class="message_embed">${picture(url)}<div class="data-container">${text}</div></div>`;

  test("shows the page at the end, and keeps the link", () => {
    const { html, preview_urls } = render(
      `${A}\n\nrain`,
      renderContextWith({ [A]: { title: '"T"' } }),
    );
    const words = `<a href="${A}" title="&quot;T&quot;">"T"</a>`;
    const title = `<div class="message_embed_title">${words}</div>`;
    expect(html).toBe(`<p>${a(A)}</p>\n<p>rain</p>\n${embedHtml(A, title)}`);
    expect(preview_urls).toEqual([]);
  });

  test("a description is plain text", () => {
    const { html } = render(
      `*see* [it](${A})`,
      renderContextWith({ [A]: { description: "<b>&amp;" } }),
    );
    const words = '<div class="message_embed_description">&lt;b&gt;&amp;amp;</div>';
    expect(html).toBe(`<p><em>see</em> <a href="${A}">it</a></p>\n${embedHtml(A, words)}`);
  });

  test("shows a page once, and none of a quote", () => {
    const { html, preview_urls } = render(
      `${A} ${A}\n> https://b.org`,
      renderContextWith({ [A]: {} }),
    );
    expect(html.split("message_embed_image").length).toBe(2);
    expect(preview_urls).toEqual([]);
  });

  test("pictures and videos need no page, external videos need their title", () => {
    const video = "https://youtu.be/abcdefghijk";
    const links = `https://a.org/b.png https://a.org/c.mp4 ${video}`;
    expect(render(links, renderContext()).preview_urls).toEqual([video]);
  });

  test("a bare link to a video shows its title, others keep their text", () => {
    const video = "https://youtu.be/abcdefghijk";
    const { html } = render(
      `${video}\n\n[it](${video})`,
      renderContextWith({ [video]: { title: '"T" & co' } }),
    );
    expect(html).toStartWith(
      `<p><a href="${video}">YouTube - "T" &amp; co</a></p>\n<div class="yo`,
    );
    expect(html).toEndWith(`</div><p><a href="${video}">it</a></p>`);
  });

  test("shows an external video at the end, with its player", () => {
    const video = "https://vimeo.com/123";
    const { html } = render(`${video}\n\nrain`, renderContextWith({ [video]: { title: 'a "b"' } }));
    expect(html).toBe(
      `<p><a href="${video}">Vimeo - a "b"</a></p>\n<p>rain</p>\n` +
        '<div class="embed-video message_inline_image"><a data-id="&lt;iframe ' +
        "src=&quot;https://player.vimeo.com/video/123&quot; width=&quot;640&quot; " +
        "height=&quot;360&quot; frameborder=&quot;0&quot; allow=&quot;autoplay; fullscreen; " +
        'picture-in-picture&quot; title=&quot;a &amp;quot;b&amp;quot;&quot;&gt;&lt;/iframe&gt;" ' +
        `href="${video}" title="a &quot;b&quot;"><img src="https://news.example/i.png"></a></div>`,
    );
  });

  test("the first five pages count", () => {
    const urls = [1, 2, 3, 4, 5, 6, 7].map((n) => `https://a.org/${n}`);
    const { html, preview_urls } = render(
      urls.join(" "),
      renderContextWith({ [urls[1]!]: {}, [urls[5]!]: {} }),
    );
    expect(preview_urls).toEqual([urls[0]!, urls[2]!, urls[3]!, urls[4]!]);
    expect(html).toContain(embedHtml(urls[1]!));
    expect(html).not.toContain(embedHtml(urls[5]!));
  });
});
