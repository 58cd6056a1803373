// Adds previews of links: images and videos below the links, pages at the end of the message.
import { videoAt } from "../oembed.ts";
import type { LinkedPage } from "../linked-page.ts";
import type { RenderContext } from "./context.ts";
import { embed } from "./embed.ts";
import type { Findings, FoundLink } from "./findings.ts";
import { type Preview, previewOf, vimeo } from "./link-previews.ts";
import { isElement, literal } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

const LINKS_PREVIEWED_MAX = 24;

const PAGES_PREVIEWED_MAX = 5;

/** Adds the previews to the blocks. Returns the URLs of pages whose metadata is unknown. */
export function placePreviews(blocks: Node[], findings: Findings, context: RenderContext) {
  const { links } = findings;
  if (links.size === 0) return [];
  if (new Set([...links.values()].map(({ url }) => url)).size > LINKS_PREVIEWED_MAX) return [];

  const urls = new Set<string>();
  const embeds: Element[] = [];
  const unknown: string[] = [];
  const previews = new Map<Element, Preview>();
  let pages = 0;
  for (const [anchor, foundLink] of links) {
    if (urls.has(foundLink.url)) continue;
    urls.add(foundLink.url);
    const preview = context.inline_image_preview
      ? previewOf(anchor, foundLink, context)
      : undefined;
    if (preview !== undefined) previews.set(anchor, preview);
    findings.has_image ||= preview?.isPicture === true;
    const isVideo = videoAt(foundLink.url) !== undefined;
    const isOfPage = /^https?:/.test(foundLink.url) && (preview === undefined || isVideo);
    if (!isOfPage || ++pages > PAGES_PREVIEWED_MAX) continue;
    const page = context.page?.(foundLink.url);
    if (page === undefined) {
      unknown.push(foundLink.url);
      continue;
    }
    if (isVideo) nameVideo(anchor, foundLink, page);
    if (preview === undefined) embeds.push(shownPage(foundLink.url, page));
  }
  if (previews.size > 0) {
    const last: Node[] = [];
    placeIn(blocks, { previews, links, last });
    blocks.push(...last);
  }
  blocks.push(...embeds);
  return unknown;
}

function shownPage(url: string, page: LinkedPage): Element {
  const video = videoAt(url);
  return video?.site === "Vimeo" ? vimeo(url, video.id, page) : embed(url, page);
}

/** A bare link to a video gets the video's title as text. */
function nameVideo(anchor: Element, { url, isBare }: FoundLink, { title }: LinkedPage) {
  if (isBare) anchor.children = [literal(`${videoAt(url)!.site} - ${title}`)];
}

interface PreviewPlacement {
  previews: ReadonlyMap<Element, Preview>;
  links: ReadonlyMap<Element, FoundLink>;
  /** Nodes for the end of the message. */
  last: Node[];
}

function placeIn(blocks: Node[], placement: PreviewPlacement, isItem = false) {
  const nodes: Node[] = [];
  for (const block of blocks) {
    if (!isElement(block)) {
      nodes.push(block);
    } else if (block.tag === "p") {
      const { own, alone: single } = ownPreviews(block, placement);
      if (!single) nodes.push(block);
      // Keeps the line break that the replaced paragraph would start with.
      else if (isItem && nodes.length === 0) nodes.push("\n");
      nodes.push(...own);
    } else {
      if (block.tag === "li") placeInItem(block, placement);
      else if (block.flow || block.tag === "div") placeIn(block.children, placement);
      else if (!placement.previews.has(block))
        placement.last.push(...previewsWithin(block, placement));
      nodes.push(block);
    }
  }
  blocks.splice(0, blocks.length, ...nodes);
}

/** In a tight item, links are direct children. */
function placeInItem(item: Element, placement: PreviewPlacement) {
  const { own, alone: single } = ownPreviews(item, placement, true);
  if (single) item.children = item.children.filter((child) => !isLink(child, placement));
  placeIn(item.children, placement, true);
  item.children.push(...own);
}

/**
 * The previews of direct child links, and whether the parent consists of one bare link. Previews of
 * deeper links are added at the end.
 */
function ownPreviews(parent: Element, placement: PreviewPlacement, isItem = false) {
  const own: Element[] = [];
  let hasPreview = false;
  let others = 0;
  for (const child of parent.children) {
    if (!isElement(child)) {
      others += isBlank(child) ? 0 : 1;
      continue;
    }
    const preview = placement.previews.get(child);
    if (preview === undefined) {
      others++;
      if (!isItem) placement.last.push(...previewsWithin(child, placement));
      continue;
    }
    own.push(preview.preview);
    hasPreview = preview.replaces && placement.links.get(child)!.isBare;
  }
  return { own, alone: own.length === 1 && hasPreview && others === 0 };
}

function isBlank(node: Node): boolean {
  return typeof node === "string" && node.trim() === "";
}

function isLink(node: Node, { links }: PreviewPlacement): boolean {
  return isElement(node) && links.has(node);
}

function previewsWithin(node: Node, placement: PreviewPlacement): Element[] {
  if (!isElement(node)) return [];
  const own = placement.previews.get(node);
  if (own !== undefined) return [own.preview];
  return node.children.flatMap((child) => previewsWithin(child, placement));
}
