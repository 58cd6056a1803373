// Images, videos and previews, with space reserved so that nothing moves when they load.
import { parseUrl } from "../../text/input/parse-url.ts";
import type { IconName } from "./icon-names.ts";
import { t } from "../words/words.ts";
import { element, icon } from "./node.ts";

declare global {
  interface HTMLElementTagNameMap {
    "file-card": HTMLElement;
  }
}

/** Maximum width of a thumbnail in the feed, in pixels. */
const WIDTH_MAX = 480;
const HEIGHT_MAX = 320;

export function enrichMedia(content: DocumentFragment, isStill: boolean): void {
  const files = [...content.querySelectorAll<HTMLAnchorElement>("[href^='/user_uploads/']")];
  for (const link of files) {
    const { href, parentElement: parent, textContent } = link;
    // A link that is the only content of its paragraph and has no preview is displayed as a file.
    const isAlone = parent?.matches("p") && parent.textContent.split("\n").includes(textContent);
    if (!isAlone || files.some((file) => file !== link && file.href === href)) continue;
    // Voice messages open a player beside their link.
    if (/\.(weba|m4a|oga)$/.test(link.pathname)) {
      toCard(link, "file");
      continue;
    }
    // The type and the size are added when the card becomes visible.
    const card = element("file-card");
    link.replaceWith(card);
    card.append(toCard(link, "file"));
  }
  for (const node of content.querySelectorAll<HTMLElement>(".message_inline_image")) {
    enrichPreview(node);
  }
  for (const node of content.querySelectorAll<HTMLElement>(".message_embed")) enrichEmbed(node);
  for (const node of content.querySelectorAll<HTMLImageElement>("img.inline-image")) {
    reserve(node);
    node.dataset["act"] = "lightbox";
    node.tabIndex = 0;
    node.setAttribute("role", "button");
  }
  for (const node of content.querySelectorAll<HTMLImageElement>("img")) enrichPicture(node);
  if (isStill)
    content.querySelectorAll<HTMLImageElement>("img[data-animated]").forEach(freezeImage);
  for (const node of content.querySelectorAll<HTMLMediaElement>("audio, video")) {
    node.controls = true;
    // The media in a spoiler are not loaded before the spoiler is opened.
    node.preload = node.closest(".spoiler") ? "none" : "metadata";
  }
  // Some browsers load lazy images even in closed elements.
  for (const node of content.querySelectorAll<HTMLImageElement>(".spoiler > div img[src]")) {
    node.dataset["src"] = node.getAttribute("src")!;
    node.removeAttribute("src");
  }
}

/** Loads the images of open spoilers, and the images in the visible titles of nested spoilers. */
export function loadSpoilerImages(root: ParentNode): void {
  for (const node of root.querySelectorAll<HTMLImageElement>("img[data-src]")) {
    if (node.closest("details:not([open]) > div")) continue;
    node.src = node.dataset["src"]!;
    delete node.dataset["src"];
  }
}

function enrichPreview(node: HTMLElement): void {
  const [link, picture] = [node.querySelector("a"), node.querySelector("img")];
  const video = node.querySelector("video");
  if (!link) return;
  if (video) {
    video.className = "film";
    video.title = link.title;
    node.replaceWith(element("figure", "shot", video));
    return;
  }
  if (!picture) return;
  // The page does not load images from other hosts; shows a link instead.
  if (isForeign(picture.getAttribute("src") ?? "")) {
    link.textContent = link.title || link.href;
    node.replaceWith(toCard(link, "image"));
    return;
  }
  reserve(picture);
  const name = link.title || picture.alt;
  picture.alt = name;
  const button = element("button", "", picture);
  button.type = "button";
  button.dataset["act"] = "lightbox";
  button.dataset["on"] = link.getAttribute("href") ?? "";
  button.setAttribute("aria-label", t("open-picture", { name }));
  node.replaceWith(element("figure", "shot", button));
}

function isForeign(src: string): boolean {
  return parseUrl(src, document.baseURI)?.origin !== location.origin;
}

function toCard(link: HTMLAnchorElement, iconName: IconName): HTMLElement {
  link.className = "card";
  const name = element("b", "", element("bdi", "", ...link.childNodes));
  link.append(element("span", "ext", icon(iconName)), name);
  return link;
}

/** Reserves space with the server's dimensions, scaled to the feed. */
function reserve(picture: HTMLImageElement): void {
  const { originalDimensions } = picture.dataset;
  const [width, height] = (originalDimensions ?? "").split("x").map(Number);
  if (!width || !height) return;
  const scale = Math.min(1, WIDTH_MAX / width, HEIGHT_MAX / height);
  picture.width = Math.max(1, Math.round(width * scale));
  picture.height = Math.max(1, Math.round(height * scale));
}

function enrichPicture(node: HTMLImageElement): void {
  node.loading = "lazy";
  node.decoding = "async";
  if (isForeign(node.getAttribute("src") ?? "")) node.removeAttribute("src");
}

/** Displays the still image of an animation until the user plays it. The server has both. */
function freezeImage(node: HTMLImageElement): void {
  const src = node.getAttribute("src") ?? "";
  node.dataset["moving"] = src;
  node.src = stillThumbnail(src);
}

/** The same thumbnail without its motion. */
export const stillThumbnail = (src: string): string => src.replace(/-anim(?=\.\w+$)/, "");

/** A preview of a linked page as a single link: host, title, description and image. */
function enrichEmbed(node: HTMLElement): void {
  const anchor = node.querySelector<HTMLAnchorElement>(".message_embed_title a, a");
  if (!anchor) return;
  const { href } = anchor;
  const title = node.querySelector(".message_embed_title")?.textContent ?? "";
  const message = node.querySelector(".message_embed_description")?.textContent ?? "";
  const picture = node.querySelector<HTMLElement>("[data-picture]")?.dataset["picture"];
  const card = element("a", "unfurl");
  card.href = href;
  const text = element("span", "", element("small", "", hostOf(href)), element("b", "", title));
  if (message !== "") text.append(element("i", "", message));
  card.append(text);
  if (picture !== undefined && !isForeign(picture)) {
    const image = element("img");
    image.src = picture;
    image.alt = "";
    card.append(image);
  } else card.dataset["plain"] = "";
  node.replaceWith(card);
}

const hostOf = (href: string): string => parseUrl(href)?.host ?? "";
