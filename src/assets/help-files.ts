// The help center's files in all languages: pages, search index and images.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Bytes } from "./files.ts";
import type { HelpLanguage, HelpPicture } from "./help-frame.ts";
import { HELP_LANGUAGES, type HelpPage, helpIndex, helpPages } from "./help.ts";

export const HELP_PICTURES = join(import.meta.dir, "../../docs/pictures/help");
/** Image pixels per CSS pixel. */
export const HELP_DOTS = 1.5;

interface HelpBuilt<F> {
  readonly pages: readonly HelpPage[];
  readonly files: readonly F[];
  /** Titles and paths by language, for the client's command palette. */
  readonly titles: Readonly<Record<string, readonly Pick<HelpPage, "path" | "title">[]>>;
}

type HashedFileCallback<F> = (name: string, extension: string, contents: string | Bytes) => F;

/** `hashed` creates a file whose path contains a hash of its content. */
export async function helpFiles<F extends { readonly path: string }>(
  style: string,
  script: string,
  hashed: HashedFileCallback<F>,
): Promise<HelpBuilt<F>> {
  const { pictures, files } = await picturesBy(hashed);
  const built = await Promise.all(
    HELP_LANGUAGES.map(async (language) => {
      const index = hashed(`help-${language}`, "json", await helpIndex(language));
      const pages = await helpPages(language, { style, script, index: index.path, pictures });
      return { language, index, pages };
    }),
  );
  const titles = built.map(({ language, pages }) => [language, titlesOf(language, pages)]);
  return {
    pages: built.flatMap(({ pages }) => pages),
    files: [...built.map(({ index }) => index), ...files],
    titles: Object.fromEntries(titles) as HelpBuilt<F>["titles"],
  };
}

const titlesOf = (language: HelpLanguage, pages: readonly HelpPage[]) =>
  pages.map(({ path, title }) => ({ path: path.replace(`/${language}/`, "/"), title }));

/** Keyed by name, without the color scheme. */
async function picturesBy<F extends { readonly path: string }>(hashed: HashedFileCallback<F>) {
  const pictures = new Map<string, HelpPicture>();
  const files: F[] = [];
  const all = readdirSync(HELP_PICTURES);
  const names = all
    .filter((file) => file.endsWith("-light.webp"))
    .map((file) => file.slice(0, -11));
  // While images are being generated, one may exist before the other.
  for (const name of names.filter((name) => all.includes(`${name}-dark.webp`)).sort()) {
    const read = async (scheme: string) => {
      const path = join(HELP_PICTURES, `${name}-${scheme}.webp`);
      const bytes = await Bun.file(path).bytes();
      const file = hashed(`help-${name}-${scheme}`, "webp", bytes);
      files.push(file);
      return { file, bytes };
    };
    const [inLight, inDark] = [await read("light"), await read("dark")];
    const { width, height } = await new Bun.Image(inLight.bytes).metadata();
    pictures.set(name, {
      light: inLight.file.path,
      dark: inDark.file.path,
      width: Math.round(width / HELP_DOTS),
      height: Math.round(height / HELP_DOTS),
    });
  }
  return { pictures, files };
}
