// Uploaded images and audio files, displayed in place of their links.
import { uploadPathId } from "../addresses.ts";
import type { UploadInfo } from "../context.ts";
import { element } from "../tree.ts";
import type { Element } from "../tree.ts";
import { hasMark, type Passage } from "./patterns.ts";

const SOUNDS = new Set([
  ...["audio/aac", "audio/flac", "audio/mpeg"],
  ...["audio/wav", "audio/x-wav", "audio/vnd.wave"],
]);

/** undefined if the link refers to neither. */
export function inlineMedia(context: Passage, name: string, href: string): Element | undefined {
  const path_id = uploadPathId(href);
  const upload = path_id === undefined ? undefined : context.context.upload(path_id);
  if (path_id === undefined || upload === undefined || hasMark(name)) return undefined;
  const src = withLeadingSlash(href);
  if (SOUNDS.has(upload.content_type)) {
    context.findings.uploads.add(path_id);
    const title: Record<string, string> = name === "" ? {} : { title: name };
    return element("audio", { controls: true, preload: "metadata", src, ...title });
  }
  const picture = thumbnail(src, upload);
  if (picture === undefined) return undefined;
  context.findings.uploads.add(path_id);
  context.findings.has_image = true;
  const loading = picture["class"] === undefined ? "" : ` ${picture["class"]}`;
  const attributes = {
    ...picture,
    alt: name,
    class: `inline-image${loading}`,
    "data-original-src": src,
  };
  return element("img", sorted(attributes));
}

/** An upload's href relative to the root of the realm. */
export function withLeadingSlash(href: string): string {
  return href.startsWith("/") ? href : `/${href}`;
}

/**
 * The attributes that display an image, or a placeholder until it is ready; undefined if it is not
 * an image.
 */
export function thumbnail(src: string, { content_type, image }: UploadInfo) {
  if (image === undefined) return undefined;
  const dimensions = `${image.width}x${image.height}`;
  const attributes: Record<string, string> = {
    "data-original-content-type": content_type,
    "data-original-dimensions": dimensions,
  };
  if (!image.ready) {
    attributes["class"] = "image-loading-placeholder";
    attributes["src"] = "/static/images/loading/loader-black.svg";
    return sorted(attributes);
  }
  if (image.animated) attributes["data-animated"] = "true";
  if (image.transcoded) attributes["data-transcoded-image"] = `${dimensions}.webp`;
  const format = image.animated ? "840x560-anim.webp" : "840x560.webp";
  attributes["src"] = src.replace("/user_uploads/", "/user_uploads/thumbnail/") + `/${format}`;
  return sorted(attributes);
}

function sorted(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
