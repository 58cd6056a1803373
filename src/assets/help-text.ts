// Converts a help page from Markdown: links, images, headings and search index.
import { ownValue } from "../text/input/own-value.ts";
import { EMPTY_CONTEXT } from "../text/markdown/context.ts";
import { render } from "../text/markdown/render.ts";
import { escaped, type HelpFiles, upFrom } from "./help-frame.ts";

/** The table of contents. */
export const CONTENTS = "README";

export const titleOf = (source: string): string => /^# (.+)$/m.exec(source)![1]!;

/** `![description](…/topic-light.webp)`, with a dark variant. */
const PICTURE = /^!\[([^\]\n]*)\]\(([^)\n]*)\)$/gm;
const LIGHT = "-light.webp";

export function bodyOf(name: string, source: string, { pictures }: HelpFiles): string {
  // Parts that the message renderer does not support are inserted afterwards.
  const drawnPictures: string[] = [];
  const marked = source.replace(PICTURE, (_, description: string, path: string) => {
    const drawing = pictures.get(path.slice(path.lastIndexOf("/") + 1, -LIGHT.length));
    // Omits images while the client that generates them is being built.
    if (!drawing) return "";
    const { light, dark, width, height } = drawing;
    drawnPictures.push(
      `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">` +
        `<img src="${light}" width="${width}" height="${height}" loading="lazy" ` +
        `alt="${escaped(description)}"></picture>`,
    );
    return `PICTURE-${drawnPictures.length - 1}`;
  });
  return rendered(name, marked)
    .replace(/<p>PICTURE-(\d+)<\/p>/g, (_, number: string) => drawnPictures[Number(number)]!)
    .replace(/<h2>([^<\n]*)<\/h2>/g, (_, text: string) => {
      return `<h2 id="${idOf(text)}">${text}</h2>`;
    });
}

/** Pages link to each other by file names, so that the links work in the repository too. */
function rendered(name: string, source: string): string {
  const linked = source.replace(/\]\(([\w-]+)\.md\)/g, (_, to: string) => `](/help/${to}/)`);
  // Help files use CommonMark's emphasis, which differs from that of messages.
  const withAsterisks = linked.replace(/(^|[\s(„“])_([^_`\n]{1,80})_/gm, "$1*$2*");
  // Relative links keep the selected language.
  const context = { ...EMPTY_CONTEXT, realm_url: "http://localhost" };
  return render(withAsterisks, context).html.replaceAll('href="/help/', `href="${upFrom(name)}`);
}

interface Part {
  page: string;
  title: string;
  heading: string;
  id: string;
  text: string;
}

/** The text below each heading. */
export function partsOf(name: string, source: string): Part[] {
  const withPlaceholders = source.replace(
    PICTURE,
    (_, description: string) => `\n${description}\n`,
  );
  const [head = "", ...more] = rendered(name, withPlaceholders).split("<h2>");
  const title = titleOf(source);
  const page = name === CONTENTS ? "" : `${name}/`;
  const first = { page, title, heading: "", id: "", text: wordsOf(head.split("</h1>")[1] ?? "") };
  const rest = more.map((part) => {
    const [message = "", text = ""] = part.split("</h2>");
    const heading = wordsOf(message);
    return { page, title, heading, id: idOf(message), text: wordsOf(text) };
  });
  // The table of contents only repeats the pages.
  return name === CONTENTS ? [] : [first, ...rest];
}

/** The id of a heading in URLs. */
const idOf = (text: string): string =>
  wordsOf(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join("-");

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ownValue(ENTITIES, entity)!)
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
