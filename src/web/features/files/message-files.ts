// The images and files that a message contains, each once.
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import { parseUrl } from "../../../text/input/parse-url.ts";
import { parseContent } from "../../content/parse.ts";
import { t } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";

export interface MessageFile {
  /** Key of the message and the file. */
  key: string;
  message: Message;
  /** The path of the file on this server. */
  path: string;
  name: string;
  /** URL of the thumbnail; undefined if it is not an image. */
  thumb: string | undefined;
  /** Title of the spoiler that contains it, the only visible part. */
  cover: string | undefined;
}

const UPLOADS = "/user_uploads/";

export function filesIn(message: Message): MessageFile[] {
  // Most messages have no files, so their HTML need not be parsed.
  if (!message.content.includes(UPLOADS)) return [];
  const files = new Map<string, MessageFile>();
  const add = (node: Element, address: string, name: string, thumb?: string) => {
    const path = pathOf(address);
    if (path === undefined) return;
    const before = files.get(path);
    const cover = spoilerTitleOf(node);
    files.set(path, {
      // A file that is also visible elsewhere in the message is not covered.
      cover: before && cover !== undefined ? before.cover : cover,
      key: `${message.id} ${path}`,
      message,
      path,
      name: before?.name || name.trim() || lastOf(path),
      thumb: before?.thumb ?? thumb,
    });
  };
  const content = parseContent(message.content);
  for (const link of content.querySelectorAll("a")) {
    const picture = link.querySelector("img");
    const name = link.title || (link.textContent ?? "");
    add(link, link.getAttribute("href") ?? "", name, picture?.getAttribute("src") ?? undefined);
  }
  for (const picture of content.querySelectorAll<HTMLImageElement>("img.inline-image")) {
    const src = picture.getAttribute("src") ?? "";
    add(picture, picture.dataset["originalSrc"] ?? src, picture.alt, src);
  }
  for (const media of content.querySelectorAll("audio, video")) {
    add(media, media.getAttribute("src") ?? "", media.getAttribute("title") ?? "");
  }
  return [...files.values()];
}

/** Title of the outermost spoiler around it. Undefined if there is none. */
function spoilerTitleOf(node: Element): string | undefined {
  const spoiler = node.closest(".spoiler-block");
  if (!spoiler) return undefined;
  const { parentElement: parent, firstElementChild: header } = spoiler;
  return (parent && spoilerTitleOf(parent)) ?? (header?.textContent?.trim() || t("spoiler"));
}

/** undefined if the URL is not an upload on this server. */
function pathOf(address: string): string | undefined {
  const url = parseUrl(address, document.baseURI);
  const isOurs = url?.origin === location.origin && url.pathname.startsWith(UPLOADS);
  return isOurs ? url.pathname : undefined;
}

function lastOf(path: string): string {
  return decodeUrlPart(path.slice(path.lastIndexOf("/") + 1));
}

/** The file extension, if it is short. Otherwise empty. */
export function kindOf(name: string): string {
  const dot = name.lastIndexOf(".");
  const ending = dot < 1 ? "" : name.slice(dot + 1);
  return /^[\p{L}\p{N}]{1,5}$/u.test(ending) ? ending.toUpperCase() : "";
}
