// Images, audio and videos in messages, and where their previews are placed.
import { describe, expect, test } from "bun:test";
import { render } from "../../src/text/markdown/render.ts";
import { renderContext } from "./markdown-fixture.ts";

function cases(title: string, rows: readonly (readonly [source: string, html: string])[]) {
  describe(title, () => {
    test.each(rows)("%j", (source, html) =>
      expect(render(source, renderContext()).html).toBe(html),
    );
  });
}

const CAT = "/user_uploads/2/4c/tok/cat.png";
const CAT_URL = `https://chat.example.com${CAT}`;
const CLIP = "/user_uploads/2/9b/tok/clip.mp4";
const FAR_IMAGE = "https://a.org/far.png";
const thumb = (path: string, format = "840x560.webp") =>
  `/user_uploads/thumbnail/${path}/${format}`;

function picture(href: string, title: string | undefined, image: string) {
  const suffix = title === undefined ? "" : ` title="${title}"`;
  return `<div class="message_inline_image"><a href="${href}"${suffix}><img ${image}></a></div>`;
}

const original = (type: string) =>
  `data-original-content-type="${type}" data-original-dimensions="1200x800"`;
const catImage = `${original("image/png")} src="${thumb("2/4c/tok/cat.png")}"`;
const cat = (title?: string) => picture(CAT, title, catImage);
const farPicture = (title?: string) => picture(FAR_IMAGE, title, `src="${FAR_IMAGE}"`);
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;

cases("pictures", [
  [`[cat.png](${CAT})`, `<p>${link(CAT, "cat.png")}</p>\n${cat("cat.png")}`],
  [`[](${CAT})`, cat()],
  [
    "[d](/user_uploads/2/4c/tok/dance.gif)",
    `<p>${link("/user_uploads/2/4c/tok/dance.gif", "d")}</p>\n` +
      picture(
        "/user_uploads/2/4c/tok/dance.gif",
        "d",
        `data-animated="true" ${original("image/gif")} ` +
          `src="${thumb("2/4c/tok/dance.gif", "840x560-anim.webp")}"`,
      ),
  ],
  [
    "[s](/user_uploads/2/4c/tok/scan.tiff)",
    `<p>${link("/user_uploads/2/4c/tok/scan.tiff", "s")}</p>\n` +
      picture(
        "/user_uploads/2/4c/tok/scan.tiff",
        "s",
        `${original("image/tiff")} data-transcoded-image="1200x800.webp" ` +
          `src="${thumb("2/4c/tok/scan.tiff")}"`,
      ),
  ],
  [
    "[s](/user_uploads/2/4c/tok/slow.png)",
    `<p>${link("/user_uploads/2/4c/tok/slow.png", "s")}</p>\n` +
      picture(
        "/user_uploads/2/4c/tok/slow.png",
        "s",
        `class="image-loading-placeholder" ${original("image/png")} ` +
          `src="/static/images/loading/loader-black.svg"`,
      ),
  ],
  [
    "[b](/user_uploads/2/4c/tok/broken.png)",
    `<p>${link("/user_uploads/2/4c/tok/broken.png", "b")}</p>`,
  ],
  ["[x](/user_uploads/2/zz/none.png)", `<p>${link("/user_uploads/2/zz/none.png", "x")}</p>`],
  [
    "[c](https://chat.example.com/user_uploads/2/4c/tok/cat.png)",
    `<p>${link("user_uploads/2/4c/tok/cat.png", "c")}</p>\n${cat("c")}`,
  ],
  [
    "[`c` & d](https://a.org/far.png)",
    `<p>${link(FAR_IMAGE, "<code>c</code> &amp; d")}</p>\n${farPicture("c &amp; d")}`,
  ],
  ["https://a.org/x.html?y.png", `<p>${link("https://a.org/x.html?y.png")}</p>`],
  [
    "https://a.org/X.JPEG?y#z",
    picture("https://a.org/X.JPEG?y#z", undefined, 'src="https://a.org/X.JPEG?y#z"'),
  ],
]);

