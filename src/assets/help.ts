// Generates the help pages of each language from docs/help.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { bodyOf, CONTENTS, partsOf, titleOf } from "./help-text.ts";
import { escaped, footOf, frameOf, type HelpFiles, type HelpLanguage } from "./help-frame.ts";

const HELP = join(import.meta.dir, "../../docs/help");
/** Source folders by language; English is in the folder itself. */
export const HELP_FOLDERS: Readonly<Record<HelpLanguage, string>> = {
  en: HELP,
  de: join(HELP, "de"),
};
export const HELP_LANGUAGES = Object.keys(HELP_FOLDERS) as HelpLanguage[];

export interface HelpPage {
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** Returns the search index: the sections of all pages, as JSON. */
export async function helpIndex(language: HelpLanguage): Promise<string> {
  const sources = await sourcesIn(language);
  return JSON.stringify(sources.flatMap(({ name, source }) => partsOf(name, source)));
}

/** Returns the pages, the table of contents first. */
export async function helpPages(language: HelpLanguage, files: HelpFiles): Promise<HelpPage[]> {
  const sources = await sourcesIn(language);
  const titles = new Map(sources.map(({ name, source }) => [name, titleOf(source)]));
  const adjacent = neighboursOf(sources[0]!.source);
  return sources.map(({ name, source }) => {
    const title = titles.get(name)!;
    const [body, foot] = [bodyOf(name, source, files), footOf(adjacent(name), titles, language)];
    const html = frameOf({ name, title: escaped(title), body, foot, language, files });
    return { path: helpPath(language, name), title, html };
  });
}

/** The path in this language, independent of the reader's. */
const helpPath = (language: HelpLanguage, name: string): string =>
  `/help/${language}/${name === CONTENTS ? "" : `${name}/`}`;

async function sourcesIn(language: HelpLanguage): Promise<{ name: string; source: string }[]> {
  const folder = HELP_FOLDERS[language];
  const names = readdirSync(folder).filter((file) => file.endsWith(".md"));
  const sources = await Promise.all(
    names.sort().map(async (file) => {
      const source = await Bun.file(join(folder, file)).text();
      return { name: basename(file, ".md"), source };
    }),
  );
  return sources.sort((a, b) => Number(b.name === CONTENTS) - Number(a.name === CONTENTS));
}

/** Returns the pages before and after a page in the order of the table of contents. */
function neighboursOf(contents: string): (name: string) => (string | undefined)[] {
  const order = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name!);
  return (name) => {
    if (name === CONTENTS) return [];
    const index = order.indexOf(name);
    return [order[index - 1], order[index + 1]];
  };
}
