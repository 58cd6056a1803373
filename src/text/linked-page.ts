// The metadata of a linked page, for its preview.
import type * as htmlparser from "htmlparser2";
import { parseUrl } from "./input/parse-url.ts";

export interface LinkedPage {
  /** "" if the page has no title. */
  title: string;
  description: string;
  image: string;
}

const TITLE_LENGTH_MAX = 300;
const DESCRIPTION_LENGTH_MAX = 1_000;
const IMAGE_LENGTH_MAX = 2_000;

/** undefined if the preview would be empty. `address`: the URL of the page. */
export function linkedPage(html: string, address: string): LinkedPage | undefined {
  const { details, title } = readMeta(html);
  const image = cleanImage(details.get("og:image") ?? details.get("og:image:url"), address);
  if (image === undefined) return undefined;
  return {
    title: shortTitle(details.get("og:title") ?? title),
    description: shortened(details.get("og:description") ?? "", DESCRIPTION_LENGTH_MAX),
    image,
  };
}

/** The tags of the head; the first of each name counts. The parser is loaded on first use. */
function readMeta(html: string) {
  const details = new Map<string, string>();
  let title = "";
  let isTitle = false;
  let isOver = false;
  let tags = 0;
  const { Parser } = require("htmlparser2") as typeof htmlparser;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "body" || ++tags > TAGS_MAX) isOver = true;
      isTitle = name === "title" && title === "";
      const property = attributes["property"] ?? attributes["name"];
      const content = attributes["content"];
      if (name !== "meta" || isOver || property === undefined || !content?.trim()) return;
      if (!details.has(property.toLowerCase())) details.set(property.toLowerCase(), content);
    },
    ontext(text) {
      if (isTitle && !isOver) title += text;
    },
    onclosetag(name) {
      if (name === "title") isTitle = false;
      if (name === "head") isOver = true;
    },
  });
  for (let index = 0; index < html.length && !isOver; index += STEP)
    parser.write(html.slice(index, index + STEP));
  parser.end();
  return { details, title };
}

/** Most pages have all metadata at their beginning. */
const STEP = 8_192;
/** Larger heads are cut off; deep nesting would take quadratic time. */
const TAGS_MAX = 2_000;

/** The URL of an image, escaped so that it cannot end the style or attribute that contains it. */
export function cleanImage(value: string | undefined, address: string): string | undefined {
  const url = value === undefined ? undefined : parseUrl(value.trim(), address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const image = url.href.replace(
    /['"()\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return image.length > IMAGE_LENGTH_MAX ? undefined : image;
}

export function shortTitle(title: string): string {
  return shortened(title, TITLE_LENGTH_MAX);
}

function shortened(text: string, max: number): string {
  const characters = [
    ...text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
  ];
  return characters.length <= max
    ? characters.join("")
    : `${characters.slice(0, max - 1).join("")}…`;
}