cases("where previews go", [
  [`see ${FAR_IMAGE} ok`, `<p>see ${link(FAR_IMAGE)} ok</p>\n${farPicture()}`],
  [FAR_IMAGE, farPicture()],
  [
    `${FAR_IMAGE}\n${FAR_IMAGE}`,
    `<p>${link(FAR_IMAGE)}<br>\n${link(FAR_IMAGE)}</p>\n${farPicture()}`,
  ],
  [
    `a ${FAR_IMAGE} [c](${CAT})\n\nb`,
    `<p>a ${link(FAR_IMAGE)} ${link(CAT, "c")}</p>\n${farPicture()}${cat("c")}<p>b</p>`,
  ],
  [`- ${FAR_IMAGE}`, `<ul>\n<li>${farPicture()}</li>\n</ul>`],
  [
    `- [c](${CAT}) and ${FAR_IMAGE}`,
    `<ul>\n<li>${link(CAT, "c")} and ${link(FAR_IMAGE)}${cat("c")}${farPicture()}</li>\n</ul>`,
  ],
  [`- a\n\n- ${FAR_IMAGE}`, `<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n${farPicture()}</li>\n</ul>`],
  [
    `- ${FAR_IMAGE}\n  - b`,
    `<ul>\n<li>${link(FAR_IMAGE)}<ul>\n<li>b</li>\n</ul>\n${farPicture()}</li>\n</ul>`,
  ],
  [
    `${FAR_IMAGE}\n\n> ${FAR_IMAGE}\n\n---\n${CAT_URL}`,
    `${farPicture()}<blockquote>\n<p>${link(FAR_IMAGE)}</p>\n</blockquote>\n<hr>\n${cat()}`,
  ],
  [
    `| a |\n| - |\n| [c](${CAT}) |`,
    `<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n` +
      `<td>${link(CAT, "c")}</td>\n</tr>\n</tbody>\n</table>\n${cat("c")}`,
  ],
  [
    `\`\`\`spoiler [c](${CAT})\nb\n\`\`\``,
    `<div class="spoiler-block"><div class="spoiler-header">\n<p>${link(CAT, "c")}</p>\n` +
      `${cat("c")}</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>`,
  ],
  [`**[c](${CAT})**\n\nb`, `<p><strong>${link(CAT, "c")}</strong></p>\n<p>b</p>\n${cat("c")}`],
  [`- *[c](${CAT})*`, `<ul>\n<li><em>${link(CAT, "c")}</em></li>\n</ul>\n${cat("c")}`],
  [`# ${FAR_IMAGE}\nb`, `<h1>${link(FAR_IMAGE)}</h1>\n<p>b</p>\n${farPicture()}`],
  [`> ${FAR_IMAGE}`, `<blockquote>\n<p>${link(FAR_IMAGE)}</p>\n</blockquote>`],
  [
    `\`\`\`spoiler A\n${FAR_IMAGE}\n\`\`\``,
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>A</p>\n</div>' +
      `<div class="spoiler-content" aria-hidden="true">\n${farPicture()}</div></div>`,
  ],
]);

const inline = (rest: string) => `<p>Look: <img alt="cat" class="${rest}></p>`;

cases("media in the text", [
  [
    `Look: ![cat](${CAT})`,
    inline(
      `inline-image" ${original("image/png")} data-original-src="${CAT}" ` +
        `src="${thumb("2/4c/tok/cat.png")}"`,
    ),
  ],
  [
    "Look: ![cat](/user_uploads/2/4c/tok/slow.png)",
    inline(
      `inline-image image-loading-placeholder" ${original("image/png")} ` +
        'data-original-src="/user_uploads/2/4c/tok/slow.png" ' +
        'src="/static/images/loading/loader-black.svg"',
    ),
  ],
  [
    "![song](/user_uploads/2/7a/tok/song.mp3)",
    '<p><audio controls preload="metadata" src="/user_uploads/2/7a/tok/song.mp3" ' +
      'title="song"></audio></p>',
  ],
  [
    "![](/user_uploads/2/7a/tok/song.mp3)",
    '<p><audio controls preload="metadata" src="/user_uploads/2/7a/tok/song.mp3"></audio></p>',
  ],
  [
    "![](/user_uploads/2/7a/tok/song.wav)",
    '<p><audio controls preload="metadata" src="/user_uploads/2/7a/tok/song.wav"></audio></p>',
  ],
  [`![f](${FAR_IMAGE})`, `<p>!${link(FAR_IMAGE, "f")}</p>\n${farPicture("f")}`],
]);

