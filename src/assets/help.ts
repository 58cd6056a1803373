// The pages of help: docs/help as pages in the look of the house, which run no script.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { RenderContext } from "../text/markdown/context.ts";
import { render } from "../text/markdown/render.ts";

export const HELP = join(import.meta.dir, "../../docs/help");
const PREFIX = "/help/";
/** The contents, in the order in which one reads. */
const CONTENTS = "README";

export interface HelpPage {
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** The contents first. `style`: the address of their style sheet. */
export async function helpPages(style: string): Promise<HelpPage[]> {
  const names = readdirSync(HELP).filter((file) => file.endsWith(".md"));
  const sources = await Promise.all(
    names.sort().map(async (file) => {
      const source = await Bun.file(join(HELP, file)).text();
      return { name: basename(file, ".md"), source };
    }),
  );
  const contents = sources.find(({ name }) => name === CONTENTS)!;
  const all = [contents, ...sources.filter((one) => one !== contents)];
  const titles = new Map(all.map(({ name, source }) => [name, titleOf(source)]));
  const near = neighbours(contents.source);
  return all.map(({ name, source }) => {
    const title = titles.get(name)!;
    const body = bodyOf(source);
    const foot = name === CONTENTS ? "" : footOf(near(name), titles);
    return { path: pathOf(name), title, html: documentOf({ title, body, foot, style }) };
  });
}

const pathOf = (name: string) => (name === CONTENTS ? PREFIX : `${PREFIX}${name}/`);
const titleOf = (source: string) => /^# (.+)$/m.exec(source)![1]!;

/** Pages link to each other as files, so that they can be read in the tree too. */
function bodyOf(source: string): string {
  const linked = source.replace(/\]\(([\w-]+)\.md\)/g, (_, name: string) => `](${pathOf(name)})`);
  // Files have the emphasis of CommonMark, messages another.
  const own = linked.replace(/(^|[\s(])_([^_`\n]{1,80})_/gm, "$1*$2*");
  return render(own, NOTHING_KNOWN).html;
}

const NOTHING_KNOWN: RenderContext = {
  realm_url: "http://localhost",
  default_code_block_language: "",
  translate_emoticons: false,
  inline_image_preview: false,
  linkifiers: [],
  userById: () => undefined,
  usersByName: () => [],
  groupByName: () => undefined,
  channelByName: () => undefined,
  newestInTopic: () => undefined,
  customEmoji: () => undefined,
  upload: () => undefined,
};

/** The page before and the page after one, as the contents have them. */
function neighbours(contents: string): (name: string) => (string | undefined)[] {
  const order = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name!);
  return (name) => {
    const at = order.indexOf(name);
    return [order[at - 1], order[at + 1]];
  };
}

function footOf(near: readonly (string | undefined)[], titles: ReadonlyMap<string, string>) {
  const rels = ["prev", "next"];
  const links = near.map((name, at) =>
    name === undefined
      ? "<span></span>"
      : `<a rel="${rels[at]}" href="${pathOf(name)}">${escaped(titles.get(name)!)}</a>`,
  );
  return `<nav class="near" aria-label="Pages beside this one">${links.join("")}</nav>`;
}

interface Page {
  title: string;
  body: string;
  foot: string;
  style: string;
}

function documentOf({ title, body, foot, style }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Skein</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<header><nav aria-label="Help">
<a href="${PREFIX}">Help</a><a href="/">To the conversations</a>
</nav></header>
<main>
${body}
${foot}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
