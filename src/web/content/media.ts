// Pictures, films and previews: each with its room kept, so that nothing moves when it comes.
import { parseUrl } from "../../text/input/parse-url.ts";
import type { IconName } from "../ui/icon.tsx";
import { say } from "../words/words.ts";
import { element, icon } from "./node.ts";

/** Pixels of the feed's width that a thumbnail takes at most, as the drawn pages have it. */
const WIDTH_MAX = 480;
const HEIGHT_MAX = 320;

export function enrichMedia(content: DocumentFragment, isStill: boolean): void {
  const files = [...content.querySelectorAll<HTMLAnchorElement>("[href^='/user_uploads/']")];
  for (const link of files) {
    const { href, parentElement: around, textContent } = link;
    // A lone link without a preview is displayed as a file.
    const isAlone = around?.matches("p") && around.textContent.split("\n").includes(textContent);
    if (isAlone && files.every((one) => one === link || one.href !== href)) toCard(link, "file");
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
  if (isStill) content.querySelectorAll<HTMLImageElement>("img[data-animated]").forEach(still);
  for (const node of content.querySelectorAll<HTMLMediaElement>("audio, video")) {
    node.controls = true;
    // Media in a spoiler are not loaded before it is opened.
    node.preload = node.closest(".spoiler") ? "none" : "metadata";
  }
  // Browsers ask for some of the lazy pictures in what is closed.
  for (const node of content.querySelectorAll<HTMLImageElement>(".spoiler > div img[src]")) {
    node.dataset["src"] = node.getAttribute("src")!;
    node.removeAttribute("src");
  }
}

/** The pictures of spoilers that are open come, with those in the titles of the ones inside. */
export function uncover(root: ParentNode): void {
  for (const node of root.querySelectorAll<HTMLImageElement>("img[data-src]")) {
    if (node.closest("details:not([open]) > div")) continue;
    node.src = node.dataset["src"]!;
    delete node.dataset["src"];
  }
}

function enrichPreview(node: HTMLElement): void {
  const [link, picture] = [node.querySelector("a"), node.querySelector("img")];
  const film = node.querySelector("video");
  if (!link || (!picture && !film)) return;
  if (film) {
    film.className = "film";
    film.title = link.title;
    node.replaceWith(element("figure", "shot", film));
    return;
  }
  // A picture on another host is not loaded by the page: its link stands for it.
  if (isForeign(picture!.getAttribute("src") ?? "")) {
    link.textContent = link.title || link.href;
    node.replaceWith(toCard(link, "image"));
    return;
  }
  reserve(picture!);
  const name = link.title || (picture!.alt ?? "");
  picture!.alt = name;
  const button = element("button", "", picture!);
  button.type = "button";
  button.dataset["act"] = "lightbox";
  button.dataset["on"] = link.getAttribute("href") ?? "";
  button.setAttribute("aria-label", say("open-picture", { name }));
  node.replaceWith(element("figure", "shot", button));
}

function isForeign(src: string): boolean {
  return parseUrl(src, document.baseURI)?.origin !== location.origin;
}

function toCard(link: HTMLAnchorElement, sign: IconName): HTMLElement {
  link.className = "card";
  const name = element("b", "", element("bdi", "", ...link.childNodes));
  link.append(element("span", "ext", icon(sign)), name);
  return link;
}

/** Its room is kept by the dimensions that the server told, shrunk to what the feed shows. */
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

/** Animated pictures move on request. The server has both forms. */
function still(node: HTMLImageElement): void {
  const src = node.getAttribute("src") ?? "";
  node.dataset["moving"] = src;
  node.src = stillOf(src);
}

/** The same thumbnail without its motion. */
export const stillOf = (src: string): string => src.replace(/-anim(?=\.\w+$)/, "");

/** A page that was linked to, as one link: where it is, its title, its words, its picture. */
function enrichEmbed(node: HTMLElement): void {
  const anchor = node.querySelector<HTMLAnchorElement>(".message_embed_title a, a");
  if (!anchor) return;
  const { href } = anchor;
  const title = node.querySelector(".message_embed_title")?.textContent ?? "";
  const words = node.querySelector(".message_embed_description")?.textContent ?? "";
  const picture = node.querySelector<HTMLElement>("[data-picture]")?.dataset["picture"];
  const card = element("a", "unfurl");
  card.href = href;
  const text = element("span", "", element("small", "", hostOf(href)), element("b", "", title));
  if (words !== "") text.append(element("i", "", words));
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
