// The frame of each help page: header, search, and navigation.
import { ownValue } from "../text/input/own-value.ts";

export type HelpLanguage = "en" | "de";

/** The URLs of an image in both color schemes. */
export interface HelpPicture {
  readonly light: string;
  readonly dark: string;
  readonly width: number;
  readonly height: number;
}

/** The URLs of files that the pages load. */
export interface HelpFiles {
  readonly style: string;
  readonly script: string;
  readonly index: string;
  readonly pictures: ReadonlyMap<string, HelpPicture>;
}

/** Texts around the articles. `otherName` is the name of the other language, in that language. */
const WORDS = {
  en: {
    help: "Help",
    client: "Open Skein",
    near: "Related articles",
    search: "Search the help center",
    none: "No articles found.",
    other: "de",
    otherName: "Deutsch",
  },
  de: {
    help: "Hilfe",
    client: "Skein öffnen",
    near: "Weitere Artikel",
    search: "Hilfe durchsuchen",
    none: "Keine Artikel gefunden.",
    other: "en",
    otherName: "English",
  },
} as const;

/** The relative path to the root of the help pages. */
export const upFrom = (name: string): string => (isContents(name) ? "./" : "../");
const isContents = (name: string) => name === "README";

export function footOf(
  adjacent: readonly (string | undefined)[],
  titles: ReadonlyMap<string, string>,
  language: HelpLanguage,
): string {
  if (adjacent.length === 0) return "";
  const rels = ["prev", "next"];
  const links = adjacent.map((name, index) =>
    name === undefined
      ? "<span></span>"
      : `<a rel="${rels[index]}" href="../${name}/">${escaped(titles.get(name)!)}</a>`,
  );
  return `<nav class="near" aria-label="${WORDS[language].near}">${links.join("")}</nav>`;
}

interface Page {
  name: string;
  /** `title`, `body` and `foot` are HTML. */
  title: string;
  body: string;
  foot: string;
  language: HelpLanguage;
  files: HelpFiles;
}

export function frameOf({ name, title, body, foot, language, files }: Page): string {
  const { help, client, search, none, other, otherName } = WORDS[language];
  const otherLanguagePath = `/help/${other}/${isContents(name) ? "" : `${name}/`}`;
  const up = upFrom(name);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Skein</title>
<link rel="stylesheet" href="${files.style}">
<link rel="alternate" hreflang="${other}" href="${otherLanguagePath}">
<script type="module" src="${files.script}"></script>
</head>
<body>
<header>
<nav aria-label="${help}">
<a href="${up}">${help}</a>
<a href="${otherLanguagePath}" hreflang="${other}" lang="${other}">${otherName}</a>
<a href="/">${client}</a>
</nav>
<form role="search" hidden data-index="${files.index}" data-up="${up}" data-none="${none}">
<input type="search" role="combobox" aria-label="${search}" placeholder="${search}"
autocomplete="off" spellcheck="false" aria-expanded="false"
aria-controls="found" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<ul id="found" role="listbox" aria-label="${search}" hidden></ul>
<p role="status"></p>
</form>
</header>
<main>
${body}
${foot}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ownValue(ENTITIES, character)!);
