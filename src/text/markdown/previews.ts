// Shows linked pictures and videos below their links.
import { uploadPathId } from "./addresses.ts";
import { embed } from "./embed.ts";
import type { Findings, FoundLink } from "./findings.ts";
import { rooted, thumbnail } from "./media.ts";
import type { RenderContext } from "./render.ts";
import { element, isElement, textOf } from "./tree.ts";
import type { Attributes, Element, Node } from "./tree.ts";

const LINKS_PREVIEWED_MAX = 24;

const PAGES_PREVIEWED_MAX = 5;

/** Adds the previews to the blocks; returns the addresses of pages of which nothing is known. */
export function placePreviews(blocks: Node[], findings: Findings, context: RenderContext) {
  const { links } = findings;
  if (links.size === 0) return [];
  if (new Set([...links.values()].map(({ url }) => url)).size > LINKS_PREVIEWED_MAX) return [];

  const seen = new Set<string>();
  const embeds: Element[] = [];
  const unknown: string[] = [];
  const previews = new Map<Element, Element>();
  for (const [anchor, found] of links) {
    if (seen.has(found.url)) continue;
    seen.add(found.url);
    const preview = context.inline_image_preview ? previewOf(anchor, found, context) : undefined;
    if (preview !== undefined) {
      previews.set(anchor, preview);
      findings.has_image ||= preview.attributes["class"] === PICTURE_CLASS;
    } else if (/^https?:/.test(found.url) && embeds.length + unknown.length < PAGES_PREVIEWED_MAX) {
      const page = context.page?.(found.url);
      if (page === undefined) unknown.push(found.url);
      else embeds.push(embed(found.url, page));
    }
  }
  if (previews.size > 0) {
    const last: Node[] = [];
    placeIn(blocks, { previews, links, last });
    blocks.push(...last);
  }
  blocks.push(...embeds);
  return unknown;
}

interface Placing {
  previews: ReadonlyMap<Element, Element>;
  links: ReadonlyMap<Element, FoundLink>;
  /** What goes to the end of the message. */
  last: Node[];
}

function placeIn(blocks: Node[], placing: Placing) {
  const placed: Node[] = [];
  for (const block of blocks) {
    if (!isElement(block)) {
      placed.push(block);
    } else if (block.tag === "p") {
      const { own, alone } = ownPreviews(block, placing);
      if (!alone) placed.push(block);
      placed.push(...own);
    } else {
      if (block.tag === "li") placeInItem(block, placing);
      else if (block.flow || block.tag === "div") placeIn(block.children, placing);
      else if (!placing.previews.has(block)) placing.last.push(...previewsWithin(block, placing));
      placed.push(block);
    }
  }
  blocks.splice(0, blocks.length, ...placed);
}

/** In a tight item the links are its own children. */
function placeInItem(item: Element, placing: Placing) {
  const { own, alone } = ownPreviews(item, placing, true);
  if (alone) item.children = item.children.filter((child) => !isLink(child, placing));
  placeIn(item.children, placing);
  item.children.push(...own);
}

/** The previews of the links right within, and whether one bare link is all there is. Those of
 * links deeper within go to the end. */
function ownPreviews(parent: Element, placing: Placing, item = false) {
  const own: Element[] = [];
  let bare = false;
  let others = 0;
  for (const child of parent.children) {
    if (!isElement(child)) {
      others += isBlank(child) ? 0 : 1;
      continue;
    }
    const preview = placing.previews.get(child);
    if (preview === undefined) {
      others++;
      if (!item) placing.last.push(...previewsWithin(child, placing));
      continue;
    }
    own.push(preview);
    bare = placing.links.get(child)!.bare;
  }
  return { own, alone: own.length === 1 && bare && others === 0 };
}

function isBlank(node: Node): boolean {
  return typeof node === "string" && node.trim() === "";
}

function isLink(node: Node, { links }: Placing): boolean {
  return isElement(node) && links.has(node);
}

function previewsWithin(node: Node, placing: Placing): Element[] {
  if (!isElement(node)) return [];
  const own = placing.previews.get(node);
  if (own !== undefined) return [own];
  return node.children.flatMap((child) => previewsWithin(child, placing));
}

const PICTURE = /\.(?:bmp|gif|jpe|jpe?g|png|webp)$/i;
const VIDEO = /\.(?:mp4|webm)$/i;
const VIDEO_TYPES = new Set(["video/mp4", "video/webm"]);

function previewOf(
  anchor: Element,
  { url, bare }: FoundLink,
  context: RenderContext,
): Element | undefined {
  const path_id = uploadPathId(url);
  const title = bare ? undefined : textOf(anchor);
  if (path_id !== undefined) {
    const upload = context.upload(path_id);
    if (upload === undefined) return undefined;
    const href = rooted(url);
    if (VIDEO_TYPES.has(upload.content_type)) return video(href, title);
    const attributes = thumbnail(href, upload);
    return attributes && picture(href, title, attributes);
  }
  if (!/^https?:\/\//.test(url)) return undefined;
  const youtube = youtubeOf(url);
  if (youtube !== undefined) return youtube;
  const [path = ""] = url.replace(/^https?:\/\/[^/?#]*/, "").split(/[?#]/, 1);
  if (PICTURE.test(path)) return picture(url, title, { src: url });
  return VIDEO.test(path) ? video(url, title) : undefined;
}

const PICTURE_CLASS = "message_inline_image";

function picture(href: string, title: string | undefined, attributes: Attributes): Element {
  const anchor = anchorOf(href, title, element("img", attributes));
  return element("div", { class: PICTURE_CLASS }, [anchor]);
}

function video(href: string, title: string | undefined): Element {
  const player = element("video", { preload: "metadata", src: href });
  const anchor = anchorOf(href, title, player);
  return element("div", { class: `${PICTURE_CLASS} message_inline_video` }, [anchor]);
}

function anchorOf(href: string, title: string | undefined, shown: Element): Element {
  return element("a", title === undefined ? { href } : { href, title }, [shown]);
}

const YOUTUBE = new RegExp(
  String.raw`^https?://(?:youtu\.be/|(?:www\.|m\.)?youtube(?:-nocookie)?\.com/` +
    String.raw`(?:watch\?(?:[^#]*&)?v=|embed/|v/|shorts/))([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])`,
);

function youtubeOf(href: string): Element | undefined {
  const id = YOUTUBE.exec(href)?.[1];
  if (id === undefined) return undefined;
  const image = element("img", { src: `https://i.ytimg.com/vi/${id}/mqdefault.jpg` });
  const anchor = element("a", { "data-id": id, href }, [image]);
  return element("div", { class: `youtube-video ${PICTURE_CLASS}` }, [anchor]);
}
