// Previews below links: images and videos.
import { videoAt } from "../oembed.ts";
import type { LinkedPage } from "../linked-page.ts";
import { uploadPathId } from "./addresses.ts";
import type { RenderContext } from "./context.ts";
import type { FoundLink } from "./findings.ts";
import { withLeadingSlash, thumbnail } from "./inline/media.ts";
import { escapeAttribute } from "./serialize.ts";
import { element, textOf } from "./tree.ts";
import type { Attributes, Element } from "./tree.ts";

export interface Preview {
  preview: Element;
  /** A bare link on its own is replaced by its preview. */
  replaces: boolean;
  isPicture: boolean;
}

const PICTURE = /\.(?:bmp|gif|jpe|jpe?g|png|webp)$/i;
const VIDEO = /\.(?:mp4|webm)$/i;
const VIDEO_TYPES = new Set(["video/mp4", "video/webm"]);

export function previewOf(
  anchor: Element,
  { url, isBare }: FoundLink,
  context: RenderContext,
): Preview | undefined {
  const path_id = uploadPathId(url);
  const title = isBare ? undefined : textOf(anchor);
  if (path_id !== undefined) {
    const upload = context.upload(path_id);
    if (upload === undefined) return undefined;
    const href = withLeadingSlash(url);
    if (VIDEO_TYPES.has(upload.content_type)) return video(href, title);
    const attributes = thumbnail(href, upload);
    return attributes && picture(href, title, attributes);
  }
  if (!/^https?:\/\//.test(url)) return undefined;
  const linked = videoAt(url);
  if (linked?.site === "YouTube") return youtube(url, linked.id);
  const path = pathOf(url);
  if (!PICTURE.test(path)) return VIDEO.test(path) ? video(url, title) : undefined;
  const href = wikipediaFile(url);
  return picture(href, title, { src: githubFile(href) });
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/, "").split(/[?#]/, 1)[0]!;
}

/** The file page of an image on Wikipedia has the image's name. */
function wikipediaFile(url: string): string {
  const WIKI = /^(https?:\/\/[a-z-]+\.(?:m\.)?wikipedia\.org\/wiki\/)(File:)/;
  return url.replace(WIKI, "$1Special:FilePath/$2");
}

function githubFile(url: string): string {
  const BLOB = /^https?:\/\/(?:www\.)?github\.com\/([^/?#]+)\/([^/?#]+)\/blob\//;
  return url.replace(BLOB, "https://raw.githubusercontent.com/$1/$2/");
}

const PICTURE_CLASS = "message_inline_image";

function picture(href: string, title: string | undefined, attributes: Attributes): Preview {
  const anchor = anchorOf(href, title, element("img", attributes));
  const previewElement = element("div", { class: PICTURE_CLASS }, [anchor]);
  return { preview: previewElement, replaces: true, isPicture: true };
}

function video(href: string, title: string | undefined): Preview {
  const video = element("video", { preload: "metadata", src: href });
  const anchor = anchorOf(href, title, video);
  const previewElement = element("div", { class: `${PICTURE_CLASS} message_inline_video` }, [
    anchor,
  ]);
  return { preview: previewElement, replaces: true, isPicture: false };
}

function anchorOf(href: string, title: string | undefined, content: Element): Element {
  return element("a", title === undefined ? { href } : { href, title }, [content]);
}

function youtube(href: string, id: string): Preview {
  const image = element("img", { src: `https://i.ytimg.com/vi/${id}/mqdefault.jpg` });
  const anchor = element("a", { "data-id": id, href }, [image]);
  const previewElement = element("div", { class: `youtube-video ${PICTURE_CLASS}` }, [anchor]);
  return { preview: previewElement, replaces: false, isPicture: false };
}

/** A video with known metadata; clients display the player in a sandbox. */
export function vimeo(href: string, id: string, { title, image }: LinkedPage): Element {
  const video =
    `<iframe src="https://player.vimeo.com/video/${id}" width="640" height="360" ` +
    'frameborder="0" allow="autoplay; fullscreen; picture-in-picture" ' +
    `title="${escapeAttribute(title)}"></iframe>`;
  const imageElement = element("img", { src: image });
  const anchor = element("a", { "data-id": video, href, title }, [imageElement]);
  return element("div", { class: `embed-video ${PICTURE_CLASS}` }, [anchor]);
}