const CLIP_URL = `https://chat.example.com${CLIP}`;
const LIST = "https://www.youtube.com/playlist?list=abcdefghi-_";
const clip =
  `<div class="message_inline_image message_inline_video"><a href="${CLIP}">` +
  `<video preload="metadata" src="${CLIP}"></video></a></div>`;
const escaped = (url: string) => url.replaceAll("&", "&amp;");
const youtube = (url: string) =>
  '<div class="youtube-video message_inline_image"><a data-id="abcdefghi-_" ' +
  `href="${escaped(url)}"><img src="https://i.ytimg.com/vi/abcdefghi-_/mqdefault.jpg"></a></div>`;

cases("videos", [
  [
    `[clip.mp4](${CLIP})`,
    `<p>${link(CLIP, "clip.mp4")}</p>\n` +
      `<div class="message_inline_image message_inline_video"><a href="${CLIP}" title="clip.mp4">` +
      `<video preload="metadata" src="${CLIP}"></video></a></div>`,
  ],
  [`- ${CLIP_URL}`, `<ul>\n<li>${clip}</li>\n</ul>`],
  ["https://vimeo.com/7", `<p>${link("https://vimeo.com/7")}</p>`],
  ...[
    "https://youtu.be/abcdefghi-_",
    "https://www.youtube.com/watch?t=1&v=abcdefghi-_",
    "http://www.youtube.com/watch_videos?video_ids=abcdefghi-_,nOJgD4fcZhI",
    "https://m.youtube.com/shorts/abcdefghi-_?x",
  ].map((url) => [url, `<p>${link(escaped(url))}</p>\n${youtube(url)}`] as const),
  [
    "- https://youtu.be/abcdefghi-_",
    `<ul>\n<li>${link("https://youtu.be/abcdefghi-_")}` +
      `${youtube("https://youtu.be/abcdefghi-_")}</li>\n</ul>`,
  ],
  [LIST, `<p>${link(LIST)}</p>`],
]);

cases("pages that hold one picture", [
  [
    "https://en.wikipedia.org/wiki/File:A,_b.jpg",
    picture(
      "https://en.wikipedia.org/wiki/Special:FilePath/File:A,_b.jpg",
      undefined,
      'src="https://en.wikipedia.org/wiki/Special:FilePath/File:A,_b.jpg"',
    ),
  ],
  [
    "https://github.com/o/r/blob/main/a/b.png",
    picture(
      "https://github.com/o/r/blob/main/a/b.png",
      undefined,
      'src="https://raw.githubusercontent.com/o/r/main/a/b.png"',
    ),
  ],
]);

describe("finds", () => {
  test("pictures, and URLs only if they have no preview", () => {
    const html = render(`${FAR_IMAGE} https://a.org ![cat](${CAT})`, renderContext());
    expect(html.has_image).toBe(true);
    expect(html.upload_path_ids).toEqual(["2/4c/tok/cat.png"]);
    expect(html.preview_urls).toEqual(["https://a.org"]);
    expect(render(`[c](${CLIP})`, renderContext()).has_image).toBe(false);
  });

  test("shows no preview if the organization disabled pictures", () => {
    const html = render(FAR_IMAGE, renderContext({ inline_image_preview: false }));
    expect(html.html).toBe(`<p>${link(FAR_IMAGE)}</p>`);
    expect(html.has_image).toBe(false);
  });

  test("shows no preview if there are more than 24 links", () => {
    const pictures = (count: number) =>
      Array.from({ length: count }, (_, i) => `https://a.org/${i}.png x`).join("\n");
    expect(render(pictures(24), renderContext()).html.split("<img").length).toBe(25);
    const html = render(pictures(25), renderContext());
    expect(html.html).not.toContain("<img");
    expect(html.preview_urls).toEqual([]);
  });
});
