// Collects the images on the page for the lightbox.
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import { parseUrl } from "../../../text/input/parse-url.ts";
import { messageAt } from "../../feed/row-actions.ts";
import { messageOf } from "../messages/selectors.ts";

export interface Picture {
  /** The element in the row that displays it. */
  node: HTMLElement;
  /** URL of the thumbnail in the row. */
  thumb: string;
  /** URL in full size, on this server, because the page loads nothing from other hosts. */
  full: string;
  /** Absolute URL, for sharing. */
  link: string;
  name: string;
  message_id: number | undefined;
}

/** Excludes pictures in closed spoilers. */
export function picturesIn(root: ParentNode): Picture[] {
  return [...root.querySelectorAll<HTMLElement>('[data-act="lightbox"]')].flatMap((node) => {
    if (!node.checkVisibility()) return [];
    const picture = node instanceof HTMLImageElement ? node : node.querySelector("img");
    return picture ? [pictureOf(node, picture)] : [];
  });
}

function pictureOf(node: HTMLElement, picture: HTMLImageElement): Picture {
  const { originalSrc } = picture.dataset;
  const address = node.dataset["on"] || originalSrc || picture.src;
  const link = parseUrl(address, document.baseURI)?.href ?? "";
  const candidates = [link, originalSrc ?? "", picture.src];
  const full = candidates.find(isSameOrigin) ?? picture.src;
  return {
    node,
    thumb: picture.src,
    full,
    link,
    name: picture.alt || decodeUrlPart(link.split("/").at(-1) ?? ""),
    message_id: messageAt(node, messageOf)?.id,
  };
}

function isSameOrigin(address: string): boolean {
  return address !== "" && parseUrl(address, document.baseURI)?.origin === location.origin;
}
